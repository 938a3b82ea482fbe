import BarcodeCore
import BridgeDialects
import FoundationEssentials
import TestSupport
import Testing

/// A dialect that the library does not know: everything that an addition needs on the station's side.
private let toy = BridgeDialect(name: "toy", functions: ["Toy.heard"]) { message throws(BridgeError) in
    guard try message.text("please") == "scan" else {
        throw BridgeError(.unknownMessage, "The toy takes {\"please\": \"scan\"}.")
    }
    return try ParsedRequest(message, reply: ToyReply(number: message["number"]))
}

private struct ToyReply: BridgeReply {
    var number: JSON?

    func calls(for outcome: BridgeOutcome, id: String) -> [PageCall] {
        [PageCall(function: ["Toy", "heard"], arguments: [number ?? .null, object(for: outcome)])]
    }
}

/// The table of dialects, and a custom dialect.
@Suite struct DialectTests {
    private static let symbol = BridgeSymbol(symbology: .qrCode, text: "x", bytes: [0x78])

    @Test func aDialectFromOutsideIsReadAndAnswered() throws {
        let message: JSON = ["please": "scan", "number": .integer(7), "source": "album", "formats": ["qr_code"]]
        let request = try BridgeRequest(dialect: toy, id: "r1", message: message)
        #expect(request.dialect == toy && request.source == .album && request.symbologies == [.qrCode])
        #expect(request.timeout == BridgeRequest.defaultTimeout && request.promptAnswer == nil)
        let value = ["value": Self.symbol.json] as JSON
        #expect(
            request.calls(for: .symbols([Self.symbol]))
                == [PageCall(function: ["Toy", "heard"], arguments: [.integer(7), value])])
        #expect(request.outcome(.cancelled)["error"]?["code"] == "cancelled")
        #expect {
            try BridgeRequest(dialect: toy, id: "r1", message: ["please": "sing"])
        } throws: {
            ($0 as? BridgeError)?.code == .unknownMessage
        }
    }

    @Test func requestsAreEqualThatAskForTheSame() throws {
        func request(_ number: Int64, id: String = "r1") throws -> BridgeRequest {
            try BridgeRequest(dialect: toy, id: id, message: ["please": "scan", "number": .integer(number)])
        }
        #expect(try request(1) == request(1))
        #expect(try request(1) != request(2))
        #expect(try request(1) != request(1, id: "r2"))
        #expect(
            try BridgeRequest(dialect: .wechat, id: "r1", message: ["api": "scanCode"])
                != BridgeRequest(dialect: .promise, id: "r1", message: .null))
    }

    @Test(arguments: BridgeDialect.all) func aRowHasItsScript(_ dialect: BridgeDialect) {
        #expect(dialect.script.contains("dialect('\(dialect.name)', {"))
    }

    @Test func namesAreUnique() {
        #expect(Set(BridgeDialect.all).count == BridgeDialect.all.count)
    }

    @Test(arguments: BridgeDialect.all.filter { !$0.takesRequests })
    func aDialectWithoutRequestsRefusesThem(_ dialect: BridgeDialect) {
        #expect {
            try BridgeRequest(dialect: dialect, id: "r1", message: .null)
        } throws: {
            ($0 as? BridgeError)?.code == .unknownMessage
        }
    }

    /// The first table in docs/reference/dialects.md lists exactly the dialects that take requests.
    @Test func theTableInTheDocumentation() throws {
        let text = try String(
            contentsOfFile: ProgramRunner.packageFolder + "docs/reference/dialects.md", encoding: .utf8)
        let table = text.split(separator: "\n").drop { !$0.hasPrefix("| dialect |") }.dropFirst(2)
            .prefix { $0.hasPrefix("| `") }
        let names = table.compactMap { $0.split(separator: "`").dropFirst().first }.map(String.init)
        #expect(names == BridgeDialect.all.filter(\.takesRequests).map(\.name))
    }
}
