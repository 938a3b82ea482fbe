import BarcodeCore
import BridgeDialects
import Testing

@testable import StationServer

/// The order of requests at the camera.
@Suite struct CameraQueueTests {
    private static func entry(_ id: String) -> CameraQueue.Entry {
        CameraQueue.Entry(id: id, owner: .origin("http://\(id)"))
    }

    @Test func oneHasItAndTheOthersWaitInTheirOrder() {
        var queue = CameraQueue()
        for id in ["a", "b", "c", "a"] { queue.join(Self.entry(id)) }
        #expect(queue.first?.id == "a")
        #expect(queue.waiting.map(\.id) == ["b", "c"])
        #expect(queue.blocker(of: "a") == nil)
        #expect(queue.blocker(of: "c")?.owner == .origin("http://a"))
        #expect(queue.blocker(of: "album") == nil)
        let hasLeft = [queue.leave("b"), queue.leave("b"), queue.leave("a")]
        #expect(hasLeft == [true, false, true])
        #expect(queue.first?.id == "c")
        #expect(queue.blocker(of: "c") == nil)
    }

    @Test func noOriginHasItTwiceInARowWhileAnotherWaits() {
        var queue = CameraQueue()
        for (id, origin) in [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("c1", "c"), ("b2", "b")] {
            queue.join(CameraQueue.Entry(id: id, owner: .origin(origin)))
        }
        var turns: [String] = []
        while let first = queue.first {
            turns.append(first.id)
            _ = queue.leave(first.id)
        }
        #expect(turns == ["a1", "b1", "a2", "c1", "a3", "b2"])
    }

    @Test(
        arguments: [
            (RequestRegistry.State.open, RequestRegistry.Owner.origin("http://a"), "waiting", "http://a"),
            (.open, .station, "waiting", "station"),
            (.open, nil, "open", nil),
            (.cancelled, .origin("http://a"), "cancelled", nil),
        ] as [(RequestRegistry.State, RequestRegistry.Owner?, String, String?)])
    func aRequestSaysWhomItWaitsFor(
        _ state: RequestRegistry.State, _ owner: RequestRegistry.Owner?, _ name: String, _ waitsFor: String?
    ) throws {
        let bridge = try BridgeRequest(dialect: .promise, id: "request1", message: .null)
        let entry = RequestRegistry.Entry(
            bridge: bridge, owner: .origin("http://b"), session: nil, deadline: .seconds(120), state: state)
        let message = RequestMessage(entry, waitsFor: owner, repeated: true, now: .zero)
        #expect(message.state == name)
        #expect(message.waitsFor.value == waitsFor)
        #expect(message.repeated == (state == .open))
    }
}
