internal import DequeModule
internal import FoundationEssentials
internal import ScanDevices
internal import ScanEvents
internal import Synchronization

/// Types each event into the focused window, as a keyboard would.
///
/// It delivers at most once, unlike every other destination, because a half-typed code cannot be taken back. So an
/// event is typed soon after its scan or never, not after a restart, and an attempt that has begun to type is not
/// retried.
public final class KeyboardSink: Sink {
    /// The text to type, and the options for typing it.
    struct Settings: Sendable {
        var plan: KeyPlan
        var text: TextTemplate
        var before: [UInt16] = []
        var after: [UInt16] = []
        var pause: Duration = .milliseconds(5)
        var maximumAge: Duration = .seconds(10)
    }

    /// The resolution of event times, with a margin: they are whole milliseconds.
    private static let resolution: Duration = .milliseconds(2)
    /// The allowed amount by which a clock may be set back between a scan and its typing.
    private static let futureAllowed: Duration = .seconds(1)

    private let settings: Settings
    private let control: TypingControl
    private let timeout: Duration
    private let thread = AttemptThread()
    private let keyboard: KeyboardHolder
    private let ended = EndedAttempts()
    private let start = ContinuousClock.now

    init(_ settings: Settings, control: TypingControl, timeout: Duration, path: String = VirtualKeyboard.path) {
        self.settings = settings
        self.control = control
        self.timeout = timeout
        keyboard = KeyboardHolder(path: path, pause: settings.pause)
    }

    /// Plugs in the virtual keyboard, which desktops take a moment to notice.
    public func open() async {
        _ = await thread.attempt("", timeout: timeout) { [keyboard] in
            keyboard.open() ?? .delivered()
        }
    }

    /// Types a message once.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        guard let event = message.event else { return .refused(FileSink.damage) }
        // Do not type an event again whose result could not be stored.
        if let outcome = ended.outcome(of: message.id) { return outcome }
        // Decide by the age alone, not by the start time, so that setting the clock makes no difference. If the
        // clock was set back, as at a start without a network, earlier scans seem to lie in the future.
        let age = Duration.seconds(message.attemptedAt.timeIntervalSince(event.time))
        if age > min(settings.maximumAge, start.duration(to: .now) + Self.resolution)
            || age < .zero - Self.futureAllowed
        {
            return .refused(
                "it was scanned \(age.words) ago, longer than maximumAgeSeconds, or before this program started")
        }
        if event.source.details?["request"] != nil { return .skipped("a page has received it as its answer") }
        if let obstacle = control.obstacle { return Self.held(obstacle, control) }
        guard let text = settings.text.text(for: event) else {
            return .refused("the event lacks a field of the text to type")
        }
        return await attempt(message.id, text)
    }

    /// Types a text that a web page has requested, with the same keys before and after it as for a scan.
    private func type(asked text: String) async -> TypingControl.TypingOutcome {
        if let obstacle = control.obstacle { return .held(obstacle) }
        let outcome = await attempt(UUID().uuidString, text)
        switch outcome.kind {
        case .delivered: return .typed
        case .skipped:
            return .held(TypingControl.Obstacle(description: outcome.reason) ?? .disarmed)
        default: return .refused(outcome.reason ?? "nothing was typed")
        }
    }

    /// Registers the sink with the control as one that types what web pages request.
    func attachForPages() {
        control.attach { [weak self] text in await self?.type(asked: text) ?? .noKeyboard }
    }

    private static func held(_ obstacle: TypingControl.Obstacle, _ control: TypingControl) -> DeliveryOutcome {
        control.count(obstacle)
        return .skipped(obstacle.description)
    }

    private func attempt(_ id: String, _ text: String) async -> DeliveryOutcome {
        await thread.attempt(id, timeout: timeout) { [keyboard, settings, control, timeout, ended] in
            if let outcome = ended.outcome(of: id) { return outcome }
            // It may have waited for the previous event.
            if let obstacle = control.obstacle { return Self.held(obstacle, control) }
            let outcome = keyboard.type(for: timeout, until: { control.obstacle?.description }) {
                (isCapital) throws(KeyPlan.Untypable) in
                settings.before.flatMap(KeyPlan.press) + (try settings.plan.actions(for: text, isCapital: isCapital))
                    + settings.after.flatMap(KeyPlan.press)
            }
            switch outcome.kind {
            case .delivered:
                ended.note(id, outcome)
                control.count(nil)
            case .refused: ended.note(id, outcome)
            case .skipped:
                if let obstacle = TypingControl.Obstacle(description: outcome.reason) { control.count(obstacle) }
            default: break
            }
            return outcome
        }
    }

    /// Unplugs the virtual keyboard.
    public func close() async { await thread.close { [keyboard] in keyboard.close() } }
}

/// The typing results of the newest texts: an attempt whose caller has stopped waiting is not repeated.
private final class EndedAttempts: Sendable {
    private static let maximumRemembered = 1024

    private struct State {
        var outcomes: [String: DeliveryOutcome] = [:]
        var order: Deque<String> = []
    }

    private let state = Mutex(State())

    func outcome(of id: String) -> DeliveryOutcome? { state.withLock { $0.outcomes[id] } }

    func note(_ id: String, _ outcome: DeliveryOutcome) {
        state.withLock { state in
            if state.outcomes.updateValue(outcome, forKey: id) == nil { state.order.append(id) }
            if state.order.count > Self.maximumRemembered { state.outcomes[state.order.removeFirst()] = nil }
        }
    }
}

extension TypingControl.Obstacle {
    /// The obstacle with a given description; `nil` if there is none.
    fileprivate init?(description: String?) {
        guard let obstacle = Self.allCases.first(where: { $0.description == description }) else { return nil }
        self = obstacle
    }
}

/// The virtual keyboard of a sink, once it is plugged in.
// Unchecked: only attempts use it, which AttemptThread runs one after the other.
private final class KeyboardHolder: @unchecked Sendable {
    private let path: String
    private let pause: Duration
    private var keyboard: VirtualKeyboard?

    init(path: String, pause: Duration) {
        self.path = path
        self.pause = pause
    }

    /// Plugs in the keyboard; returns the failure, or `nil` on success.
    func open() -> DeliveryOutcome? {
        guard keyboard == nil else { return nil }
        do throws(VirtualKeyboard.Failure) {
            keyboard = try VirtualKeyboard(name: "Quietzone keyboard", path: path)
            return nil
        } catch {
            return .failed(error.description)
        }
    }

    func close() { keyboard = nil }

    /// - Parameters:
    ///   - time: the time limit; a text that would take longer is not begun, since nobody would wait for its end.
    ///   - obstacle: returns the reason why typing must stop; `nil` to continue.
    func type(
        for time: Duration, until obstacle: () -> String?,
        _ plan: (_ isCapital: Bool) throws(KeyPlan.Untypable) -> [KeyPlan.Action]
    ) -> DeliveryOutcome {
        if let failure = open() { return failure }
        guard let keyboard else { return .failed("no keyboard") }
        let actions: [KeyPlan.Action]
        do throws(KeyPlan.Untypable) {
            actions = try plan(keyboard.isCapital)
        } catch {
            return .refused("nothing was typed: \(error.description)")
        }
        let needed = pause * actions.count { !$0.isDown }
        if needed > time {
            return .refused("nothing was typed: its keys take \(needed.words), but timeoutSeconds allows \(time.words)")
        }
        do throws(VirtualKeyboard.Failure) {
            switch try keyboard.type(actions, pause: pause, until: obstacle) {
            case .whole: return .delivered()
            case .part(let why): return .refused("only a part of it was typed: \(why)")
            case .nothing(let why): return .skipped(why)
            }
        } catch {
            close()
            return .refused("a part of it may have been typed: \(error.description)")
        }
    }
}
