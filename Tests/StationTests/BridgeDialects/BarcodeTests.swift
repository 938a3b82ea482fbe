import BarcodeCore
import BridgeDialects
import FoundationEssentials
import Testing

@Suite struct BarcodeTests {
    @Test func namesOfTheWeb() {
        #expect(
            Symbology.webNames == [
                "qr_code", "aztec", "micro_qr_code", "rmqr_code", "maxi_code", "han_xin", "dot_code", "data_matrix",
                "ean_13", "ean_8",
                "upc_a",
                "upc_e", "code_128", "code_93", "code_39", "codabar", "itf", "pdf417",
            ])
        for name in Symbology.webNames { #expect(Symbology(webName: name)?.webName == name) }
        for name in ["unknown", "rm4scc", "databar", "", "QR_CODE"] {
            #expect(Symbology(webName: name) == nil, "\(name)")
        }
        #expect(Symbology.isbn13.webName == "ean_13")
        for symbology: Symbology in [.dataBar, .dataBarExpanded, .sqCode, .isbn10, .ean2, .ean5] {
            #expect(symbology.webName == "unknown")
        }
    }

    @Test func aBarcodeAsTheBrowserGivesIt() throws {
        let symbol = Symbol(
            symbology: .qrCode, symbologyIdentifier: "]Q1", bytes: [0xFF, 0x00], text: "\u{FF}\0",
            charset: Charset(name: "binary", source: .evidence),
            corners: Quadrilateral(
                topLeft: Point(x: 30.004, y: 10), topRight: Point(x: 30, y: 50.5), bottomRight: Point(x: -2.126, y: 50),
                bottomLeft: Point(x: 0, y: 10)))
        let barcode = DetectedBarcode(symbol)
        #expect(DetectedBarcode(BridgeSymbol(symbol)) == barcode)
        let expected = #"""
            {"boundingBox":{"bottom":50.5,"height":40.5,"left":-2.13,"right":30,"top":10,"width":32.13,"x":-2.13,"y":10},\#
            "cornerPoints":[{"x":30,"y":10},{"x":30,"y":50.5},{"x":-2.13,"y":50},{"x":0,"y":10}],\#
            "format":"qr_code","rawValue":"ÿ\u0000"}
            """#
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(barcode), as: UTF8.self) == expected)
        #expect(
            try JSONDecoder().decode(JSON.self, from: Data(expected.utf8))
                == JSON(parsing: Array(barcode.json.text.utf8)))
        // Bytes that are not text are included beside the text.
        let json = BridgeSymbol(symbol, event: "01J").json
        #expect(json["rawBytes"] == "/wA=")
        #expect(json["charset"] == "binary")
        #expect(json["event"] == "01J")
        #expect(json["cornerPoints"] == barcode.json["cornerPoints"])
    }

    @Test func whatAScanGunSays() {
        #expect(
            PageCall.scanGun(RequestTests.ean)
                == PageCall(function: ["receiveScanResult2"], arguments: ["4006381333931"]))
    }

    @Test(arguments: [
        (Symbology.qrCode, "QR_CODE", "a,b"), (.code128, "CODE_128", "CODE_128,a,b"),
        (.dataBar, "RSS_14", "RSS_14,a,b"),
        (.dataBarExpanded, "RSS_EXPANDED", "RSS_EXPANDED,a,b"), (.isbn13, "EAN_13", "EAN_13,a,b"),
        (.ean5, "UPC_EAN_EXTENSION", "UPC_EAN_EXTENSION,a,b"), (.sqCode, "SQ_CODE", "a,b"),
    ])
    func namesOfWeChat(symbology: Symbology, name: String, result: String) throws {
        let symbol = BridgeSymbol(symbology: symbology, text: "a,b", bytes: Array("a,b".utf8))
        let scan = try BridgeRequest(dialect: .wechat, id: "r", message: ["api": "scanCode"])
        #expect(scan.outcome(.symbols([symbol]))["value"]?["scanType"] == .string(name))
        let qr = try BridgeRequest(dialect: .wechat, id: "r", message: ["api": "scanQRCode"])
        #expect(qr.outcome(.symbols([symbol]))["value"]?["resultStr"] == .string(result))
    }
}
