#!/usr/bin/env python3
"""Checks the OpenAPI description of a running station, and that its answers are as described.

usage: check_openapi.py BASE TOKEN PICTURE...

The description is checked by openapi-spec-validator, each answer by openapi-schema-validator, and no answer may have a
field that is not described. Prints what is wrong, one line each, and ends with 1 then.
"""
import json
import sys
import urllib.error
import urllib.request

from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate

base, token, *pictures = sys.argv[1:]
faults = []


def ask(method, path, body=None, content_type="application/json", bearer=token, headers=None):
    request = urllib.request.Request(base + path, data=body, method=method, headers=dict(headers or {}))
    if bearer:
        request.add_header("Authorization", "Bearer " + bearer)
    if body is not None:
        request.add_header("Content-Type", content_type)
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            return answer.status, answer.headers.get_content_type(), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get_content_type(), error.read()


description = json.loads(ask("GET", "/openapi.json", bearer=None)[2])
validate(description)


def schema_of(template, method, status):
    responses = description["paths"][template][method.lower()]["responses"]
    response = responses.get(str(status))
    if response is None:
        return None
    if "$ref" in response:
        response = description["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    return response.get("content", {})


def parts(schema):
    """The schemas that a value may have to fulfill, without references and combinations."""
    if "$ref" in schema:
        schema = description["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    found = [schema]
    for name in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(name, []):
            found += parts(part)
    return found


def undescribed(value, schemas, path="$"):
    """The paths of the fields in a value that its schemas do not name; a schema without names takes any object."""
    schemas = [part for schema in schemas for part in parts(schema)]
    if isinstance(value, list):
        items = [schema["items"] for schema in schemas if "items" in schema]
        return [name for one in value for name in undescribed(one, items, path + "[]")]
    has_names = any("properties" in schema or "additionalProperties" in schema for schema in schemas)
    if not isinstance(value, dict) or not has_names:
        return []
    found = []
    for name, field in value.items():
        inner = [schema["properties"][name] for schema in schemas if name in schema.get("properties", {})]
        inner += [schema["additionalProperties"] for schema in schemas if "additionalProperties" in schema]
        found += undescribed(field, inner, f"{path}.{name}") if inner else [f"{path}.{name}"]
    return found


def check(template, method, expected, path=None, **more):
    path = path or template
    status, kind, body = ask(method, path, **more)
    name = f"{method} {path.split('?')[0]}"
    if status != expected:
        faults.append(f"{name}: {status} and not {expected}: {body[:200]!r}")
        return None
    content = schema_of(template, method, status)
    if content is None:
        faults.append(f"{name}: {status} is not described")
        return None
    if kind not in content:
        faults.append(f"{name}: {status} is described as {list(content)} and not {kind}")
        return None
    if kind != "application/json":
        return body
    # The components stand beside the schema, so that its references find them.
    schema = {"components": description["components"], **content[kind]["schema"]}
    value = json.loads(body)
    for error in OAS31Validator(schema).iter_errors(value):
        faults.append(f"{name}: {status}: {error.json_path}: {error.message[:200]}")
    for field in sorted(set(undescribed(value, [schema]))):
        faults.append(f"{name}: {status}: {field} is not described")
    return value


for picture in pictures[1:]:
    check("/scan", "POST", 200, path="/scan?save=false", body=open(picture, "rb").read(), content_type="image/png")
image = open(pictures[0], "rb").read()
scan = check("/scan", "POST", 200, path="/scan?name=a.png", body=image, content_type="image/png")
check("/detect", "POST", 200, body=image, content_type="image/png")
check("/scan", "POST", 422, body=b"text", content_type="image/png")
check("/scan", "POST", 415, body=b"text", content_type="text/plain")
check("/scan", "POST", 401, body=image, content_type="image/png", bearer=None)
event = scan["data"]["pictures"][0]["events"][0] if scan else "00000000-0000-7000-8000-000000000000"
check("/scans/{id}", "GET", 200, path=f"/scans/{event}")
check("/scans/{id}", "GET", 400, path="/scans/nothing")
check("/scans/{id}/replay", "POST", 200, path=f"/scans/{event}/replay", body=b"")
check("/scans", "GET", 200)
check("/scans", "GET", 200, path="/scans?limit=1&prefix=4")
check("/scans", "GET", 400, path="/scans?limit=0")
check("/scans.csv", "GET", 200)
check("/ping", "GET", 200, bearer=None)
check("/ping", "GET", 403, bearer=None, headers={"Origin": "http://evil.example"})
check("/health", "GET", 200, bearer=None)
check("/metrics", "GET", 200, bearer=None)
check("/camera", "GET", 200)
check("/camera", "POST", 200, body=b'{"mode": "trigger", "region": {"x": 0, "y": 0, "width": 1, "height": 1}}')
check("/camera", "POST", 400, body=b'{"mode": "never"}')
check("/camera", "POST", 200, body=b'{"mode": "continuous", "region": null}')
check("/camera/trigger", "POST", 200, body=b'{"timeout": 60}')
# The station waits a second for a frame and then says 503: on a busy machine one takes longer.
for _ in range(60):
    if ask("GET", "/frame.jpg")[0] != 503:
        break
check("/frame.jpg", "GET", 200)
request = json.dumps({"request": "11111111-2222-3333-4444-555555555555", "message": {"source": "album"}}).encode()
check("/bridge/{dialect}", "POST", 202, path="/bridge/promise", body=request)
check("/bridge/{dialect}", "POST", 404, path="/bridge/nothing", body=request)
check("/bridge/{dialect}", "POST", 400, path="/bridge/promise", body=b"{}")
check("/bridge/{dialect}", "POST", 422, path="/bridge/herald", body=request.replace(b'"source"', b'"name"'))
check("/bridge/requests", "GET", 200)
check("/bridge/requests", "GET", 401, bearer=None)
check("/bridge/requests/{id}", "DELETE", 200, path="/bridge/requests/11111111-2222-3333-4444-555555555555")
check("/bridge/requests/{id}", "DELETE", 404, path="/bridge/requests/nothing")
check("/devices", "GET", 200)
check("/devices", "GET", 401, bearer=None)
check("/devices/reconnect", "POST", 200, body=b"")
check("/devices/settings", "GET", 200)
check("/devices/setting-code", "GET", 200, path="/devices/setting-code?name=name&text=Ward%203")
check("/devices/setting-code", "GET", 200, path="/devices/setting-code?name=name&text=Ward%203&format=png")
check("/devices/setting-code", "GET", 400, path="/devices/setting-code?name=name")
check("/devices/setting-code", "GET", 404, path="/devices/setting-code?name=nothing")
check("/devices/learn", "GET", 200)
check("/devices/learn", "POST", 400, path="/devices/learn?port=ttyS0", body=b"")
check("/devices/learn", "POST", 200, body=b"")
check("/devices/learn/code", "GET", 200)
check("/devices/learn", "DELETE", 200)
check("/conn_scan_gun", "GET", 200)
check("/conn_scan_gun", "GET", 401, bearer=None)
check("/weight", "GET", 200, path="/weight?wait=30")
check("/weight", "GET", 400, path="/weight?wait=x")
check("/weight", "GET", 404, path="/weight?device=none")
check("/bridge/session", "POST", 403, body=b"", bearer=None)
for path in description["paths"]:
    if "." in path and path not in ("/scans.csv", "/frame.jpg"):
        check(path, "GET", 200, bearer=None)

print("\n".join(faults))
sys.exit(1 if faults else 0)
