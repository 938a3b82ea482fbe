internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import KeyboardWedge
internal import Synchronization

/// `/keyboard`: whether codes are typed into the window that has the focus, and texts that pages have typed.
struct KeyboardRoutes: Sendable {
    /// How many texts all pages of other origins together may have typed a second, and as many at once.
    static let rate = 5.0
    /// The most characters of a text.
    static let maximumCharacters = 1024

    let keyboards: KeyboardGate
    private let allowance: Shared

    init(keyboards: KeyboardGate, now: @escaping @Sendable () -> Date = { Date() }) {
        self.keyboards = keyboards
        allowance = Shared(now: now)
    }

    /// What all copies of the routes share.
    private final class Shared: Sendable {
        let now: @Sendable () -> Date
        let left: Mutex<SessionStore.Allowance>

        init(now: @escaping @Sendable () -> Date) {
            self.now = now
            left = Mutex(SessionStore.Allowance(rate: KeyboardRoutes.rate, now: now()))
        }
    }

    /// Counts a text of a page; false where there were too many.
    func admitsText() -> Bool { allowance.left.withLock { $0.spend(now: allowance.now()) } }

    private struct Change: Decodable { var armed: Bool }

    private struct Focus: Decodable {
        var page: String
        var focused: Bool
        /// The name of the events that the page follows, where it shares them with others; nil for its own.
        var events: String?
    }

    private struct Text: Decodable { var text: String }

    private struct Typed: Encodable { var typed = true }

    /// What the station's own page may do.
    func add(to group: RouterGroup<StationContext>) {
        group.get("keyboard") { _, _ in Envelope.answer(data: KeyboardMessage(self.keyboards.status)) }
        group.post("keyboard") { request, _ in
            let change = try JSONText.decode(Change.self, from: try await SmallBody.read(request, upTo: 1024))
            guard self.keyboards.status.keyboards > 0 else {
                throw HTTPFailure(
                    .notFound, "no_keyboard", "No destination of the type keyboard is configured.")
            }
            self.keyboards.isArmed = change.armed
            return Envelope.answer(data: KeyboardMessage(self.keyboards.status))
        }
        group.post("keyboard/focus") { request, context in
            let focus = try JSONText.decode(Focus.self, from: try await SmallBody.read(request, upTo: 1024))
            guard focus.page.isIdentifier, focus.events?.isIdentifier ?? true else {
                throw HTTPFailure.badRequest(
                    "bad_page", "The body's \"page\" and \"events\" must be 8 to 64 letters, digits, - and _.")
            }
            // A page on a phone takes no keys from the windows of this machine.
            if context.isSameMachine {
                self.keyboards.focus(focus.focused, page: focus.page, events: focus.events)
            }
            return Envelope.answer(data: KeyboardMessage(self.keyboards.status))
        }
    }

    /// What pages of other origins may do too.
    func addText(to group: RouterGroup<StationContext>) {
        group.post("keyboard/text") { request, context in
            // A character may be written as \uXXXX, twice of those beyond the 16 bits.
            let body = try await SmallBody.read(request, upTo: 12 * Self.maximumCharacters + 1024)
            let text = try JSONText.decode(Text.self, from: body).text
            guard (1...Self.maximumCharacters).contains(text.unicodeScalars.count) else {
                throw HTTPFailure.badRequest(
                    "bad_text", "The body's \"text\" must have 1 to \(Self.maximumCharacters) characters.")
            }
            guard context.caller == .station || self.admitsText() else {
                throw HTTPFailure(
                    .tooManyRequests, "too_many_texts",
                    "Pages may have \(Int(Self.rate)) texts typed a second; try again in 1 s.",
                    headers: [.retryAfter: "1"])
            }
            switch await self.keyboards.type(text) {
            case .typed: return Envelope.answer(data: Typed())
            case .held(.disarmed):
                throw HTTPFailure(.conflict, "not_armed", "Typing is switched off at the station.")
            case .held(.focused):
                throw HTTPFailure(.conflict, "page_focused", "The station's own page has the focus.")
            case .refused(let why): throw HTTPFailure(.conflict, "not_typed", "The text was not typed: \(why).")
            case .noKeyboard:
                throw HTTPFailure(
                    .notFound, "no_keyboard",
                    "No destination types for pages; set forPages: true at one of the type keyboard.")
            }
        }
    }
}

/// How keyboards are, as it is sent.
struct KeyboardMessage: Encodable {
    var keyboards: Int
    var armed: Bool
    var focused: Bool
    var typed: Int
    /// What was not typed, by why.
    var held: Held

    struct Held: Encodable {
        var disarmed: Int
        var focused: Int
    }

    init(_ status: KeyboardGate.Status) {
        keyboards = status.keyboards
        armed = status.isArmed
        focused = status.isFocused
        typed = status.typed
        held = Held(disarmed: status.disarmed, focused: status.focused)
    }
}

/// Tells the station's pages how keyboards are, as it changes.
struct KeyboardPublisher: Sendable {
    let keyboards: KeyboardGate
    let scanService: ScanService

    /// How often it is told at most.
    private static let pause: Duration = .milliseconds(100)

    /// How often it is looked whether a page that said nothing more has the focus no more.
    private static let interval: Duration = .seconds(5)

    /// Tells until the task is cancelled.
    func follow() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: Self.interval)) != nil { self.keyboards.recheck() }
            }
            await self.tell()
            group.cancelAll()
        }
    }

    private func tell() async {
        var told: KeyboardGate.Status?
        for await _ in keyboards.changes {
            let status = keyboards.status
            if status != told, status.keyboards > 0 {
                told = status
                scanService.publish("keyboard", KeyboardMessage(status), to: .station)
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
        }
    }
}
