import Synchronization
import Testing

@testable import KeyboardWedge

/// The conditions under which keyboards may type.
@Suite struct KeyboardGateTests {
    @Test func armedAndAwayFromTheStationsPage() {
        let time = Time()
        let gate = KeyboardGate { time.now }
        #expect(gate.obstacle == .disarmed)
        gate.isArmed = true
        #expect(gate.obstacle == nil)
        gate.focus(true, page: "a")
        gate.focus(true, page: "b")
        gate.focus(false, page: "a")
        #expect(gate.obstacle == .focused)
        #expect(gate.status.isFocused)
        time.pass(KeyboardGate.focusLease)
        #expect(gate.obstacle == nil)
        #expect(!gate.status.isFocused)
    }

    /// A page that disappears keeps the focus for as long as a reconnect may take.
    @Test func aPageThatVanishes() {
        let time = Time()
        let gate = KeyboardGate { time.now }
        gate.isArmed = true
        let first = gate.connect(events: "a")
        gate.focus(true, page: "a")
        // It reconnects before the end of its first connection is noticed.
        let second = gate.connect(events: "a")
        gate.disconnect(first, events: "a")
        gate.disconnect(first, events: "a")
        #expect(gate.obstacle == .focused)
        gate.disconnect(second, events: "a")
        #expect(gate.obstacle == .focused, "it may be about to connect again")
        time.pass(KeyboardGate.reconnectLease)
        #expect(gate.obstacle == nil)
        // Its last message may arrive after the disconnect; then the timeout ends the focus.
        gate.disconnect(second, events: "a")
        gate.focus(true, page: "a")
        #expect(gate.obstacle == .focused)
        gate.focus(false, page: "a")
        // A page without the focus is forgotten at once.
        gate.disconnect(gate.connect(events: "a"), events: "a")
        #expect(gate.obstacle == nil)
    }

    @Test func thePagesAreBounded() {
        let time = Time()
        let gate = KeyboardGate { time.now }
        gate.isArmed = true
        for number in 0..<10_000 { gate.focus(true, page: "\(number)") }
        for number in 0..<64 { gate.focus(false, page: "\(number)") }
        #expect(gate.obstacle == nil, "those that came later are left out")
        time.pass(KeyboardGate.focusLease)
        gate.focus(true, page: "later")
        #expect(gate.obstacle == .focused)
    }

    @Test func counts() async {
        let gate = KeyboardGate { .zero }
        gate.attach()
        for reason in [nil, nil, KeyboardGate.Obstacle.disarmed, .focused, .focused, .focused] { gate.count(reason) }
        #expect(
            gate.status == KeyboardGate.Status(keyboards: 1, typed: 2, disarmed: 1, focused: 3))
        var news = gate.changes.makeAsyncIterator()
        #expect(await news.next() != nil)
    }

    /// The first keyboard that types for pages handles their requests.
    @Test func theFirstTypesForPages() async {
        let gate = KeyboardGate { .zero }
        #expect(await gate.type("a") == .noKeyboard)
        gate.attach()
        gate.attach { .refused($0 + "1") }
        gate.attach { .refused($0 + "2") }
        #expect(await gate.type("a") == .refused("a1"))
    }

    private final class Time: Sendable {
        private let value = Mutex(Duration.zero)
        var now: Duration { value.withLock { $0 } }
        func pass(_ duration: Duration) { value.withLock { $0 += duration } }
    }
}
