#!/usr/bin/env python3
"""Makes seeds for the fuzz targets out of Samples/.

usage: seeds.py TARGET FOLDER

FuzzImageCodecs gets the picture files that are not large, those of the codecs' tests among them, and heads cut off them.
FuzzFrameStream gets frames as programs write them. FuzzZBarReader gets pictures in its own form, a byte for each side less one and then the pixels, from those that fit into 256 x 256. FuzzReaders
gets bits of messages and widths of bars, FuzzBridgeDialects and FuzzStationServer messages and forms as pages send
them, FuzzSymbolContent messages, FuzzScanDevices what devices send, FuzzReports a line of each kind behind a byte that
says in what chunks it comes.
"""
import base64
import json
import os
import shutil
import subprocess
import sys
import zlib

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Samples")
# Small pictures of every format and kind.
FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "DecoderTests", "ImageCodecs", "Fixtures")
LARGEST = 10_000

# The first byte chooses the dialect.
MESSAGES = [
    b'\0"scanCode"', b'\0{"callback":"app.done","onlyFromCamera":true,"eventId":7}', b'\0"{\\"callback\\":\\"done\\"}"',
    b'\1{"source":"camera","formats":["qr_code","ean_13"],"timeout":30}', b"\1null",
    b'\2{"api":"scanCode","onlyFromCamera":0,"scanType":["barCode","qrCode"]}', b'\2{"needResult":1}',
    b'\3{"name":"scanCode","callback":"receiveScanResult"}',
    b'\4{"action":"scan","callback":3,"args":{"source":"album","timeout":1.5}}',
    b'\1{"a":[1,-2.5,1e9,true,null,"\\u4e2d\\ud83d\\ude00\xe4\xb8\xad"]}',
]
# The first byte says into how long pieces the form is cut, the rest of the line is its Content-Type.
FORMS = [
    b'\7multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n'
    b"Content-Type: image/png\r\n\r\nbytes\r\n--x\r\n\r\nmore\r\n--x--\r\n",
    b'\1multipart/form-data; boundary="a b"\npreamble\r\n--a b  \r\n\r\n\r\n--a b--epilogue',
    b"\3file=%E4%B8%AD+%22&a&b=&file=2\n",
]

# The first byte chooses the reader (see Fuzz.swift), the second the version, the size or the width of a module.
READERS = [
    # A byte segment "hello", digits "0123456" and "AC-42" in QR's alphanumeric mode, each with its terminator.
    bytes([0, 0]) + bytes.fromhex("40568656c6c6f0ec11ec"), bytes([0, 0]) + bytes.fromhex("101c0c561800ec11"),
    bytes([0, 0]) + bytes.fromhex("2029ce7214000ec1"),
    # ECI 26 and Kanji, with a count that is too large.
    bytes([0, 9]) + bytes.fromhex("71a80ff93aa0"),
    # Code 39 "*A*", Interleaved 2 of 5 "1234567890", EAN-13 4006381333931, by the widths of their elements.
    bytes([2, 1]) + bytes.fromhex("02040202040204020202" "04020202020402020402" "02040202040204020202"),
    bytes([2, 3]) + bytes.fromhex("02020202" "0402020204040202040204020204020402040404020202020202040402040202" "040202"),
    bytes([2, 1]) + bytes([2 * int(w) for w in "111" "3211" "1123" "1114" "1411" "1213" "1411" "11111" "1411" "1411" "1411"
                           "3112" "1411" "2221" "111"]),
    bytes([3, 0]) + b"".join(bytes([255 * (i % 2)]) * (2 * int(w)) for i, w in enumerate("8111321122211141131231121")),
    # C40 "AIM" and "A", Base 256 "BC" of the first place, EDIFACT "AZ ?", ECI 26 and FNC1, macro 05; then 10 x 10 "A1".
    bytes([4, 0]) + bytes.fromhex("e65b0bfe42"), bytes([4, 0]) + bytes.fromhex("e72e039a"),
    bytes([4, 0]) + bytes.fromhex("f005a83f7c4243"), bytes([4, 0]) + bytes.fromhex("f11be842e8"),
    # "aBc 12" in Aztec's sets, then FNC1 and a byte; a grid of zeros whose mode says one codeword.
    bytes([6, 0]) + bytes.fromhex("e0b870f1341fff00"), bytes([7, 0]) + bytes(40),
    bytes([4, 0]) + bytes.fromhex("ec42"), bytes([5, 0]) + bytes.fromhex("55857956d52d54fdd5ca83fc0f"),
    # A carrier message of zeros and "Aa", nine digits and an ECI; then a symbol of five capitals.
    bytes([12, 0]) + bytes(10) + bytes([1, 59, 1, 31, 7, 22, 60, 52, 21, 27, 26, 1]),
    bytes([13, 0]) + bytes.fromhex(
        "aaaaaa3a00000050555555a9aaaa6a00000060555555a1aaaaaa01000040555555a52a2fa802b01102541d9055aa06981a20"
        "0006501d0056a807406a0001105045005ca12a80a8030f8040550270b56a80aa0270730157514855aaaafa3a0000bc565555"
        "00fdc383025a0faf4a15a87ef55af05a69bd563d0aa0550a"),
]

# The first byte chooses the kind of device, the second how it is set: lines, keys (code and action), the length of a HID
# descriptor with reports behind it, lines of scales.
DEVICES = [
    b"\0\0" + b"4006381333931\r\nABC\r", b"\0\1" + b"]C10104006381333931\n]E04006381333931\r",
    b"\0\2" + b"\x02ABC\x03\xfe\xff\0\x41\xfd\xff\xff\xfe",
    bytes([1, 0] + [42, 1, 30, 1, 30, 0, 42, 0, 2, 1, 2, 0, 29, 1, 27, 1, 27, 0, 29, 0, 28, 1, 28, 0]),
    bytes([1, 2] + [56, 1, 82, 1, 82, 0, 80, 1, 80, 0, 73, 1, 73, 0, 56, 0, 66, 1, 66, 0, 58, 1, 30, 1, 28, 1, 3, 0xFD, 3, 0xFE]),
    bytes([2, 54]) + bytes.fromhex(
        "058c0902a101850209 12a102150026ff007508 9501 0501093b8102 9503058c09fb09fc09fd8102 9514 09fe820201"
        "75019501250109ff8102950781 03c0c0 0203 5d4331 414243") + bytes(18) + bytes([0]),
    b"\3\0S S     100.00 g", b"\3\0S D      -0.5 kg", b"\3\0S +", b"\3\x0001234", b"\3\0?\x02",
]

# The first byte chooses the symbology, and by its highest bit whether the message is GS1 element strings.
CONTENTS = [
    b"\x87010950110153000317281130" b"10ABC123\x1d21SN-7", b"\x870195012345678903310300175015270200",
    b"\0(01)09501101530003(3932)9781250(30)4", b"\0https://id.gs1.org/01/09520123456788/10/ABC1?17=261130",
    b"\x019783161484100", b"\x029638507" b"4", b"\x03+A99912345/$$52001510X3/16D20111212/S77DEFG457",
    b"\x03=A99991412345600", b"\x04-12345678",
    b"\0BCD\n002\n1\nSCT\nBPOTBEB1\nRed Cross\nBE72000000001616\nEUR1.5\nCHAR\n\nFund\nSample",
    b"\x05@\n\x1e\rANSI 636000100002DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDBB06061986\nDAJVA\r",
    b"\x07[)>\x1e06\x1d9N110375286414\x1d1T12345ABCD\x1dD280615\x1dS1\x1e\4", b"\x07[)>\x1e05\x1d010950110153000310AB\x1e\4",
    b"\x07>[)>06\x1dK3828825\x1d14K001\x1d1P67C18-8\x1dQ5", b"\x031JUN043325711MH8031200000000001",
    b"\0{pbn:PICK2101290004,on:SO2101287934,pc:C24966,pm:TPS63000DRCR,qty:10}", b"\x07=+02000=A99991412345600=%6200",
    b"\x06#UT01008000007" + bytes(50) + b"0056" + zlib.compress(b"U_HEAD0100480080QY2ABC-1            2411202609300DEEN"),
    b"\0HC1:6BFOXN*TS0BI$ZD4N9:9S6RCVN5+O30K3", b"\x06M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 326J001A0025 100",
    b'\0WIFI:T:WPA;S:my\\;net;P:"a\\\\b";H:true;;', b"\0MECARD:N:Owen,Sean;TEL:12125551212;;",
    b"\0BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Forrest\r\n  Gump\r\nEND:VCARD",
    b"\0BEGIN:VEVENT\nSUMMARY:Talk\\, long\nDTSTART:20261122T100000Z\nEND:VEVENT",
    b"\0otpauth://totp/ACME:alice%40example.com?secret=JBSWY3DP&issuer=ACME", b"\0mailto:a@example.com?subject=Hello%20you",
    b"\0MATMSG:TO:a@example.com;SUB:Hello;BODY:Text;;", b"\0smsto:+4930123:Hello", b"\0geo:52.52,13.4;u=35",
    b"\0http://xn--80ak6aa92e.com:80/a?b=c",
]


# The first byte chooses the format, the second the length of the pieces.
FRAMES = [
    b"\0\3YUV4MPEG2 W4 H2 F30:1 Ip A1:1 C420jpeg\n" + 2 * (b"FRAME\n" + bytes(range(12))),
    b"\0\1YUV4MPEG2 W3 H1 F25:1 Cmono XYSCSS=MONO\nFRAME Ip\nabcFRAME\ndef",
    b"\1\0" + bytes(range(31)), b"\2\0" + bytes(range(48)),
]


def pictures():
    for name in sorted(os.listdir(SAMPLES)):
        path = os.path.join(SAMPLES, name)
        if name.endswith((".png", ".jpg", ".webp", ".pgm", ".pbm")) and os.path.getsize(path) <= LARGEST:
            yield name, path


def fixtures():
    for name in sorted(os.listdir(FIXTURES)):
        path = os.path.join(FIXTURES, name)
        if name.endswith((".heic", ".avif", ".tif", ".gif", ".bmp", ".jp2", ".j2k", ".jxl")) \
                and os.path.getsize(path) <= LARGEST:
            yield name, path


def lines():
    """A report, a worker's answer with it, and a request."""
    symbol = {"format": "qr_code", "rawValue": "a\u0000", "rawBytes": "YQA=", "symbologyIdentifier": "]Q1",
              "charset": "utf-8", "charsetSource": "eci", "addOn": "05", "quality": 1, "inverted": False,
              "cornerPoints": [{"x": x, "y": y} for x, y in [(0, 0), (9.25, 0), (9, 9), (0, -1)]],
              "boundingBox": {"x": 0, "y": 0, "width": 9, "height": 9}, "rotation": 90,
              "structuredAppend": {"index": 0, "count": 2, "parity": 3}}
    report = {"schema": 1, "source": "a\ufffd.png", "sourceBytes": "Yf8=", "width": 640, "height": 480,
              "orientation": 6, "symbols": [symbol], "truncated": True,
              "milliseconds": {"load": 1.125, "decode": 22}, "error": None,
              "warnings": [{"code": "not_written", "message": "m"}]}
    name = base64.b64encode(b"a.png").decode()
    request = {"schema": 1, "id": 7, "path": name, "name": name, "formats": ["qr_code", "itf"], "effort": "fast",
               "timeBudgetMilliseconds": 1.5, "maximumCount": 1, "maximumPixels": 100, "maximumSide": 100,
               "maximumFileBytes": 100, "annotation": name}
    yield "report", report
    yield "reply", {"schema": 1, "id": 7, "report": report}
    yield "request", request
    yield "other", {"schema": 2, "id": 7}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    target, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    seeds = {"FuzzBridgeDialects": MESSAGES, "FuzzStationServer": FORMS, "FuzzReaders": READERS,
             "FuzzSymbolContent": CONTENTS, "FuzzScanDevices": DEVICES,
             "FuzzFrameStream": FRAMES}.get(target, [])
    for index, seed in enumerate(seeds):
        with open(os.path.join(folder, str(index)), "wb") as f:
            f.write(seed)
    if target == "FuzzReports":
        for name, line in lines():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(bytes([40]) + json.dumps(line).encode() + b"\n")
    if target == "FuzzFrameStream":
        for name, path in pictures():
            if name.endswith(".jpg"):
                with open(path, "rb") as f:
                    whole = f.read()
                with open(os.path.join(folder, name), "wb") as f:
                    f.write(b"\0\x20" + whole + bytes(5) + whole)
    if target not in ("FuzzImageCodecs", "FuzzZBarReader"):
        return
    if target == "FuzzImageCodecs":
        for name, path in fixtures():
            shutil.copyfile(path, os.path.join(folder, name))
    for name, path in pictures():
        if target == "FuzzImageCodecs":
            shutil.copyfile(path, os.path.join(folder, name))
            with open(path, "rb") as f:
                whole = f.read()
            # The short ones are quick, and are where most bytes of a header get changed.
            for count in [len(whole) // 2, 100]:
                with open(os.path.join(folder, f"{name}-{count}"), "wb") as f:
                    f.write(whole[:count])
        elif shutil.which("convert"):
            # Reduced by whole pixels only, so that bars stay sharp.
            for percent in ["100%", "50%"]:
                made = subprocess.run(
                    ["convert", path, "-background", "white", "-flatten", "-sample", percent, "-depth", "8", "pgm:-"],
                    capture_output=True, check=True).stdout
                _, size, _, pixels = made.split(b"\n", 3)
                width, height = map(int, size.split())
                if width > 256 or height > 256:
                    continue
                with open(os.path.join(folder, f"{name}-{percent[:-1]}"), "wb") as f:
                    f.write(bytes([width - 1, height - 1]) + pixels)


if __name__ == "__main__":
    main()
