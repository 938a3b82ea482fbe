"""Tests of the flows of Samples/flows, and of the stand-ins: they refuse what the real systems refuse."""
import email.message
import http.server
import importlib.util
import json
import pathlib
import tempfile
import threading
import types
import unittest

import systems

specification = importlib.util.spec_from_file_location("send", systems.ROOT / "Samples/paperless/send.py")
send = importlib.util.module_from_spec(specification)
specification.loader.exec_module(send)


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


class SendTests(unittest.TestCase):
    RULES = [
        {"code": r"^ASN\D*(\d+)$", "archive_serial_number": r"\1"},
        {"code": r"(?i)^TAG:(.*)$", "tags": r"\1"},
        {"code": r"^INV-(\d+)/(.+)$", "title": r"Invoice \1", "tags": "Invoice", "custom_fields": {"Number": r"\1"}},
        {"code": r"^INV", "title": "Other"},
    ]

    def test_rules(self):
        """The codes of a document, and the values by field."""
        cases = [
            (["ASN00123"], {("archive_serial_number", None): ["00123"]}),
            (["ASN 000123", "ASN9"], {("archive_serial_number", None): ["000123", "9"]}),
            (["xASN1", "ASN", ""], {}),
            (["tag:Tax", "TAG:Car", "TAG:Tax", "TAG:"], {("tags", None): ["Tax", "Car"]}),
            (["INV-7/A"], {("title", None): ["Invoice 7"], ("tags", None): ["Invoice"],
                           ("custom_fields", "Number"): ["7"]}),
            (["INVOICE"], {("title", None): ["Other"]}),
        ]
        for texts, expected in cases:
            with self.subTest(texts):
                self.assertEqual({key: values for key, values in send.metadata(texts, self.RULES).items() if values},
                                 expected)

    def test_hostile_texts_arrive_as_they_are(self):
        hostile = ["\"quoted\"", "a\r\n--b--\r\n", "Content-Disposition: form-data; name=\"tags\"", "\0", "é漢😀",
                   "&x=1"]
        taken = []

        class Recorder(systems.Paperless):
            def take(self, parts):
                taken.append({name: value.decode() for name, file, value in parts if not file})
                return "task"

        handler = type("Handler", (systems.Handler,), {"system": Recorder()})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        paperless = send.Paperless(f"http://127.0.0.1:{server.server_port}", "p4perless")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'a"b\n.pdf'
            file.write_bytes(b"%PDF-1.4")
            for text in hostile:
                self.assertEqual(paperless.post(file, [("title", text)]), "task")
        self.assertEqual(taken, [{"title": text} for text in hostile])
        self.assertEqual(paperless.number("tags", "a&name__iexact=Invoice"), 2, "the name is not a part of the query")


if __name__ == "__main__":
    unittest.main()
