import BarcodeCore
import BridgeDialects
import Testing

@Suite struct RequestTests {
    /// The expected content of a request and of its answer.
    struct Expected: Equatable {
        var source = BridgeRequest.Source.any
        var symbologies: Set<Symbology> = []
        var ignored: [String] = []
        var timeout = BridgeRequest.defaultTimeout
        /// The calls for the EAN `4006381333931`.
        var calls: [PageCall]
    }

    static let ean = BridgeSymbol(
        symbology: .ean13, text: "4006381333931", bytes: Array("4006381333931".utf8), charset: "us-ascii",
        symbologyIdentifier: "]E0")
    private static let text: JSON = "4006381333931"

    private static func heard(_ function: String..., and more: JSON...) -> [PageCall] {
        [PageCall(function: function, arguments: [text] + more)]
    }

    private static func settled(_ value: JSON) -> [PageCall] {
        [PageCall(function: ["quietzone", "_settle"], arguments: ["r1", ["value": value]])]
    }

    private static let symbol: JSON = [
        "rawValue": text, "format": "ean_13", "rawBytes": "NDAwNjM4MTMzMzkzMQ==", "charset": "us-ascii",
        "symbologyIdentifier": "]E0",
    ]

    private static let wechat: JSON = [
        "result": text, "scanType": "EAN_13", "charSet": "US-ASCII", "rawData": "NDAwNjM4MTMzMzkzMQ==",
        "errMsg": "scanCode:ok",
    ]

    private static let linear = Symbology.standard.filter {
        $0.traits.family != .matrix && $0 != .pdf417 && $0 != .microPDF417
    }

    static let good: [(BridgeDialect, String, Expected)] = [
        (.hospital, #""scanCode""#, Expected(calls: heard("receiveScanResult"))),
        (.hospital, #""""#, Expected(calls: heard("receiveScanResult"))),
        (.hospital, "null", Expected(calls: heard("receiveScanResult"))),
        (.hospital, "{}", Expected(calls: heard("receiveScanResult"))),
        (.hospital, #"" [ odd""#, Expected(calls: heard("receiveScanResult"))),
        (.hospital, #""{\"callback\":\"app.onScan\"}""#, Expected(calls: heard("app", "onScan"))),
        (.hospital, #"{"callback":"$._done2"}"#, Expected(calls: heard("$", "_done2"))),
        (.hospital, #"{"callback":null,"eventId":null}"#, Expected(calls: heard("receiveScanResult"))),
        (
            .hospital, #"{"onlyFromCamera":true,"eventId":"e-7"}"#,
            Expected(source: .camera, calls: heard("receiveScanResult", and: "e-7"))
        ),
        (
            .hospital, #"{"onlyFromCamera":"1","eventId":12,"callback":""}"#,
            Expected(source: .camera, calls: heard("receiveScanResult", and: .integer(12)))
        ),
        (.hospital, #"{"onlyFromCamera":false}"#, Expected(calls: heard("receiveScanResult"))),
        (
            .hospital, #"{"source":"album","formats":"qr_code","timeout":3,"more":[{}]}"#,
            Expected(
                source: .album, symbologies: [.qrCode], timeout: .seconds(3), calls: heard("receiveScanResult"))
        ),
        (.promise, "null", Expected(calls: settled(symbol))),
        (
            .promise, #"{"source":"camera","formats":["QR_Code","rm4scc","ean_13"],"timeout":2.5}"#,
            Expected(
                source: .camera, symbologies: [.qrCode, .ean13], ignored: ["rm4scc"], timeout: .milliseconds(2500),
                calls: settled(symbol))
        ),
        (.promise, #"{"formats":[],"timeout":600}"#, Expected(timeout: .seconds(600), calls: settled(symbol))),
        (
            .wechat, #"{"onlyFromCamera":true,"scanType":["barCode","qrCode","datamatrix","pdf417"]}"#,
            Expected(
                source: .camera, symbologies: linear.union([.qrCode, .dataMatrix, .pdf417]), ignored: [],
                calls: settled(wechat))
        ),
        (.wechat, "{}", Expected(calls: settled(wechat))),
        (
            .wechat, #"{"needResult":1,"scanType":["barCode"]}"#,
            Expected(
                symbologies: linear,
                calls: settled(["resultStr": "EAN_13,4006381333931", "errMsg": "scanQRCode:ok"]))
        ),
        (
            .wechat, #"{"api":"scanQRCode"}"#,
            Expected(calls: settled(["resultStr": "EAN_13,4006381333931", "errMsg": "scanQRCode:ok"]))
        ),
        (.wechat, #"{"api":"scanCode","needResult":0}"#, Expected(calls: settled(wechat))),
        (.herald, #"{"name":"scanCode"}"#, Expected(calls: heard("receiveScanResult"))),
        (
            .herald, #"{"action":"scan","name":"x","callback":"herald.scanned","eventId":3}"#,
            Expected(calls: heard("herald", "scanned", and: .integer(3)))
        ),
        (
            .recordapp, #"{"action":"scanCode","args":{"onlyFromCamera":1,"timeout":9},"callback":"4"}"#,
            Expected(
                source: .camera, timeout: .seconds(9),
                calls: [
                    PageCall(
                        function: ["AppJsBridgeRequest", "Call"],
                        arguments: [
                            [
                                "action": "scanCode", "callback": "4", "status": "success", "message": "",
                                "value": text,
                            ]
                        ])
                ])
        ),
        (
            .recordapp, #""{\"action\":\"scan\",\"callback\":4}""#,
            Expected(calls: [
                PageCall(
                    function: ["AppJsBridgeRequest", "Call"],
                    arguments: [
                        ["action": "scan", "callback": "4", "status": "success", "message": "", "value": text]
                    ])
            ])
        ),
    ]

    @Test(arguments: good)
    func aGoodMessageIsAnswered(dialect: BridgeDialect, message: String, expected: Expected) throws {
        let request = try BridgeRequest(dialect: dialect, id: "r1", message: Array(message.utf8))
        let found = Expected(
            source: request.source, symbologies: request.symbologies, ignored: request.ignoredFormats,
            timeout: request.timeout, calls: request.calls(for: .symbols([Self.ean])))
        #expect(found == expected)
        #expect(request.dialect == dialect && request.id == "r1")
        // The first of several symbols is the answer.
        var other = Self.ean
        other.text = "other"
        #expect(request.calls(for: .symbols([Self.ean, other])) == expected.calls)
    }

    static let bad: [(BridgeDialect, String, BridgeError.Code)] =
        BridgeDialect.all.filter(\.takesRequests).flatMap { dialect in
            [
                (dialect, "", .notJSON), (dialect, "{", .notJSON), (dialect, "\"\u{1}\"", .notJSON),
                (dialect, "{}}", .notJSON), (dialect, #""{""#, .notJSON), (dialect, "scanCode", .notJSON),
                (dialect, "7", .unknownMessage), (dialect, "true", .unknownMessage),
                (dialect, "[]", .unknownMessage),
            ]
        } + [
            (.hospital, #"{"callback":7}"#, .badValue),
            (.hospital, #"{"eventId":[1]}"#, .badValue),
            (.hospital, #"{"onlyFromCamera":"yes"}"#, .badValue),
            (.hospital, #"{"source":"screen"}"#, .badValue),
            (.promise, #""scan""#, .unknownMessage),
            (.promise, #"{"timeout":0}"#, .badValue),
            (.promise, #"{"timeout":-1}"#, .badValue),
            (.promise, #"{"timeout":601}"#, .badValue),
            (.promise, #"{"timeout":1e300}"#, .badValue),
            (.promise, #"{"timeout":"9"}"#, .badValue),
            (.promise, #"{"formats":{"a":1}}"#, .badValue),
            (.promise, #"{"formats":[1]}"#, .badValue),
            (.promise, #"{"formats":["rm4scc","unknown"]}"#, .unsupportedFormats),
            (.wechat, #"{"scanType":["other"]}"#, .unsupportedFormats),
            (.wechat, #"{"api":"chooseImage"}"#, .unknownMessage),
            (.herald, #"{"name":"navigate"}"#, .unknownMessage),
            (.herald, #"{"action":"navigate","name":"scan"}"#, .unknownMessage),
            (.herald, #""scan""#, .unknownMessage),
            (.recordapp, #"{"action":"recordStart","callback":"1"}"#, .unknownMessage),
            (.recordapp, #"{"action":"scan"}"#, .badCallback),
            (.recordapp, #"{"action":"scan","callback":""}"#, .badCallback),
            (.recordapp, #"{"action":"scan","callback":"__proto__"}"#, .badCallback),
            (.recordapp, #"{"action":"scan","callback":{}}"#, .badCallback),
            (.recordapp, #"{"action":"scan","callback":"1","args":[1]}"#, .badValue),
        ]

    @Test(arguments: bad)
    func aBadMessageIsRefused(dialect: BridgeDialect, message: String, code: BridgeError.Code) {
        #expect {
            try BridgeRequest(dialect: dialect, id: "r1", message: Array(message.utf8))
        } throws: { error in
            let error = error as? BridgeError
            return error?.code == code && error?.sentence.hasSuffix(".") == true
        }
    }

    @Test(arguments: [
        "location.assign", "window.location.replace", "document.body.setHTMLUnsafe", "self.x", "top.x", "frames.x",
        "globalThis.x", "navigation.navigate", "open", "quietzone._settle", "eval", "window.eval", "Function",
        "setTimeout", "document.write", "a.writeln", "__proto__", "a.__proto__.b",
        "constructor", "a.constructor", "a.prototype.b", "__defineGetter__", "a b", "a-b", "a()", "a;b", "a[0]", ".a",
        "a.", "a..b", "1a", "a.1", "名", "a\u{2028}b", "a\0b", "');alert(1);('", String(repeating: "a", count: 129),
    ])
    func aCallbackThatIsNoPlainPathIsRefused(name: String) {
        let message: JSON = ["callback": .string(name)]
        for dialect in [BridgeDialect.hospital, .herald] {
            var fields = message
            if dialect == .herald { fields = ["name": "scan", "callback": .string(name)] }
            #expect {
                try BridgeRequest(dialect: dialect, id: "r1", message: fields)
            } throws: {
                ($0 as? BridgeError)?.code == .badCallback
            }
        }
    }

    @Test(
        arguments: [
            (BridgeDialect.hospital, JSON.null, []),
            (.herald, ["name": "scan"], []),
            (
                .hospital, ["answersCancel": .bool(true), "eventId": "e-7"],
                [PageCall(function: ["receiveScanResult"], arguments: ["", "e-7"])]
            ),
            (
                .herald, ["name": "scan", "answersCancel": .bool(true), "callback": "done"],
                [PageCall(function: ["done"], arguments: [""])]
            ),
            (
                .promise, .null,
                [
                    PageCall(
                        function: ["quietzone", "_settle"],
                        arguments: ["r1", ["error": ["code": "cancelled", "message": "The scan was canceled."]]])
                ]
            ),
            (
                .wechat, .null,
                [
                    PageCall(
                        function: ["quietzone", "_settle"],
                        arguments: ["r1", ["error": ["code": "cancelled", "message": "scanCode:fail cancel"]]])
                ]
            ),
            (
                .wechat, ["needResult": .integer(1)],
                [
                    PageCall(
                        function: ["quietzone", "_settle"],
                        arguments: ["r1", ["error": ["code": "cancelled", "message": "scanQRCode:cancel"]]])
                ]
            ),
            (
                .recordapp, ["action": "scan", "callback": "1"],
                [
                    PageCall(
                        function: ["AppJsBridgeRequest", "Call"],
                        arguments: [
                            [
                                "action": "scan", "callback": "1", "status": "", "message": "cancelled", "value": .null,
                            ]
                        ])
                ]
            ),
        ] as [(BridgeDialect, JSON, [PageCall])])
    func aCancelledRequestIsAnswered(dialect: BridgeDialect, message: JSON, calls: [PageCall]) throws {
        let request = try BridgeRequest(dialect: dialect, id: "r1", message: message)
        #expect(request.calls(for: .cancelled) == calls)
    }

    @Test(
        arguments: [
            (BridgeDialect.hospital, JSON.null, "timed_out", "No code came."),
            (.promise, .null, "timed_out", "No code came."),
            (.wechat, .null, "timed_out", "scanCode:fail No code came."),
            (.wechat, ["api": "scanQRCode"], "timed_out", "scanQRCode:fail No code came."),
        ] as [(BridgeDialect, JSON, String, String)])
    func aFailureSaysWhy(dialect: BridgeDialect, message: JSON, code: String, sentence: String) throws {
        let request = try BridgeRequest(dialect: dialect, id: "r1", message: message)
        #expect(
            request.outcome(.failed(code: "timed_out", sentence: "No code came."))
                == ["error": ["code": .string(code), "message": .string(sentence)]])
        #expect(request.outcome(.symbols([]))["error"]?["code"] == "nothing_found")
    }

    @Test func promptIsAnsweredAtOnce() throws {
        let request = try BridgeRequest(
            dialect: .recordapp, id: "r1", message: ["action": "scan", "callback": "1"])
        #expect(
            request.promptAnswer == [
                "action": "scan", "callback": "1", "status": "", "message": "", "value": .null,
            ])
        #expect(try BridgeRequest(dialect: .promise, id: "r1", message: .null).promptAnswer == nil)
    }

    @Test func limitsAreKept() throws {
        func code(_ message: String) -> BridgeError.Code? {
            do throws(BridgeError) {
                _ = try BridgeRequest(dialect: .hospital, id: "r1", message: Array(message.utf8))
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code("\"" + String(repeating: "a", count: 65_534) + "\"") == nil)
        #expect(code("\"" + String(repeating: "a", count: 65_535) + "\"") == .messageTooLong)
        let deep = { (count: Int) in
            "{\"x\":" + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}"
        }
        #expect(code(deep(31)) == nil)
        #expect(code(deep(32)) == .nestedTooDeeply)
        #expect(code(deep(30_000)) == .nestedTooDeeply)
        #expect(code("{\"x\":[" + String(repeating: "1,", count: 1021) + "1]}") == nil)
        #expect(code("{\"x\":[" + String(repeating: "1,", count: 1022) + "1]}") == .tooManyValues)
        // Brackets and commas in a string do not count.
        #expect(code("\"" + String(repeating: "[,", count: 5000) + "\"") == nil)
        for id in ["", String(repeating: "i", count: 129)] {
            #expect { try BridgeRequest(dialect: .hospital, id: id, message: .null) } throws: {
                ($0 as? BridgeError)?.code == .badIdentifier
            }
        }
        #expect { try JSON(parsing: [0x22, 0xFF, 0x22]) } throws: { ($0 as? BridgeError)?.code == .notJSON }
        // The bytes look like UTF-16.
        #expect { try JSON(parsing: [0x7B, 0, 0x7D, 0]) } throws: { ($0 as? BridgeError)?.code == .notJSON }
    }
}
