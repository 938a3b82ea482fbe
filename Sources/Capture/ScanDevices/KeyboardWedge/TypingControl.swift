internal import Synchronization

/// Permits or blocks typing by keyboards: they type only while armed, and never while the station's own page has
/// the focus.
///
/// It also counts texts that were typed or held back, and holds the keyboard that types texts for pages.
public final class TypingControl: Sendable {
    /// The time that a page counts as focused after each of its messages; it sends one every ten seconds.
    public static let focusLease: Duration = .seconds(30)
    /// The time that a page counts as focused after losing its connection; it reconnects within five seconds.
    public static let reconnectLease: Duration = .seconds(10)
    /// The most pages that are tracked.
    ///
    /// Nobody has so many; beyond the limit it permits too much typing instead of blocking it all.
    private static let maximumPages = 64

    /// A reason why typing is blocked now.
    public enum Obstacle: Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// Nobody has armed the keyboards.
        case disarmed
        /// The station's own page has the focus, and would receive the typed text itself.
        case focused

        /// The reason as a clause.
        public var description: String {
            switch self {
            case .disarmed: "typing is switched off: switch it on in the station's page, or set armed: true"
            case .focused: "the station's own page has the focus"
            }
        }
    }

    /// The state of the keyboards, and their counts since the start.
    public struct Status: Sendable, Hashable {
        /// The number of keyboards.
        public var keyboards = 0
        /// Indicates whether the keyboards are armed.
        public var isArmed = false
        /// Indicates whether a page of the station has the focus.
        public var isFocused = false
        /// The number of texts that were typed.
        public var typed = 0
        /// The number of texts that were held back because the keyboards were not armed.
        public var disarmed = 0
        /// The number of texts that were held back because a page of the station had the focus.
        public var focused = 0

        /// Creates a status without keyboards.
        public init() {}

        package init(
            keyboards: Int, isArmed: Bool = false, isFocused: Bool = false, typed: Int = 0, disarmed: Int = 0,
            focused: Int = 0
        ) {
            (self.keyboards, self.isArmed, self.isFocused) = (keyboards, isArmed, isFocused)
            (self.typed, self.disarmed, self.focused) = (typed, disarmed, focused)
        }
    }

    /// A page that has reported that it has the focus.
    private struct Page {
        /// The end of its focus, on a monotonic clock.
        var focusedUntil: Duration
        /// The name of its event stream, which it may share with other pages of the same browser.
        var events: String
    }

    private struct State {
        var status = Status()
        var pages: [String: Page] = [:]
        /// The open connections by the name of their event stream.
        var connections: [String: Set<UInt64>] = [:]
        var lastConnection: UInt64 = 0
        var typist: Typist?

        func isFocused(at now: Duration) -> Bool { pages.values.contains { $0.focusedUntil > now } }
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Duration
    private let continuation: AsyncStream<Void>.Continuation

    /// Yields whenever ``status`` may have changed; for one task.
    public let changes: AsyncStream<Void>

    /// Creates a control that blocks typing.
    public convenience init() {
        let start = ContinuousClock.now
        self.init { start.duration(to: .now) }
    }

    package init(now: @escaping @Sendable () -> Duration) {
        self.now = now
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Indicates whether the keyboards are armed.
    public var isArmed: Bool {
        get { state.withLock { $0.status.isArmed } }
        set {
            state.withLock { $0.status.isArmed = newValue }
            continuation.yield()
        }
    }

    /// The current state of the keyboards.
    public var status: Status {
        let now = now()
        return state.withLock { state in
            var status = state.status
            status.isFocused = state.isFocused(at: now)
            return status
        }
    }

    /// The reason why typing is blocked now; `nil` if it is permitted.
    public var obstacle: Obstacle? {
        let now = now()
        return state.withLock { state in
            if !state.status.isArmed { return .disarmed }
            return state.isFocused(at: now) ? .focused : nil
        }
    }

    // MARK: pages of the station

    /// Records that a page of the station has gained or lost the focus.
    ///
    /// - Parameter events: the name of the event stream that the page follows; its own name if `nil`.
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
        continuation.yield()
    }

    /// Records a new connection of pages to an event stream, and returns its number for ``disconnect(_:events:)``.
    public func connect(events: String) -> UInt64 {
        state.withLock { state in
            state.lastConnection += 1
            state.connections[events, default: []].insert(state.lastConnection)
            return state.lastConnection
        }
    }

    /// Records the end of a connection.
    ///
    /// Pages whose last connection has ended may reconnect soon, so their focus holds for a while.
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
        continuation.yield()
    }

    /// Wakes the reader of ``changes``, because time alone may have changed the status.
    public func recheck() { continuation.yield() }

    // MARK: keyboards

    /// The outcome of a request of a page to type a text.
    public enum TypingOutcome: Sendable, Hashable {
        /// It was typed.
        case typed
        /// Nothing was typed, because typing is blocked.
        case held(Obstacle)
        /// It cannot be typed, or only a part of it was typed; a clause.
        case refused(String)
        /// There is no keyboard that types for pages.
        case noKeyboard
    }

    /// Types a text.
    public typealias Typist = @Sendable (String) async -> TypingOutcome

    /// Registers a keyboard.
    ///
    /// - Parameter typist: types texts for pages; `nil` if this keyboard does not. The first one given types all of
    ///   them.
    public func attach(_ typist: Typist? = nil) {
        state.withLock { state in
            state.status.keyboards += 1
            if state.typist == nil { state.typist = typist }
        }
        continuation.yield()
    }

    /// Types a text on behalf of a page.
    public func type(_ text: String) async -> TypingOutcome {
        guard let typist = state.withLock({ $0.typist }) else { return .noKeyboard }
        return await typist(text)
    }

    /// Counts a text that was typed, or the reason why it was not.
    public func count(_ obstacle: Obstacle?) {
        state.withLock { state in
            switch obstacle {
            case nil: state.status.typed += 1
            case .disarmed: state.status.disarmed += 1
            case .focused: state.status.focused += 1
            }
        }
        continuation.yield()
    }
}
