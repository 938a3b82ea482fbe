"""Tests of the flows of Samples/flows, and of the stand-ins: they refuse what the real systems refuse."""
import email.message
import json
import types
import unittest

import systems


def request(method, path, body="{}", kind="application/json", **headers):
    """A request as the stand-ins get it; underscores in the names of headers stand for hyphens."""
    found = email.message.Message()
    found["Content-Type"], found["Content-Length"] = kind, str(len(body.encode()))
    for name, value in headers.items():
        found[name.replace("_", "-")] = value
    reader = types.SimpleNamespace(read=lambda _: body.encode())
    return systems.Request(types.SimpleNamespace(command=method, path=path, headers=found, rfile=reader))


class StandInTests(unittest.TestCase):
    def test_refusals(self):
        """The system, the request, and the status of the response."""
        token = {"Authorization": "Token p4perless"}
        snipe = {"Authorization": "Bearer eyJ0eXAi", "Accept": "application/json"}
        parts = "\r\n".join([
            "--b", 'Content-Disposition: form-data; name="{name}"', "", "{value}", "--b",
            'Content-Disposition: form-data; name="document"; filename="a.pdf"', "", "%PDF-1.4", "--b--", ""])
        post, form = "/api/documents/post_document/", "multipart/form-data; boundary=b"
        consume = "/api/stock/products/by-barcode/4006381333931/consume"
        cases = [
            ("inventree", request("POST", "/api/barcode/po-receive/"), 401),
            ("inventree", request("POST", "/api/barcode/po-receive/", Authorization="Token no"), 401),
            ("inventree", request("POST", "/api/barcode/po-receive/", Authorization="Token inv-0f3a61"), 400),
            ("inventree", request("GET", "/api/barcode/po-receive/", Authorization="Token inv-0f3a61"), 404),
            ("snipe-it", request("POST", "/api/v1/hardware/audit", Authorization="Bearer eyJ0eXAi"), 302),
            ("snipe-it", request("POST", "/api/v1/hardware/audit", Accept="application/json"), 401),
            ("snipe-it", request("POST", "/api/v1/hardware/audit", '{"asset_tag": "x"}', **snipe), 200),
            ("grocy", request("POST", consume, '{"amount": 1}'), 401),
            ("grocy", request("POST", consume, '{"amount": 1}', GROCY_API_KEY="k3y"), 400),
            ("grocy", request("POST", consume, '{"amount": 1}', "text/plain", GROCY_API_KEY="k3y"), 400),
            ("paperless", request("POST", post, parts, form), 401),
            ("paperless", request("POST", post, "{}", **token), 415),
            ("paperless", request("POST", post, parts.format(name="tags", value="9"), form, **token), 400),
            ("paperless", request(
                "POST", post, parts.format(name="archive_serial_number", value="ASN1"), form, **token), 400),
            ("paperless", request("POST", post, parts.replace("%PDF", "text"), form, **token), 400),
            ("node-red", request("POST", "/quietzone"), 401),
            ("n8n", request("POST", "/webhook/quietzone"), 403),
            ("n8n", request("GET", "/webhook/quietzone", X_Token="t0ken"), 404),
        ]
        for number, (name, asked, status) in enumerate(cases):
            with self.subTest(f"{number}: {name}"), self.assertRaises(systems.Refusal) as refusal:
                systems.SYSTEMS[name]().respond(asked)
            self.assertEqual(refusal.exception.status, status, f"{number}: {refusal.exception.body}")


class FlowTests(unittest.TestCase):
    # The properties that the documentation of Node-RED's nodes gives them, besides those that all nodes have.
    NODES = {
        "http in": {"name", "url", "method", "upload", "swaggerDoc"},
        "function": {"name", "func", "outputs", "timeout", "noerr", "initialize", "finalize", "libs"},
        "debug": {"name", "active", "tosidebar", "console", "tostatus", "complete", "targetType", "statusVal",
                  "statusType"},
        "http response": {"name", "statusCode", "headers"},
    }

    def test_node_red(self):
        """The file is an array of nodes; each belongs to the tab and is wired to nodes that are there."""
        tab, *nodes = systems.flow("node-red")
        self.assertEqual((tab["type"], tab["disabled"]), ("tab", False))
        numbers = [node["id"] for node in [tab, *nodes]]
        self.assertEqual(len(set(numbers)), len(numbers))
        for node in nodes:
            self.assertRegex(node["id"], "^[0-9a-f]{16}$")
            self.assertEqual(node["z"], tab["id"])
            own = set(node) - {"id", "type", "z", "x", "y", "wires"}
            self.assertEqual(own, self.NODES[node["type"]], node["type"])
            for output in node["wires"]:
                self.assertLessEqual(set(output), set(numbers))
        function = next(node for node in nodes if node["type"] == "function")
        self.assertEqual(len(function["wires"]), function["outputs"])
        self.assertIn("http response", [node["type"] for node in nodes])

    def test_n8n(self):
        """Nodes have names of their own, by which they are connected; expressions begin with `=`."""
        workflow = systems.flow("n8n")
        names = [node["name"] for node in workflow["nodes"]]
        self.assertEqual(len(set(names)), len(names))
        for node in workflow["nodes"]:
            self.assertEqual(
                set(node) - {"webhookId"}, {"parameters", "id", "name", "type", "typeVersion", "position"})
            self.assertEqual(len(node["position"]), 2)
        for name, connection in workflow["connections"].items():
            self.assertIn(name, names)
            for target in (target for output in connection["main"] for target in output):
                self.assertIn(target["node"], names)
                self.assertEqual((target["type"], target["index"]), ("main", 0))
        fields = workflow["nodes"][1]["parameters"]["assignments"]["assignments"]
        self.assertTrue(all(field["value"].startswith("={{ $json.") for field in fields), json.dumps(fields))


if __name__ == "__main__":
    unittest.main()
