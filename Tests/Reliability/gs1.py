#!/usr/bin/env python3
"""Compares what is read from GS1 messages with GS1's own syntax engine: identifiers, values, titles, what is refused.

usage: Tests/Reliability/gs1.py --repository CLONE [--seed N] [--count 20] [--programs .build/release]

CLONE is one of https://github.com/gs1/gs1-syntax-engine (Apache License 2.0), bare or not; no package has it. Its C
library and gs1-engine.c are compiled, which takes a C compiler and some seconds. --engine PROGRAM takes what was made
from them before.

For each identifier of the dictionary it makes COUNT valid values and COUNT that are probably wrong; for each rule of a
value, such as dates and code lists, the values around its edges; and messages of several elements, with all ways to
separate them: as element strings of several symbologies, as text with brackets, in the envelope of ISO/IEC 15434, as
linear and composite part, and as links. scan-outbox reads them as if they had been scanned and delivers their content.
The engine checks each element, and apart from that whether the elements go together, which is only counted: a symbol
alone does not tell it.

The meaning of dates and amounts, which the engine does not know, is compared with what this script makes of the value.
Ends with status 1 if there is a difference that EXPECTED does not explain.
"""
import argparse
import base64
import collections
import datetime
import itertools
import json
import os
import random
import re
import string
import subprocess
import sys
import tempfile
import typing
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path(__file__).with_name("gs1-engine.c")
TABLE = ROOT / "Sources/Decoder/SymbolContent/GS1/ApplicationIdentifier+table.swift"
GS = "\x1d"
SET82 = "!\"%&'()*+,-./0123456789:;<=>?" + string.ascii_uppercase + "_" + string.ascii_lowercase
SETS = {"N": string.digits, "X": SET82, "Y": "#-/" + string.digits + string.ascii_uppercase,
        "Z": string.ascii_letters + string.digits + "-_"}
ALPHANUMERIC = string.digits + string.ascii_uppercase
# Symbologies, with their identifiers, whose messages are element strings.
CARRIERS = [("code_128", "]C1"), ("data_matrix", "]d2"), ("qr_code", "]Q3"), ("dot_code", "]J1"),
            ("databar_expanded", "]e0")]
BATCH = 20000


class Part(typing.NamedTuple):
    """A component of a value."""
    set: str
    least: int
    most: int
    optional: bool
    rules: tuple


class Identifier(typing.NamedTuple):
    digits: str
    predefined: bool
    attribute: bool
    parts: tuple
    key: list | None  # the sequences of qualifiers of the key of a link
    title: str


class Message(typing.NamedTuple):
    """What is asked: `ours` as it is scanned, `theirs` as the engine wants it."""
    kind: str
    what: str
    ours: dict
    theirs: str
    valid: bool | None  # what the generator says of it; None if it does not know


# ---- the dictionary

def dictionary(path):
    table = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        match = re.match(r"\s*(\d+)(?:-(\d+))?\s+(?:([*?]+)\s+)?([^#]*)(?:#\s*(.*))?$", line)
        if not match:
            continue
        first, last, flags, fields, title = match.groups()
        parts, key = [], None
        for field in fields.split():
            if field.startswith("dlpkey"):
                key = [sequence.split(",") for sequence in field[7:].split("|")] if "=" in field else [[]]
            elif "=" not in field:
                optional = field.startswith("[")
                form, *rules = field.replace("[", "").replace("]", "").split(",")
                most = int(form.strip("NXYZ."))
                parts.append(Part(form[0], 1 if ".." in form else most, most, optional, tuple(rules)))
        for number in range(int(first), int(last or first) + 1):
            digits = f"{number:0{len(first)}}"
            table[digits] = Identifier(digits, "*" in (flags or ""), "?" in (flags or ""), tuple(parts), key,
                                       (title or "").strip())
    return table


# ---- valid values

def check_digit(digits):
    return str(-sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(digits))) % 10)


def check_pair(body):
    """GS1 General Specifications, 7.9.5."""
    primes = [n for n in range(2, 600) if all(n % d for d in range(2, int(n ** 0.5) + 1))]
    total = sum(SET82.index(c) * prime for c, prime in zip(reversed(body), primes)) % 1021
    letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
    return letters[total >> 5] + letters[total & 31]


def of(r, characters, count):
    return "".join(r.choices(characters, k=count))


def day(r, form, zero=False):
    date = datetime.date(r.randint(1980, 2070), 1, 1) + datetime.timedelta(r.randrange(365))
    text = date.strftime(form)
    return text[:-2] + "00" if zero and r.random() < 0.25 else text


def iban(r):
    return with_check_digits(r.choice(["DE", "GB", "CH", "NO"]), of(r, ALPHANUMERIC, r.randint(7, 30)))


def with_check_digits(country, account):
    """An IBAN (ISO 13616)."""
    number = int("".join(str(int(c, 36)) for c in account + country + "00"))
    return f"{country}{98 - number % 97:02}{account}"


def coupon(r, complete=False):
    """GS1 US, North American Coupon Application Guideline."""
    digits = lambda count: of(r, string.digits, count)
    counted = lambda lengths, more=0: (n := r.choice(lengths)) + digits(int(n) + more)
    purchase = lambda: counted("12345") + r.choice("012349") + digits(3)
    owner = lambda: r.choice([counted("0123", 6), "9"])
    dates = sorted(day(r, "%y%m%d") for _ in range(2))
    fields = ["1" + r.choice("0123") + purchase() + owner(), "2" + purchase() + owner(), "3" + dates[1],
              "4" + dates[0], "5" + counted("0123", 6), "6" + counted("1234567", 6),
              "9" + r.choice("01256") + r.choice("012") + digits(1) + r.choice("01")]
    while True:
        text = counted("0123456", 6) + digits(6) + counted("12345") + purchase()
        text += "".join(field for field in fields if complete or r.random() < 0.3)
        if len(text) <= 70:
            return text
        fields.pop(r.randrange(len(fields)))


RULES = {
    "iso3166": ["004", "040", "276", "528", "840", "894"], "iso3166999": ["250", "999"],
    "iso3166alpha2": ["DE", "AD", "ZW", "US"], "iso4217": ["978", "840", "756", "999", "008"],
    "packagetype": ["1A", "8", "AA", "ZZ", "APE", "X20", "CT"], "mediatype": ["01", "10", "80", "99"],
    "yesno": "01", "winding": "019", "iso5218": "0129", "hyphen": "-", "zero": "0",
    "importeridx": SETS["Z"], "posinseqslash": ["1/1", "1/9", "9/9", "2/3"],
}


def part_value(r, part):
    """A valid value of a component."""
    length = r.choice([part.least, part.most, r.randint(part.least, part.most)])
    rules = set(part.rules)
    for rule in rules & RULES.keys():
        return r.choice(RULES[rule])
    for rule, value in (
            ("yymmdd", lambda: day(r, "%y%m%d")), ("yymmd0", lambda: day(r, "%y%m%d", True)),
            ("yyyymmdd", lambda: day(r, "%Y%m%d")), ("hhmi", lambda: f"{r.randrange(24):02}{r.randrange(60):02}"),
            ("hh", lambda: f"{r.randrange(24):02}"), ("mi", lambda: f"{r.randrange(60):02}"),
            ("ss", lambda: f"{r.randrange(60):02}"), ("latitude", lambda: f"{r.randint(0, 1800000000):010}"),
            ("longitude", lambda: f"{r.randint(0, 3600000000):010}"), ("iban", lambda: iban(r)),
            ("pieceoftotal", lambda: f"{(n := r.randint(1, 99)):02}{r.randint(n, 99):02}"),
            ("couponcode", lambda: coupon(r)),
            ("couponposoffer", lambda: r.choice("01") + (n := r.choice("0123456")) + of(r, string.digits, int(n) + 12)
             + (n := r.choice("0123456789")) + of(r, string.digits, int(n) + 6)),
            ("nonzero", lambda: f"{r.randint(1, 10 ** length - 1):0{length}}")):
        if rule in rules:
            return value()
    if part.set == "Z" and r.random() < 0.3:
        padding = r.randint(1, 2)
        return of(r, SETS["Z"], r.randint(1, part.most // 3) * 3 - padding) + "=" * padding
    digits = 4 if "gcppos1" in rules else 5 if "gcppos2" in rules else 0
    length = max(length, digits + (3 if "csumalpha" in rules else 0))
    text = of(r, string.digits, digits) + of(r, SETS[part.set], length - digits)
    if "nozeroprefix" in rules and text[0] == "0":
        text = "1" + text[1:]
    if "csum" in rules:
        text = text[:-1] + check_digit(text[:-1])
    if "pcenc" in rules:
        pieces = [r.choice(["%20", "%C3%BC", "%2f", c]) if r.random() < 0.2 else c for c in text.replace("%", "+")]
        while len("".join(pieces)) > part.most:
            pieces.pop()
        text = "".join(pieces) or "a"
    if "hasnondigit" in rules:
        text = text[:5] + "x" + text[6:]
    if "csumalpha" in rules:
        text = text[:-2] + check_pair(text[:-2])
    return text


def value_of(r, identifier):
    text = ""
    for part in identifier.parts:
        if part.optional and r.random() < 0.4:
            break
        text += part_value(r, part)
    return text


# ---- wrong values

IN_NO_SET = "$@#[\\]^`{|}~ \t\n\r\x01\x1c\x1e\x7fäß€"


def damaged(r, identifier, text):
    """A value that is probably wrong, and how; the engine decides."""
    place = r.randrange(len(text))
    least = sum(part.least for part in identifier.parts if not part.optional)
    most = sum(part.most for part in identifier.parts)
    parts = [part for part in identifier.parts if len(text) > 0]
    ways = {
        "another digit": lambda: text[:place] + r.choice(string.digits) + text[place + 1:],
        "two characters swapped": lambda: text[:place] + text[place:place + 2][::-1] + text[place + 2:],
        "a character of no set": lambda: text[:place] + r.choice(IN_NO_SET) + text[place + 1:],
        "any byte": lambda: text[:place] + chr(r.randint(1, 255)) + text[place + 1:],
        "a letter": lambda: text[:place] + r.choice(string.ascii_letters) + text[place + 1:],
        "lower case": lambda: text.swapcase(),
        "a mark": lambda: text[:place] + r.choice("#%/-_=<") + text[place + 1:],
        "empty": lambda: "",
        "one character less": lambda: text[:-1],
        "cut": lambda: text[:place],
        "too short": lambda: text[:max(0, least - 1)],
        "one character more": lambda: text + r.choice(SETS[parts[-1].set]),
        "too long": lambda: (text + of(r, SETS[parts[-1].set], most))[:most + 1],
        "at its longest": lambda: (text + of(r, SETS[parts[-1].set], most))[:most],
        "a character doubled": lambda: text[:place] + text[place] + text[place:],
        "zeros": lambda: "0" * len(text),
        "nines": lambda: "9" * len(text),
        "random digits": lambda: of(r, string.digits, len(text)),
        "random characters": lambda: of(r, SETS[parts[0].set], len(text)),
        "a percent sign": lambda: text[:place] + r.choice(["%", "%2", "%GG", "%%41", "%0g"]) + text[place:],
    }
    way = r.choice(list(ways))
    return way, ways[way]()


def sweeps(r, table):
    """The values around the edges of each rule, as [what, identifier, value]."""
    three = [f"{n:03}" for n in range(1000)]
    two = [f"{n:02}" for n in range(100)]
    capitals = string.ascii_uppercase
    words = lambda *sets: ("".join(letters) for letters in itertools.product(*sets))
    for text in three:
        yield "country number", "422", text
        yield "country number or 999", "7030", text + "A"
        yield "currency number", "3910", text + "1"
    for text in words(capitals, capitals):
        yield "country", "4307", text
        yield "country of an IBAN", "8007", with_check_digits(text, "1234567890")
    for text in itertools.chain(ALPHANUMERIC, words(ALPHANUMERIC, ALPHANUMERIC), words("123", "01", string.digits),
                                words("ABCDFGLMNOPRSTUWX", ALPHANUMERIC, ALPHANUMERIC)):
        yield "package type", "7041", text
    for text in two:
        yield "media type", "7241", text
        yield "hour", "8008", "260101" + text
        yield "minute", "8008", "26010100" + text
        yield "second", "8008", "2601010000" + text
        yield "hour and minute", "7003", "260101" + text + "00"
        yield "hour and minute", "7003", "26010123" + text
        yield "hour and minute, optional", "7011", "260101" + text + text
        yield "hour and minute", "7251", "20260101" + text + "59"
    for piece, total in itertools.product([0, 1, 2, 9, 10, 11, 50, 98, 99], repeat=2):
        for digits in "8006", "8026":
            yield "piece of a total", digits, "09501101530003" + f"{piece:02}{total:02}"
    for text in words("0123456789/a", "/0-1", "0123456789/a"):
        yield "position and count", "7258", text
    years = ["00", "01", "24", "26", "49", "70", "71", "72", "76", "77", "80", "96", "99"]
    for year, month, number in itertools.product(years, range(14), [0, 1, 27, 28, 29, 30, 31, 32, 99]):
        text = f"{year}{month:02}{number:02}"
        for digits in "17", "7006", "7007":
            yield "date", digits, text
        yield "two dates", "7007", "260101" + text
        yield "date and time", "4324", text + "1200"
    years = ["0000", "0001", "1582", "1900", "2000", "2023", "2024", "2100", "9999"]
    for year, month, number in itertools.product(years, [0, 1, 2, 4, 12, 13], [0, 1, 28, 29, 30, 31, 32]):
        yield "date with century", "7250", f"{year}{month:02}{number:02}"
    places = [("10", "a", "a"), ("10", "", ""), ("8010", "1234", "A"), ("8030", "a", "a"), ("8030", "ab", ""),
              ("7040", "1AB", ""), ("7040", "1", "BC"), ("4330", "000001", ""), ("4300", "%4", "1"), ("4321", "", ""),
              ("7252", "", ""), ("8001", "12345678901", "1"), ("8003", "", "9501101530003"),
              ("8013", "1987654Ad4X4bL5ttr2310c", "K"), ("8004", "123", "4"), ("01", "0950110153000", ""),
              ("11", "26010", "")]
    for code, (digits, before, after) in itertools.product(range(1, 256), places):
        yield "each byte", digits, before + chr(code) + after
    edges = [0, 899999999, 1800000000, 1800000001, 3599999999, 3600000000, 3600000001, 9999999999]
    for latitude, longitude in itertools.product(edges, repeat=2):
        yield "position", "4309", f"{latitude:010}{longitude:010}"
    for length in range(1, 95):
        yield "padding", "8030", "A" * length + "="
        yield "padding", "8030", "A" * length + "=="
        yield "padding", "8030", "A" * length + "==="
        yield "padding inside", "8030", "A=" + "A" * length
    for a, b, c in itertools.product(["0000", "0001", "9999"], ["00000", "00001", "99999"], ["000", "001", "999"]):
        for turn in string.digits:
            yield "dimensions", "8001", a + b + c + turn + r.choice(string.digits)
    for _ in range(400):
        text = coupon(r, r.random() < 0.3)
        place = r.randrange(len(text))
        yield "coupon", "8110", text
        yield "coupon with another digit", "8110", text[:place] + r.choice(string.digits) + text[place + 1:]
        yield "coupon cut", "8110", text[:place]
        yield "coupon and more", "8110", text + r.choice(string.digits)
        offer = part_value(r, table["8112"].parts[0])
        place = r.randrange(len(offer))
        yield "offer", "8112", offer
        yield "offer with another digit", "8112", offer[:place] + r.choice(string.digits) + offer[place + 1:]
        yield "offer cut", "8112", offer[:place]
        body = "1234" + of(r, SET82, r.randint(0, 19))
        yield "check pair", "8013", body + check_pair(body)
        yield "check pair", "8014", body + check_pair(body)
        yield "check pair of any", "8013", body + of(r, "23456789ABCDEFGHJKLMNPQRSTUVWXYZ01IO", 2)
        account = iban(r)
        place = r.randrange(len(account))
        yield "IBAN", "8007", account
        yield "IBAN with another character", "8007", account[:place] + r.choice(SET82) + account[place + 1:]
    for length in range(1, 25):
        yield "check pair of few", "8013", (("1234567890" * 3)[:length] + check_pair(("1234567890" * 3)[:length]))[:25]
    for text in "2", "22", "222", "1222", "123422", "12342":
        yield "check pair of few", "8013", text


# ---- messages

def scanned(carrier, text, **more):
    data = text.encode("latin-1") if all(ord(c) < 256 for c in text) else text.encode()
    return {"format": carrier[0], "symbologyIdentifier": carrier[1], "gs1": carrier in CARRIERS, "rawValue": text,
            "rawBytes": base64.b64encode(data).decode(), **more}


def bytes_of(text):
    """As the engine program reads it; what is beyond Latin-1 is UTF-8."""
    data = text.encode("latin-1") if all(ord(c) < 256 for c in text) else text.encode()
    return "".join(chr(b) if 0x21 <= b < 0x7F and b != 0x25 else f"%{b:02X}" for b in data)


def element_string(r, what, text, valid=None):
    carrier = r.choice(CARRIERS)
    return Message("scan", what, scanned(carrier, text), bytes_of(carrier[1] + text), valid)


def bracketed(elements):
    return "".join(f"({digits})" + value.replace("(", "\\(") for digits, value in elements)


def joined(table, elements):
    text = ""
    for place, (digits, value) in enumerate(elements):
        text += digits + value
        if place + 1 < len(elements) and not table[digits].predefined:
            text += GS
    return text


def single_messages(r, table, count):
    for identifier in table.values():
        for _ in range(count):
            text = value_of(r, identifier)
            yield element_string(r, "valid value", identifier.digits + text, True)
            way, wrong = damaged(r, identifier, text)
            yield element_string(r, "value: " + way, identifier.digits + wrong)
        # What follows tells where the value ends.
        text = value_of(r, identifier)
        more = "10AB"
        yield element_string(r, "with a separator after it", identifier.digits + text + GS + more, True)
        yield element_string(r, "without a separator after it", identifier.digits + text + more,
                             True if identifier.predefined else None)
        yield element_string(r, "with a separator at the end", identifier.digits + text + GS, True)
        yield element_string(r, "with two separators", identifier.digits + text + GS + GS + more, False)
        yield element_string(r, "with a separator before it", GS + identifier.digits + text, False)
        yield element_string(r, "without a value", identifier.digits, False)
        yield element_string(r, "without a value, with a separator", identifier.digits + GS + more, False)


def unknown_messages(r, table):
    for number in range(10000):
        digits = f"{number:04}"
        text = digits + of(r, r.choice([string.digits, SET82]), r.randint(0, 20))
        known = any(digits.startswith(known) for known in (digits[:2], digits[:3], digits) if known in table)
        yield element_string(r, "any identifier", text, None if known else False)
    for text in "0", "1", "9", "x", "a1", "1a", "01", "(", ")", " ", "^", "\x1d", "\x1d\x1d", "é", "３１":
        yield element_string(r, "no identifier", text, False)


def random_elements(r, table, least, most, repeats=False):
    count = r.randint(least, most)
    usual = ["00", "01", "02", "10", "11", "17", "21", "37", "3103", "240", "8006", "99"]
    pool = list(table) if r.random() < 0.5 else usual
    names = r.choices(pool, k=count) if repeats else r.sample(pool, k=min(count, len(pool)))
    return [(digits, value_of(r, table[digits])) for digits in names]


def several_messages(r, table, count):
    for _ in range(count):
        elements = random_elements(r, table, 2, 6, repeats=r.random() < 0.2)
        text = joined(table, elements)
        yield element_string(r, "several", text, True)
        yield element_string(r, "several, all separated", GS.join(d + v for d, v in elements), True)
        yield element_string(r, "several, separator at the end", text + GS, True)
        yield element_string(r, "several, none separated", "".join(d + v for d, v in elements))
        yield element_string(r, "several, two separators", text.replace(GS, GS + GS))
        yield element_string(r, "several, cut", text[:r.randrange(1, len(text))])
        place = r.randrange(len(text))
        yield element_string(r, "several, any byte", text[:place] + chr(r.randint(1, 255)) + text[place + 1:])
        yield element_string(r, "several, a separator inside", text[:place] + GS + text[place:])
        yield element_string(r, "several, without one character", text[:place] + text[place + 1:])
        for _ in range(r.randint(2, 4)):
            place = r.randrange(len(text) + 1)
            piece = r.choice([chr(r.randint(1, 127)), GS, of(r, string.digits, r.randint(1, 4)), r.choice(list(table))])
            text = text[:place] + piece + text[place + r.choice([0, len(piece)]):]
        yield element_string(r, "several, changed in places", text)
        text = bracketed(elements)
        yield element_string(r, "several in brackets in a symbol of element strings", text)
        # The engine ends at NUL, and refuses 0x01 as well.
        text = joined(table, elements)
        place = r.randrange(len(text) + 1)
        nul = element_string(r, "several, a NUL", text[:place] + "\0" + text[place:], False)
        yield nul._replace(theirs=nul.theirs.replace("%00", "%01"))
    for many in 63, 64, 65, 70:
        elements = [("20", of(r, string.digits, 2)) for _ in range(many)]
        yield element_string(r, f"{many} elements", joined(table, elements))
    for length in 8100, 8180, 8190, 8191, 8192, 8193, 8200:
        text = GS.join("91" + "a" * 90 for _ in range(100))[:length]
        yield element_string(r, f"{length} bytes", text)


def text_messages(r, table, count):
    def message(what, text, valid=None):
        return Message("text", what, scanned(r.choice([("qr_code", "]Q1"), ("data_matrix", "]d1")]), text),
                       bytes_of(text), valid)
    for _ in range(count):
        elements = random_elements(r, table, 1, 5)
        text = bracketed(elements)
        place = r.randrange(len(text))
        yield message("brackets", text, True)
        yield message("brackets, any byte", text[:place] + chr(r.randint(1, 127)) + text[place + 1:])
        yield message("brackets, cut", text[:max(1, place)])
        yield message("brackets, without one character", text[:place] + text[place + 1:])
        yield message("brackets, a mark", text[:place] + r.choice("()\\|^ \x1d") + text[place:])
        digits, value = elements[0]
        other = r.choice([digits[:-1], digits + "0", "0" + digits, " " + digits, "", of(r, string.digits, 4)])
        yield message("brackets, another identifier", f"({other}){value}")
        way, wrong = damaged(r, table[digits], value)
        yield message("brackets: " + way, bracketed([(digits, wrong)]))


def perhaps_damaged(r, table, elements, place, what):
    """What is asked, and the elements as a text: in four of ten cases the value at a place is damaged."""
    if r.random() >= 0.4:
        return what, joined(table, elements)
    digits, value = elements[place]
    way, wrong = damaged(r, table[digits], value)
    elements[place] = (digits, wrong)
    return f"{what}: {way}", joined(table, elements)


def envelope_messages(r, table, count):
    for _ in range(count):
        way, text = perhaps_damaged(r, table, random_elements(r, table, 1, 4), -1, "envelope")
        if "\x1e" in text or "\x04" in text:
            continue  # The end of the envelope.
        yield Message("scan", way, scanned(("data_matrix", "]d1"), "[)>\x1e05\x1d" + text + "\x1e\x04"),
                      bytes_of("]d2" + text), True if way == "envelope" else None)


def composite_messages(r, table, count):
    """A linear symbol, whose number or element strings the composite part goes on."""
    for _ in range(count):
        way, text = perhaps_damaged(r, table, random_elements(r, table, 1, 4), 0, "composite")
        if not text or any(ord(c) > 127 for c in text):
            continue
        part = {"composite": {"format": "cc_a", "rawValue": text, "rawBytes": base64.b64encode(text.encode()).decode(),
                              "symbologyIdentifier": "]e0", "cornerPoints": CORNERS}}
        if r.random() < 0.5:
            number = of(r, string.digits, 12)
            number += check_digit(number)
            yield Message("scan", way + " over EAN-13", scanned(("ean_13", "]E0"), number, **part),
                          bytes_of("]e001" + "0" + number + text), None)
        else:
            linear = random_elements(r, table, 1, 3)
            before = joined(table, linear)
            after = "" if table[linear[-1][0]].predefined else GS
            yield Message("scan", way + " over GS1-128", scanned(("code_128", "]C1"), before, **part),
                          bytes_of("]e0" + before + after + text), None)
            if r.random() < 0.1:
                yield Message("scan", way + " over GS1-128 with a separator at its end",
                              scanned(("code_128", "]C1"), before + GS, **part),
                              bytes_of("]e0" + before + GS + text), None)


# ---- links

def escaped(r, text, query):
    result = ""
    for character in text:
        if character.isalnum() and r.random() < 0.97 or character in "-._~" and r.random() < 0.9:
            result += character
        elif r.random() < 0.3 and character in ("!'()*,:;" if query else "!'()*,:;+&="):
            result += character
        else:
            result += r.choice(["%{:02X}", "%{:02x}"]).format(ord(character))
    return result


def random_link(r, table):
    """The parts of a valid link."""
    key = r.choice([identifier for identifier in table.values() if identifier.key])
    if r.random() < 0.4:
        key = table["01"]
    sequence = r.choice(key.key)
    used = [digits for digits in sequence if r.random() < 0.5]
    path = [(digits, value_of(r, table[digits])) for digits in [key.digits] + used]
    barred = {digits for sequence in key.key for digits in sequence} | {digits for digits, _ in path}
    attributes = [digits for digits, identifier in table.items() if identifier.attribute and digits not in barred]
    query = [(digits, value_of(r, table[digits])) for digits in r.sample(attributes, r.choice([0, 0, 1, 2, 3]))]
    stem = r.choice(["https://id.gs1.org", "https://example.com", "http://example.com:8080/some/where", "HTTPS://A.B/x",
                     "https://example.com/00", "https://[::1]/a", "https://example.com/01/abc", "http://a"])
    return stem, path, query


def written(r, stem, path, query, others=()):
    link = stem + "".join(f"/{digits}/{escaped(r, value, False)}" for digits, value in path)
    fields = [f"{digits}={escaped(r, value, True)}" for digits, value in query] + list(others)
    r.shuffle(fields)
    return link + ("?" + "&".join(fields) if fields else "")


SCHEMES = ["Https://", "HttP://", "ftp://", "https:/", "//", "https://u:p@", "https:///", "https://?"]
ODD_FIELDS = [
    "=1", "99", "99=", "9=1", "123456=1", "&&99=a", "99=a&", "99=a;b", "99=a=b", "99=a+b", "99=%", "99=%4", "99=%zz",
    "99=%00", "%39%39=a", "99 =a", "089=1", "x=%", "0=", "99&99=a",
]


def link_messages(r, table, count):
    def message(what, text, valid=None):
        return Message("link", what, scanned(("qr_code", "]Q1"), text), bytes_of(text), valid)
    for _ in range(count):
        stem, path, query = random_link(r, table)
        link = written(r, stem, path, query)
        yield message("link", link, True)
        others = r.sample(["linkType=gs1:pip", "x", "a=%20", "lang=de"], k=r.randint(1, 4))
        yield message("link with other keys", written(r, stem, path, query, others), True)
        yield message("link with a fragment", link + r.choice(["#x", "#", "#?10=1", "#/01/2"]), True)
        place = r.randrange(len(link))
        yield message("link, any character", link[:place] + r.choice(string.printable[:95]) + link[place + 1:])
        yield message("link, a mark", link[:place] + r.choice("/?&#%=+@:") + link[place:])
        yield message("link, cut", link[:max(9, place)])
        yield message("link, without one character", link[:place] + link[place + 1:])
        shuffled = path[:]
        r.shuffle(shuffled)
        yield message("link, path in another order", written(r, stem, shuffled, query))
        digits = r.choice(list(table))
        extra = (digits, value_of(r, table[digits]))
        yield message("link, another element in the path", written(r, stem, path + [extra], query))
        yield message("link, another element in the query", written(r, stem, path, query + [extra]))
        yield message("link, an element twice", written(r, stem, path, query + [r.choice(path + query)]), False)
        digits, value = r.choice(path + query)
        way, wrong = damaged(r, table[digits], value)
        if all(ord(c) < 128 for c in wrong):
            change = lambda pairs: [(d, wrong if d == digits else v) for d, v in pairs]
            yield message("link: " + way, written(r, stem, change(path), change(query)))
        number = of(r, string.digits, r.choice([7, 11, 12, 13, 5, 9]))
        yield message("link with a short GTIN", f"https://example.com/01/{number}{check_digit(number)}")
        yield message("link with another scheme", r.choice(SCHEMES) + link.split("//", 1)[1])
        yield message("link, odd key in the query", link + ("&" if "?" in link else "?") + r.choice(ODD_FIELDS))
        before, after = r.choice([("/01/", "/%30%31/"), ("/01/", "//01/"), ("?", "/?"), ("/01/", "/gtin/"),
                                  ("/01/", "/01/1/01/")])
        yield message("link, odd path", link.replace(before, after))
        yield message("link, odd path", link + "/")
    for many in 61, 62, 63, 64, 70:
        fields = [f"x{number}=1" for number in range(many)]
        yield message(f"link with {many} other keys",
                      "https://example.com/01/09501101530003?17=261130&" + "&".join(fields))


def word_messages(r, count):
    """Links of shops, with a key and a word behind it: no GS1 Digital Links, but compressed ones look similar."""
    for _ in range(count):
        number = of(r, string.digits, 13)
        stem = r.choice(["https://example.com", f"https://example.com/01/{number}{check_digit(number)}"])
        word = of(r, r.choice([string.ascii_lowercase, SETS["Z"], string.digits]), r.randint(3, 24))
        text = f"{stem}/{word}"
        yield Message("link", "link with a word at its end", scanned(("qr_code", "]Q1"), text), bytes_of(text), None)


def all_messages(arguments, table):
    r = random.Random(arguments.seed)
    yield from single_messages(r, table, arguments.count)
    for what, digits, text in sweeps(r, table):
        yield element_string(r, "rule: " + what, digits + text)
    yield from unknown_messages(r, table)
    yield from several_messages(r, table, arguments.count * 50)
    yield from text_messages(r, table, arguments.count * 30)
    yield from envelope_messages(r, table, arguments.count * 20)
    yield from composite_messages(r, table, arguments.count * 20)
    yield from link_messages(r, table, arguments.count * 50)
    yield from word_messages(r, arguments.count * 100)


# ---- what both say

CORNERS = [{"x": x, "y": y} for x, y in [(0, 0), (9, 0), (9, 9), (0, 9)]]


def report(index, symbol):
    """A line of decode-image --json with a symbol."""
    whole = {"charset": "utf-8", "charsetSource": "validity", "check": "error_correction", "cornerPoints": CORNERS,
             "boundingBox": {"x": 0, "y": 0, "width": 9, "height": 9}, "inverted": False, "quality": 1, "rotation": 0,
             **symbol}
    return json.dumps({"schema": 1, "source": str(index), "error": None, "width": 9, "height": 9, "orientation": 1,
                       "milliseconds": {"load": 1, "decode": 1}, "searchEnd": "complete", "truncated": False,
                       "symbols": [whole]})


def our_answers(arguments, messages):
    """The event of each message, with its content."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        configuration = Path(folder, "outbox.yaml")
        configuration.write_text(f"database: {folder}/outbox.sqlite\ndestinations:\n  out:\n    type: stdout\n"
                                 "    form: event\n    content: true\n")
        run = subprocess.run(
            [Path(arguments.programs, "scan-outbox"), "run", "--add", "--once", "--config", configuration,
             "--log-level", "warning"], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            input="\n".join(report(index, message.ours) for index, message in enumerate(messages)) + "\n")
    answers = {}
    for line in run.stdout.split("\n"):
        if line.startswith("{"):
            event = json.loads(line)
            answers[int(event["source"]["name"])] = event
    if run.returncode or len(answers) != len(messages):
        sys.exit(f"scan-outbox answered {len(answers)} of {len(messages)} messages, and ended with {run.returncode}: "
                 + run.stderr[-2000:])
    return [answers[index] for index in range(len(messages))]


def their_answers(arguments, messages):
    run = subprocess.run([arguments.engine], check=True, stdout=subprocess.PIPE, text=True,
                         input="".join(f"{message.kind}\t{message.theirs}\n" for message in messages))
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    for message, answer in zip(messages, answers):
        # Without an element it is plain text to the engine, which is right as well.
        answer["parses"] = answer["parses"] and answer["elements"] != []
        answer["elements"] = [[digits, value, title.replace("^2", "²").replace("^3", "³")]
                              for digits, value, title in answer["elements"]]
    if len(answers) != len(messages):
        sys.exit(f"the engine answered {len(answers)} of {len(messages)} messages")
    return answers


def elements_of(message, event):
    """Our elements, as those of the engine; None if the message was refused."""
    content = event.get("content")
    kind = "gs1_link" if message.kind == "link" else "gs1"
    if content is None or content["kind"] != kind:
        return None
    return [field for field in content["fields"] if field["name"] != "url"]


def date_of(text, now):
    """A date in ISO 8601, its year at most 49 years before and 50 behind this one (General Specifications, 7.12)."""
    if len(text) == 6:
        text = str(min((century + int(text[:2]) for century in range(1900, 2200, 100)),
                       key=lambda year: (not -49 <= year - now <= 50))) + text[2:]
    return f"{text[:4]}-{text[4:6]}" + ("" if text[6:] == "00" else "-" + text[6:])


def meaning_of(digits, value, now):
    """What the value means, as docs/reference/content.md says; None if that is the value."""
    dates = ["11", "12", "13", "15", "16", "17", "4324", "4325", "4326", "7003", "7006", "7011", "8008", "7250", "7251"]
    if digits in dates:
        size = 8 if digits.startswith("725") else 6
        date, time = value[:size], value[size:]
        pairs = [time[place:place + 2] for place in range(0, len(time), 2)]
        has_time = time and date[-2:] != "00"
        return date_of(date, now) + ("T" + ":".join((pairs + ["00"])[:max(2, len(pairs))]) if has_time else "")
    if digits == "7007":
        return "/".join(date_of(date, now) for date in (value[:6], value[6:]) if date)
    if len(digits) != 4:
        return None
    after = ""
    if digits[:3] in ("391", "393"):
        value, after = value[3:], f" (currency {value[:3]})"
    elif not ("310" <= digits[:3] <= "369" or digits[:3] in ("390", "392", "394", "395")):
        return None
    places = int(digits[3])
    number = value.zfill(places + 1)
    whole = str(int(number[:len(number) - places]))
    return whole + ("." + number[-places:] if places else "") + after


# ---- the comparison

def broken_escape(message, theirs, ours):
    """A % of an element without two hexadecimal digits, which RFC 3986 does not allow; the engine keeps it."""
    path, _, query = message.ours["rawValue"].partition("#")[0].partition("?")
    elements = [path, *(field for field in query.split("&") if re.match(r"\d+=", field))]
    return any(re.search(r"%(?![0-9A-Fa-f]{2})", part) for part in elements)


def key_without_value(message, theirs, ours):
    """A key of digits without = in the query, which the grammar of the standard does not have; the engine skips it."""
    query = message.ours["rawValue"].partition("#")[0].partition("?")[2]
    return any(field.isdigit() for field in query.split("&"))


def linear_alone(message, theirs, ours):
    """A linear symbol whose composite part is wrong: its own elements remain."""
    return "composite" in message.ours and joined_fields(ours) == message.ours["rawValue"].replace(GS, "")


def joined_fields(fields):
    return "".join(field["name"] + field["value"] for field in fields)


# Differences that are meant: what differs, in which kind of message, a rule that it follows, and why.
EXPECTED = [
    ("only the engine accepts it", "link", broken_escape, "a % in a link needs two hexadecimal digits"),
    ("only the engine accepts it", "link", key_without_value, "an identifier in a link needs a value"),
    ("only we accept it", "link", lambda message, theirs, ours: theirs["error"] == "Too many AIs",
     "the engine counts what it skips in a link as elements"),
    ("only we accept it", "link", lambda message, theirs, ours: "No GS1 DL keys" in theirs["error"],
     "the engine does not read compressed links"),
    ("only the engine accepts it", "text", lambda message, theirs, ours: "|" in message.ours["rawValue"],
     "the engine separates linear and composite part by | in a text"),
    ("only we accept it", "scan", lambda message, theirs, ours: message.ours["rawValue"].startswith("("),
     "a text with brackets may be in any symbol"),
    ("only we accept it", "scan", linear_alone, "a linear symbol has its content even if its composite part is wrong"),
]


def difference(message, event, theirs, now):
    """How the two answers differ; None if they do not."""
    ours = elements_of(message, event)
    if ours is None and not theirs["parses"]:
        return None
    if ours is None:
        return "only the engine accepts it"
    if not theirs["parses"]:
        return "only we accept it"
    if [(field["name"], field["value"]) for field in ours] != [tuple(element[:2]) for element in theirs["elements"]]:
        return "other elements"
    if [field.get("label", "") for field in ours] != [element[2] for element in theirs["elements"]]:
        return "other titles"
    if [field.get("meaning") for field in ours] != [meaning_of(field["name"], field["value"], now) for field in ours]:
        return "another meaning"
    return None


def expected(message, found, event, theirs):
    """Why a difference is meant; None if it is not."""
    for what, kind, rule, reason in EXPECTED:
        if what == found and kind == message.kind and rule(message, theirs, elements_of(message, event)):
            return reason
    return None


def built(clone, folder):
    """Compiles the engine program; returns its path and that of the dictionary."""
    archive = subprocess.run(["git", "-C", clone, "archive", "HEAD", "src/c-lib"], check=True, stdout=subprocess.PIPE)
    subprocess.run(["tar", "x", "-C", folder], input=archive.stdout, check=True)
    library = Path(folder, "src/c-lib")
    sources = [library / f"{name}.c" for name in ("ai", "dl", "gs1encoders", "scandata", "syn")]
    sources += [library / "syntax/gs1syntaxdictionary.c", *sorted(library.glob("syntax/lint_*.c"))]
    program = Path(folder, "engine")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-DGS1_LINTER_ERR_STR_EN", "-I", library, ENGINE, *sources,
                    "-o", program], check=True)
    return program, library / "gs1-syntax-dictionary.txt"


def compare(arguments):
    table = dictionary(arguments.dictionary)
    print(f"seed {arguments.seed}, {len(table)} identifiers")
    now = datetime.datetime.now(datetime.timezone.utc).year
    counts, apart = collections.Counter(), 0
    groups = collections.defaultdict(list)
    surprises = collections.defaultdict(list)
    messages = all_messages(arguments, table)
    while batch := list(itertools.islice(messages, BATCH)):
        answers = zip(batch, our_answers(arguments, batch), their_answers(arguments, batch), strict=True)
        for message, event, theirs in answers:
            counts[message.kind, theirs["parses"]] += 1
            apart += theirs["parses"] and not theirs["goes"]
            if message.valid is not None and message.valid != theirs["parses"]:
                surprises[message.what, message.valid].append((message, theirs))
            found = difference(message, event, theirs, now)
            if found:
                reason = expected(message, found, event, theirs)
                error = "" if reason else re.sub(r"\(\d+\)|: .{1,4}\.\.\.$", "", theirs["error"])
                groups[reason, found, message.kind, error].append((message, event, theirs))
    print("| messages | the engine accepts | it refuses |\n| --- | --- | --- |")
    for kind in "scan", "text", "link":
        print(f"| {kind} | {counts[kind, True]:,} | {counts[kind, False]:,} |")
    print(f"{apart:,} of those that the engine accepts have elements that do not go together")
    for (what, valid), cases in sorted(surprises.items()):
        message, theirs = min(cases, key=lambda case: len(case[0].theirs))
        print(f"the engine says otherwise than this script: {what}, {'valid' if valid else 'wrong'}, {len(cases):,}, "
              f"such as {message.theirs} ({theirs['error']})")
    faults = 0
    ordered = sorted(groups.items(), key=lambda group: (not group[0][0], -len(group[1])))
    for (reason, found, kind, error), cases in ordered:
        message, event, theirs = min(cases, key=lambda case: len(case[0].theirs))
        ways = ", ".join(f"{what} ({number})" for what, number in
                         collections.Counter(case[0].what for case in cases).most_common(3))
        print(f"{'expected' if reason else 'NOT EXPECTED'}, {found}, {kind}, {len(cases):,}: {reason or error}; {ways}")
        part = message.ours.get("composite", {}).get("rawValue")
        print(f"    {message.ours['rawValue'][:300]!r}" + (f" below {part!r}" if part is not None else ""))
        if not reason:
            faults += len(cases)
            print(f"    ours: {json.dumps(event.get('content'))}\n    engine: {theirs['error'] or theirs['elements']}")
    print(f"{sum(counts.values()):,} messages, {faults:,} differences that are not expected")
    return faults


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    p.add_argument("--count", type=int, default=20, help="valid and wrong values of each identifier")
    p.add_argument("--repository", help="a clone of gs1-syntax-engine, bare or not")
    p.add_argument("--engine", help="or the program that was made from it")
    p.add_argument("--dictionary", default=TABLE, help="with --engine: the dictionary to take the identifiers from")
    p.add_argument("--programs", default=os.environ.get("QUIETZONE_PROGRAMS", ROOT / ".build/release"))
    arguments = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.repository:
            arguments.engine, arguments.dictionary = built(arguments.repository, folder)
        elif not arguments.engine:
            p.error("--repository or --engine is needed")
        faults = compare(arguments)
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
