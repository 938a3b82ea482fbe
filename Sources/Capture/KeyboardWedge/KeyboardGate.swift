internal import Synchronization

/// Whether keyboards may type now: only while they are armed, and never while the station's own page has the focus.
///
/// It also counts what was typed and what was not, and knows the keyboard that types what pages ask for.
public final class KeyboardGate: Sendable {
    /// How long a page counts as having the focus after it has said so; it says so again every ten seconds.
    public static let focusLease: Duration = .seconds(30)
    /// How long a page that has lost its connection counts as having the focus; it connects again within five seconds.
    public static let reconnectLease: Duration = .seconds(10)
    /// The most pages that are remembered.
    ///
    /// Nobody has so many; what is left out types too much rather than nothing.
    private static let maximumPages = 64

    /// Why nothing may be typed now.
    public enum Obstacle: Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// Nobody has armed the keyboards.
        case disarmed
        /// The station's own page has the focus, so that what is typed would come back to it.
        case focused

        /// A clause.
        public var description: String {
            switch self {
            case .disarmed: "typing is switched off: switch it on on the station's page, or set armed: true"
            case .focused: "the station's own page has the focus"
            }
        }
    }

    /// How keyboards are, and what they did since the start.
    public struct Status: Sendable, Hashable {
        /// How many keyboards there are.
        public var keyboards = 0
        /// Whether they are armed.
        public var isArmed = false
        /// Whether a page of the station has the focus.
        public var isFocused = false
        /// How many texts were typed.
        public var typed = 0
        /// How many were not, because the keyboards were not armed.
        public var disarmed = 0
        /// How many were not, because a page of the station had the focus.
        public var focused = 0

        /// No keyboards.
        public init() {}

        package init(
            keyboards: Int, isArmed: Bool = false, isFocused: Bool = false, typed: Int = 0, disarmed: Int = 0,
            focused: Int = 0
        ) {
            (self.keyboards, self.isArmed, self.isFocused) = (keyboards, isArmed, isFocused)
            (self.typed, self.disarmed, self.focused) = (typed, disarmed, focused)
        }
    }

    /// A page that has said that it has the focus.
    private struct Page {
        /// Until when it has the focus, by a clock that never goes back.
        var focusedUntil: Duration
        /// The name of the events that it follows, which it may share with other pages of its browser.
        var events: String
    }

    private struct State {
        var status = Status()
        var pages: [String: Page] = [:]
        /// The open connections by the name of their events.
        var connections: [String: Set<UInt64>] = [:]
        var lastConnection: UInt64 = 0
        var typist: Typist?

        func isFocused(at now: Duration) -> Bool { pages.values.contains { $0.focusedUntil > now } }
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Duration
    private let news: AsyncStream<Void>.Continuation

    /// Wakes whenever ``status`` may have changed; for one task.
    public let changes: AsyncStream<Void>

    /// A gate that is closed.
    public convenience init() {
        let start = ContinuousClock.now
        self.init { start.duration(to: .now) }
    }

    package init(now: @escaping @Sendable () -> Duration) {
        self.now = now
        (changes, news) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether keyboards are armed.
    public var isArmed: Bool {
        get { state.withLock { $0.status.isArmed } }
        set {
            state.withLock { $0.status.isArmed = newValue }
            news.yield()
        }
    }

    /// How keyboards are now.
    public var status: Status {
        let now = now()
        return state.withLock { state in
            var status = state.status
            status.isFocused = state.isFocused(at: now)
            return status
        }
    }

    /// Why nothing may be typed now; nil where it may.
    public var obstacle: Obstacle? {
        let now = now()
        return state.withLock { state in
            if !state.status.isArmed { return .disarmed }
            return state.isFocused(at: now) ? .focused : nil
        }
    }

    // MARK: pages of the station

    /// Takes that a page of the station has got or lost the focus.
    ///
    /// - Parameter events: the name of the events that the page follows; its own name if nil.
    public func focus(_ hasFocus: Bool, page: String, events: String? = nil) {
        let now = now()
        state.withLock { state in
            state.pages = state.pages.filter { $0.value.focusedUntil > now }
            if !hasFocus {
                state.pages[page] = nil
            } else if state.pages[page] != nil || state.pages.count < Self.maximumPages {
                state.pages[page] = Page(focusedUntil: now + Self.focusLease, events: events ?? page)
            }
        }
        news.yield()
    }

    /// Takes that pages of the station have connected, to events of one name; the number of the connection for
    /// ``disconnect(_:events:)``.
    public func connect(events: String) -> UInt64 {
        state.withLock { state in
            state.lastConnection += 1
            state.connections[events, default: []].insert(state.lastConnection)
            return state.lastConnection
        }
    }

    /// Takes that a connection has ended.
    ///
    /// Pages whose last connection has ended may be about to connect again, so that what they said holds for a while.
    public func disconnect(_ connection: UInt64, events: String) {
        let now = now()
        state.withLock { state in
            guard state.connections[events]?.remove(connection) != nil,
                state.connections[events]?.isEmpty == true
            else { return }
            state.connections[events] = nil
            for (name, page) in state.pages where page.events == events {
                state.pages[name]?.focusedUntil = min(page.focusedUntil, now + Self.reconnectLease)
            }
        }
        news.yield()
    }

    /// Has whoever waits for ``changes`` look again: time alone may have changed the status.
    public func recheck() { news.yield() }

    // MARK: keyboards

    /// What became of a text that a page has asked for.
    public enum TypingOutcome: Sendable, Hashable {
        /// It was typed.
        case typed
        /// Nothing was typed.
        case held(Obstacle)
        /// It cannot be typed, or not all of it was; a clause.
        case refused(String)
        /// There is no keyboard that types for pages.
        case noKeyboard
    }

    /// Types a text.
    public typealias Typist = @Sendable (String) async -> TypingOutcome

    /// Takes that there is a keyboard.
    ///
    /// - Parameter typist: types what pages ask for; nil where this one does not. The first one has them all.
    public func attach(_ typist: Typist? = nil) {
        state.withLock { state in
            state.status.keyboards += 1
            if state.typist == nil { state.typist = typist }
        }
        news.yield()
    }

    /// Types what a page has asked for.
    public func type(_ text: String) async -> TypingOutcome {
        guard let typist = state.withLock({ $0.typist }) else { return .noKeyboard }
        return await typist(text)
    }

    /// Counts that a text was typed, or why it was not.
    public func count(_ obstacle: Obstacle?) {
        state.withLock { state in
            switch obstacle {
            case nil: state.status.typed += 1
            case .disarmed: state.status.disarmed += 1
            case .focused: state.status.focused += 1
            }
        }
        news.yield()
    }
}
