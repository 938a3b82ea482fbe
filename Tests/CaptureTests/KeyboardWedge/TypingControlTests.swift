import Synchronization
import Testing

@testable import ScanDevices

/// The conditions under which keyboards may type.
@Suite struct TypingControlTests {
    @Test func armedAndAwayFromTheStationsPage() {
        let time = Time()
        let control = TypingControl { time.now }
        #expect(control.obstacle == .disarmed)
        control.isArmed = true
        #expect(control.obstacle == nil)
        control.focus(true, page: "a")
        control.focus(true, page: "b")
        control.focus(false, page: "a")
        #expect(control.obstacle == .focused)
        #expect(control.status.isFocused)
        time.pass(TypingControl.focusLease)
        #expect(control.obstacle == nil)
        #expect(!control.status.isFocused)
    }

    /// A page that disappears keeps the focus for as long as a reconnect may take.
    @Test func aPageThatVanishes() {
        let time = Time()
        let control = TypingControl { time.now }
        control.isArmed = true
        let first = control.connect(events: "a")
        control.focus(true, page: "a")
        // It reconnects before the end of its first connection is noticed.
        let second = control.connect(events: "a")
        control.disconnect(first, events: "a")
        control.disconnect(first, events: "a")
        #expect(control.obstacle == .focused)
        control.disconnect(second, events: "a")
        #expect(control.obstacle == .focused, "it may be about to connect again")
        time.pass(TypingControl.reconnectLease)
        #expect(control.obstacle == nil)
        // Its last message may arrive after the disconnect; then the timeout ends the focus.
        control.disconnect(second, events: "a")
        control.focus(true, page: "a")
        #expect(control.obstacle == .focused)
        control.focus(false, page: "a")
        // A page without the focus is forgotten at once.
        control.disconnect(control.connect(events: "a"), events: "a")
        #expect(control.obstacle == nil)
    }

    @Test func thePagesAreBounded() {
        let time = Time()
        let control = TypingControl { time.now }
        control.isArmed = true
        for number in 0..<10_000 { control.focus(true, page: "\(number)") }
        for number in 0..<64 { control.focus(false, page: "\(number)") }
        #expect(control.obstacle == nil, "those that came later are left out")
        time.pass(TypingControl.focusLease)
        control.focus(true, page: "later")
        #expect(control.obstacle == .focused)
    }

    @Test func counts() async {
        let control = TypingControl { .zero }
        control.attach()
        for reason in [nil, nil, TypingControl.Obstacle.disarmed, .focused, .focused, .focused] {
            control.count(reason)
        }
        #expect(
            control.status == TypingControl.Status(keyboards: 1, typed: 2, disarmed: 1, focused: 3))
        var news = control.changes.makeAsyncIterator()
        #expect(await news.next() != nil)
    }

    /// The first keyboard that types for pages handles their requests.
    @Test func theFirstTypesForPages() async {
        let control = TypingControl { .zero }
        #expect(await control.type("a") == .noKeyboard)
        control.attach()
        control.attach { .refused($0 + "1") }
        control.attach { .refused($0 + "2") }
        #expect(await control.type("a") == .refused("a1"))
    }

    private final class Time: Sendable {
        private let value = Mutex(Duration.zero)
        var now: Duration { value.withLock { $0 } }
        func pass(_ duration: Duration) { value.withLock { $0 += duration } }
    }
}
