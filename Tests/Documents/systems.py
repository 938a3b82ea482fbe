#!/usr/bin/env python3
"""Stands in for the systems that the recipes send scans to.

usage: systems.py SYSTEM [PORT]    one of inventree, snipe-it, grocy, paperless, node-red, n8n; or mqtt, a subscriber

Each checks requests as the documented interface of its system says (method, path, content type, token, fields), and
responds as that does, also to what is wrong. What the system would have done is printed, a line for each request.
"""
import base64
import email.parser
import email.policy
import hashlib
import http.server
import json
import pathlib
import re
import socket
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Refusal(Exception):
    """A response that says what is wrong with the request."""

    def __init__(self, status, body=None):
        super().__init__(status, body)
        self.status, self.body = status, body


class Request:
    def __init__(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        self.method, self.headers = handler.command, handler.headers
        self.path, self.query = url.path, dict(urllib.parse.parse_qsl(url.query))
        self.body = handler.rfile.read(int(handler.headers["Content-Length"] or 0))
        self.type = handler.headers.get_content_type()

    def object(self, refusal):
        """The JSON object of the body."""
        try:
            found = json.loads(self.body) if self.type == "application/json" else None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise refusal
        return found

    def parts(self):
        """The parts of a multipart form: name, file name, bytes."""
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + self.body)
        return [(part.get_param("name", header="content-disposition"), part.get_filename(),
                 part.get_payload(decode=True)) for part in form.iter_parts()]

    def is_for(self, method, pattern):
        """The groups of the path if the request is for it, else None."""
        found = re.fullmatch(pattern, self.path)
        return found.groups() if found and self.method == method else None


def django_token(request, token):
    """Token authentication of the Django REST framework."""
    given = request.headers["Authorization"]
    if given is None or not given.startswith("Token "):
        raise Refusal(401, {"detail": "Authentication credentials were not provided."})
    if given != f"Token {token}":
        raise Refusal(401, {"detail": "Invalid token."})


class InvenTree:
    """The barcode API of InvenTree 1.0 (docs.inventree.org, src/backend/InvenTree/plugin/base/barcodes/api.py)."""
    PORT = 8000
    LOCATIONS = {3}

    def __init__(self):
        # What a plugin for the supplier's labels finds in them: the open line of a purchase order.
        self.lines = {"[)>\x1e06\x1d1PRC0603-10K\x1dQ500\x1dK4711\x1e\x04": 500}

    def respond(self, request):
        django_token(request, "inv-0f3a61")
        if request.is_for("POST", "/api/barcode/po-receive/") is None:
            raise Refusal(404, {"detail": "API endpoint not found"})
        fields = request.object(Refusal(415, {"detail": "Unsupported media type in request."}))
        if not isinstance(fields.get("barcode"), str) or not fields["barcode"]:
            raise Refusal(400, {"barcode": ["This field is required."]})
        if fields.get("location") is not None and fields["location"] not in self.LOCATIONS:
            raise Refusal(400, {"location": [f'Invalid pk "{fields["location"]}" - object does not exist.']})
        barcode = fields["barcode"].strip()
        found = {"barcode_data": barcode, "barcode_hash": hashlib.md5(barcode.encode()).hexdigest(), "plugin": None}
        quantity = self.lines.get(barcode)
        if quantity is None:
            raise Refusal(400, {**found, "error": "No plugin match for supplier barcode"})
        if quantity == 0:
            raise Refusal(400, {**found, "error": "Item has already been received"})
        self.lines[barcode] = 0
        print(f"received {quantity} at location {fields.get('location')}")
        return {**found, "plugin": "MouserPlugin", "success": "Received purchase order line item"}


class SnipeIT:
    """Audits by the API of Snipe-IT 8 (snipe-it.readme.io, app/Http/Controllers/Api/AssetsController.php)."""
    PORT = 8000
    ASSETS = {"ORDER-2024-0815"}

    def respond(self, request):
        if request.headers["Accept"] != "application/json":
            raise Refusal(302)  # To the page where people sign in.
        if request.headers["Authorization"] != "Bearer eyJ0eXAi":
            raise Refusal(401, {"error": "Unauthorized or unauthenticated."})
        if request.is_for("POST", "/api/v1/hardware/audit") is None:
            raise Refusal(404, {"status": "error", "messages": "404 endpoint not found. This is a bad URL."})
        fields = request.object(Refusal(200, {"status": "error", "messages": "Asset does not exist.", "payload": None}))
        tag = fields.get("asset_tag")
        if tag not in self.ASSETS:
            raise Refusal(200, {"status": "error", "messages": "Asset does not exist.", "payload": None})
        print(f"audited {tag} at location {fields.get('location_id')}: {fields.get('note')}")
        return {"status": "success", "messages": "Asset audit successfully logged.",
                "payload": {"id": 1, "asset_tag": tag, "note": fields.get("note")}}


class Grocy:
    """Stock by barcode in the API of Grocy 4 (grocy.openapi.json)."""
    PORT = 9283

    def __init__(self):
        self.stock = {"4006381333931": 1}

    def respond(self, request):
        if request.headers["GROCY-API-KEY"] != "k3y":
            raise Refusal(401)
        found = request.is_for("POST", "/api/stock/products/by-barcode/([^/]+)/(add|consume)")
        if found is None:
            raise Refusal(404, {"error_message": "Not found"})
        if request.headers["Content-Type"] != "application/json":
            raise Refusal(400, {"error_message": "Bad Content-Type"})
        fields = request.object(Refusal(400, {"error_message": "Request body could not be parsed"}))
        barcode, verb = urllib.parse.unquote(found[0]), found[1]
        kinds = {"add": "purchase", "consume": "consume"}
        amount = fields.get("amount")
        if barcode not in self.stock:
            raise Refusal(400, {"error_message": f"No product with barcode {barcode} found"})
        if not isinstance(amount, (int, float)) or fields.get("transaction_type") != kinds[verb]:
            raise Refusal(400, {"error_message": "An amount is required"})
        if verb == "consume" and amount > self.stock[barcode]:
            raise Refusal(400, {"error_message": "Amount to be consumed cannot be > current stock amount"})
        self.stock[barcode] += amount if verb == "add" else -amount
        print(f"{verb} {amount} of {barcode}, {self.stock[barcode]} left")
        return [{"id": 1, "product_id": 1, "amount": amount, "transaction_type": kinds[verb]}]


class Paperless:
    """Documents by the REST interface of paperless-ngx 2 (docs/api.md, src/documents/serialisers.py)."""
    PORT = 8000
    LARGEST_NUMBER = 0xFFFF_FFFF

    def __init__(self):
        self.objects = {"tags": ["Invoice"], "correspondents": [], "document_types": [], "custom_fields": ["Number"]}

    def respond(self, request):
        django_token(request, "p4perless")
        if (groups := request.is_for("GET", "/api/(" + "|".join(self.objects) + ")/")) is not None:
            wanted = request.query.get("name__iexact", "").casefold()
            found = [{"id": number, "name": name} for number, name in enumerate(self.objects[groups[0]], 1)
                     if name.casefold() == wanted]
            return {"count": len(found), "next": None, "previous": None, "results": found}
        if (groups := request.is_for("POST", "/api/(tags|correspondents|document_types)/")) is not None:
            name = request.object(Refusal(415, {"detail": "Unsupported media type in request."})).get("name")
            if not name or len(name) > 128:
                raise Refusal(400, {"name": ["This field is required."]})
            if name in self.objects[groups[0]]:
                raise Refusal(400, {"error": "Object violates owner / name unique constraint"})
            self.objects[groups[0]].append(name)
            return {"id": len(self.objects[groups[0]]), "name": name}
        if request.is_for("POST", "/api/documents/post_document/") is None:
            raise Refusal(404, {"detail": "Not found."})
        if request.type != "multipart/form-data":
            raise Refusal(415, {"detail": "Unsupported media type in request."})
        return self.take(request.parts())

    def name(self, field, kind, number):
        try:
            return self.objects[kind][int(number) - 1]
        except (ValueError, IndexError):
            raise Refusal(400, {field: [f'Invalid pk "{number}" - object does not exist.']}) from None

    def take(self, parts):
        fields, document, tags = {}, None, []
        for name, file, value in parts:
            if name == "document" and file:
                document = file, value
            elif name == "tags":
                tags.append(self.name("tags", "tags", value.decode()))
            else:
                fields[name] = value.decode()
        if document is None:
            raise Refusal(400, {"document": ["No file was submitted."]})
        if not document[1].startswith((b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*")):
            raise Refusal(400, {"document": ["File type not supported"]})
        number = fields.get("archive_serial_number")
        if number is not None and not (number.isdecimal() and int(number) <= self.LARGEST_NUMBER):
            raise Refusal(400, {"archive_serial_number": ["A valid integer is required."]})
        said = [document[0]]
        for field, value in sorted(fields.items()):
            if field == "custom_fields":
                custom = {self.name(field, field, key): text for key, text in json.loads(value).items()}
                value = json.dumps(custom)
            elif field == "correspondent":
                value = self.name(field, "correspondents", value)
            said.append(f"{field}={int(value) if field == 'archive_serial_number' else value}")
        print(", ".join(said + (["tags=" + "+".join(tags)] if tags else [])))
        return "5c8b1d2e-0000-4000-8000-000000000000"


def flow(name):
    return json.loads((ROOT / "Samples/flows" / f"{name}.json").read_text(encoding="utf-8"))


class NodeRED:
    """Node-RED with httpNodeAuth and the flow of Samples/flows/node-red.json: its node "http in" says what it takes."""
    PORT = 1880

    def respond(self, request):
        entry = next(node for node in flow("node-red") if node["type"] == "http in")
        expected = base64.b64encode(b"scanner:s3cret").decode()
        if request.headers["Authorization"] != f"Basic {expected}":
            raise Refusal(401)
        if request.is_for(entry["method"].upper(), re.escape(entry["url"])) is None:
            raise Refusal(404)
        # The nodes read msg.payload, which is an object only if the content type says that the body is JSON.
        print("scan: " + request.object(Refusal(500))["data"]["symbol"]["text"])
        raise Refusal(204)


class N8n:
    """n8n with the workflow of Samples/flows/n8n.json: its webhook says what it takes."""
    PORT = 5678

    def respond(self, request):
        entry = next(node["parameters"] for node in flow("n8n")["nodes"] if node["type"] == "n8n-nodes-base.webhook")
        if request.is_for(entry["httpMethod"], re.escape("/webhook/" + entry["path"])) is None:
            raise Refusal(404, {"code": 404, "message": "The requested webhook is not registered."})
        if entry["authentication"] == "headerAuth" and request.headers["X-Token"] != "t0ken":
            raise Refusal(403)
        body = request.object(Refusal(500, {"message": "Error in workflow"}))
        print("scan: " + body["data"]["symbol"]["text"])
        return {"id": request.headers["webhook-id"], "text": body["data"]["symbol"]["text"]}


def subscribe(port):
    """Prints the topic and the payload of each message of an MQTT broker (3.1.1), retained ones first."""
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as stream:
        connection.sendall(b"\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04test" + b"\x82\x06\x00\x01\x00\x01#\x00")
        while head := stream.read(1):
            length = shift = 0
            while True:
                byte = stream.read(1)[0]
                length |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            packet = stream.read(length)
            if head[0] >> 4 == 3:
                end = 2 + int.from_bytes(packet[:2], "big")
                print(packet[2:end].decode(), packet[end:].decode())


SYSTEMS = {"inventree": InvenTree, "snipe-it": SnipeIT, "grocy": Grocy, "paperless": Paperless, "node-red": NodeRED,
           "n8n": N8n}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    system = None

    def respond(self):
        try:
            status, body = 200, self.system.respond(Request(self))
        except Refusal as refusal:
            status, body = refusal.status, refusal.body
        payload = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    do_GET = do_POST = do_PUT = do_PATCH = respond

    def log_message(self, *_):
        pass


def main(name, port=None):
    sys.stdout.reconfigure(line_buffering=True)
    if name == "mqtt":
        subscribe(int(port or 1883))
        return
    Handler.system = SYSTEMS[name]()
    http.server.ThreadingHTTPServer(("127.0.0.1", int(port or Handler.system.PORT)), Handler).serve_forever()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in {*SYSTEMS, "mqtt"}:
        sys.exit(__doc__)
    main(*sys.argv[1:])
