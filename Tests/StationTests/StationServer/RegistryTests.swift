import BarcodeCore
import BridgeDialects
import Testing

@testable import StationServer

/// The life of a request from its opening to its only end.
@Suite struct RegistryTests {
    private static func request(_ id: String, seconds: Double = 60) throws -> BridgeRequest {
        try BridgeRequest(
            dialect: .promise, id: id, message: ["source": "any", "timeout": .number(seconds)])
    }

    private static let page = RequestRegistry.Owner.origin("http://oa.example")
    private static let answer = RequestRegistry.State.answered(
        .symbols([BridgeSymbol(symbology: .qrCode, text: "x", bytes: [120])]))

    @Test(arguments: [answer, .failed(code: "no_camera", sentence: "None."), .cancelled, .expired])
    func itEndsOnce(_ end: RequestRegistry.State) throws {
        var registry = RequestRegistry()
        let bridge = try Self.request("r")
        guard case .opened(let entry) = registry.open(bridge, owner: Self.page, session: "s", now: .zero) else {
            Issue.record("not opened")
            return
        }
        #expect(entry.state == .open && entry.state.outcome == nil)
        #expect(registry.openCount == 1)
        let result1 = registry.end("r", end)
        #expect(result1?.state == end)
        #expect(registry.openCount == 0)
        // Later changes have no effect.
        for other in [Self.answer, .cancelled, .expired, .open] {
            let result2 = registry.end("r", other)
            #expect(result2 == nil)
            #expect(registry.entry("r", for: Self.page)?.state == end)
        }
        // A request that is sent again gets the same answer.
        var known = entry
        known.state = end
        known.session = "later"
        let result3 = registry.open(bridge, owner: Self.page, session: "later", now: .seconds(5))
        #expect(result3 == .known(known))
        #expect(known.state.outcome != nil)
    }

    @Test func nobodyElseSeesIt() throws {
        var registry = RequestRegistry()
        _ = registry.open(try Self.request("r"), owner: Self.page, session: "s", now: .zero)
        let result4 = registry.open(try Self.request("r"), owner: .origin("http://b"), session: nil, now: .zero)
        #expect(result4 == .foreign)
        let result5 = registry.open(try Self.request("r"), owner: .station, session: nil, now: .zero)
        #expect(result5 == .foreign)
        #expect(registry.entry("r", for: .origin("http://b")) == nil)
        #expect(registry.entry("r", for: .station)?.session == "s")
        #expect(registry.entry("r", for: Self.page) != nil)
    }

    @Test func bothNumbersAreBounded() throws {
        var registry = RequestRegistry()
        let maximum = RequestRegistry.quota.maximum
        for index in 0..<maximum {
            _ = registry.open(try Self.request("r\(index)"), owner: .station, session: nil, now: .zero)
        }
        let result10 = registry.open(try Self.request("more"), owner: .station, session: nil, now: .zero)
        #expect(result10 == .full(.all))
        for index in 0..<2000 {
            _ = registry.end("r\(index)", .cancelled)
            _ = registry.open(try Self.request("r\(index + maximum)"), owner: .station, session: nil, now: .zero)
            #expect(registry.openCount == maximum)
        }
        // The newest ended requests are remembered, the oldest are not.
        #expect(registry.entry("r1999", for: .station)?.state == .cancelled)
        #expect(registry.entry("r\(2000 - RequestRegistry.maximumEndedOfOwner)", for: .station) != nil)
        #expect(registry.entry("r\(1999 - RequestRegistry.maximumEndedOfOwner)", for: .station) == nil)
    }
}
