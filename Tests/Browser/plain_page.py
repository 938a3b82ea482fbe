"""A page of a test's own, as another origin."""
import http.server
import json
import threading

from station import bridge_script


class PlainPage:
    """A server of one page; `answer` may serve the rest: it takes method, path and body and returns a value as JSON."""

    def __init__(self, html, answer=None):
        self.html = html
        self.bridge = None
        page_of_this = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.serve(b"")

            def do_POST(self):
                self.serve(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

            do_DELETE = do_GET

            def serve(self, body):
                kind = "application/json"
                if self.path == "/":
                    content, kind = page_of_this.html.encode(), "text/html; charset=utf-8"
                elif self.path == "/bridge.js" and page_of_this.bridge:
                    content, kind = page_of_this.bridge, "text/javascript; charset=utf-8"
                else:
                    value = answer(self.command, self.path, body) if answer else None
                    content = json.dumps(value).encode()
                    if value is None:
                        self.send_error(404)
                        return
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # A browser that goes on to the next page hangs up.
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.server.server_port

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class PlayedStation(PlainPage):
    """A page with bridge.js, and a station that answers each of its requests with the calls that the page has posted."""

    def __init__(self, html):
        super().__init__(html, self.play)
        self.bridge = bridge_script()
        self.calls = []

    def play(self, method, path, body):
        data = {}
        if path == "/calls":
            self.calls = json.loads(body)
        elif path == "/bridge/session":
            data = {"session": "s", "expiresAt": "2999-01-01T00:00:00Z"}
        elif path.startswith("/bridge/") and method == "POST":
            data = {"request": json.loads(body)["request"], "state": "answered", "outcome": {"value": {}},
                    "calls": self.calls}
        else:
            return None
        return {"isSuccess": True, "data": data}
