#!/usr/bin/env python3
"""Sends documents to paperless-ngx, with title, archive serial number, tags and the like from their codes.

usage: send.py RULES.toml --to FOLDER FOLDER...

Each document in a folder, and in its subfolders, is read by decode-image and posted; what paperless-ngx has taken is
moved to the folder of --to. A document that cannot be sent stays, for the next run; the exit status is 1 then.
docs/recipes/paperless-ngx.md shows the rules.
"""
import argparse
import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.error
import urllib.parse
import urllib.request
import uuid

TYPES = {".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".webp"}
# The fields of a rule that name an object of paperless-ngx, and the path of these objects.
NAMED = {"tags": "tags", "correspondent": "correspondents", "document_type": "document_types"}


class Problem(Exception):
    """A reason why a document was not sent."""


class Paperless:
    def __init__(self, url, token):
        self.url, self.token, self.numbers = url.rstrip("/"), token, {}

    def request(self, path, body=None, kind="application/json"):
        headers = {"Authorization": f"Token {self.token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = kind
        try:
            request = urllib.request.Request(self.url + path, body, headers)
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise Problem(f"answered {error.code}: {error.read(500).decode(errors='replace')}") from error
        except (OSError, ValueError) as error:
            raise Problem(str(error)) from error

    def number(self, path, name):
        """The ID of the tag, the correspondent or the like of this name, which is created if it does not exist."""
        key = path, name.casefold()
        if key not in self.numbers:
            found = self.request(f"/api/{path}/?" + urllib.parse.urlencode({"name__iexact": name}))["results"]
            if not found and path == "custom_fields":
                raise Problem(f"there is no custom field \"{name}\"")
            made = found[0] if found else self.request(f"/api/{path}/", json.dumps({"name": name}).encode())
            self.numbers[key] = made["id"]
        return self.numbers[key]

    def post(self, file, fields):
        """Posts a document, and returns the ID of the task that takes it in."""
        boundary = uuid.uuid4().hex
        body = b""
        for name, value in fields:
            body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        shown = re.sub(r'[\x00-\x1f"\\]', "_", file.name)
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="document"; filename="{shown}"\r\n'.encode()
        body += b"Content-Type: application/octet-stream\r\n\r\n" + file.read_bytes()
        body += f"\r\n--{boundary}--\r\n".encode()
        return self.request("/api/documents/post_document/", body, f"multipart/form-data; boundary={boundary}")


def codes(file):
    """The texts of the codes of a document, page by page."""
    done = subprocess.run(["decode-image", "--json", file], capture_output=True, text=True, check=False)
    pages = [json.loads(line) for line in done.stdout.splitlines()]
    if not pages or any(page["error"] for page in pages):
        raise Problem("decode-image cannot read it")
    return [symbol["rawValue"] for page in pages for symbol in page["symbols"]]


def metadata(texts, rules):
    """What the rules make of the codes: lists of values by field. The first rule that matches a code counts."""
    found = {}
    for text in texts:
        for rule in rules:
            match = re.search(rule["code"], text)
            if match is None:
                continue
            for field, template in rule.items():
                if field == "code":
                    continue
                for name, value in (template if isinstance(template, dict) else {None: template}).items():
                    values = found.setdefault((field, name), [])
                    if (made := match.expand(value)) and made not in values:
                        values.append(made)
            break
    return found


def form(found, paperless):
    """The fields of the form. Only tags may have several values; of the others the first counts."""
    fields, custom = [], {}
    for (field, name), values in found.items():
        for value in values if field == "tags" else values[:1]:
            if field == "custom_fields":
                custom[paperless.number("custom_fields", name)] = value
            elif field in NAMED:
                fields.append((field, paperless.number(NAMED[field], value)))
            else:
                fields.append((field, value))
    return fields + ([("custom_fields", json.dumps(custom))] if custom else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rules", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path, required=True, help="the folder for documents that were sent")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    if any(options.to.resolve().is_relative_to(folder.resolve()) for folder in options.folders):
        parser.error("--to must lie outside of the folders whose documents are sent")
    rules = tomllib.loads(options.rules.read_text())
    paperless = Paperless(rules["url"], pathlib.Path(rules["tokenFile"]).read_text().split("\n")[0])
    options.to.mkdir(parents=True, exist_ok=True)
    lock = os.open(options.to, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)  # One run at a time, so that nothing is sent twice.
    failed = False
    for file in sorted(file for folder in options.folders for file in folder.rglob("*")):
        if file.suffix.lower() not in TYPES or not file.is_file() or file.name.startswith("."):
            continue
        try:
            task = paperless.post(file, form(metadata(codes(file), rules["codes"]), paperless))
        except Problem as problem:
            print(f"{file}: not sent: {problem}", file=sys.stderr)
            failed = True
            continue
        target, count = options.to / file.name, 1
        while target.exists():
            count += 1
            target = options.to / f"{file.stem} ({count}){file.suffix}"
        shutil.move(file, target)
        print(f"{file}: sent, task {task}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
