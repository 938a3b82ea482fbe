internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import ScanDevices
internal import Synchronization

/// `/keyboard`: switches typing into the focused window on and off, and types texts for pages.
struct KeyboardRoutes: Sendable {
    /// The rate limit of texts for all pages of other origins together, per second; also the largest burst.
    static let rate = 5.0
    /// The maximum length of a text, in characters.
    static let maximumCharacters = 1024

    let keyboards: TypingControl
    private let bucket: Shared

    init(keyboards: TypingControl, now: @escaping @Sendable () -> Date = { Date() }) {
        self.keyboards = keyboards
        bucket = Shared(now: now)
    }

    /// The state that all copies of the routes share.
    private final class Shared: Sendable {
        let now: @Sendable () -> Date
        let state: Mutex<SessionStore.TokenBucket>

        init(now: @escaping @Sendable () -> Date) {
            self.now = now
            state = Mutex(SessionStore.TokenBucket(rate: KeyboardRoutes.rate, now: now()))
        }
    }

    /// Counts a text of a page; false if the rate limit is exceeded.
    func countText() -> Bool { bucket.state.withLock { $0.take(now: bucket.now()) } }

    private struct Change: Decodable { var armed: Bool }

    private struct Focus: Decodable {
        var page: String
        var focused: Bool
        /// The name of the event stream, if the page shares it with others; `nil` for its own.
        var events: String?
    }

    private struct Text: Decodable { var text: String }

    private struct Typed: Encodable { var typed = true }

    /// Adds the routes for the station's own page.
    func add(to group: RouteGroup) {
        group.get(
            "keyboard",
            RouteDescription(
                "keyboard", "Whether codes are typed into the window that has the focus",
                answer: .data(.schema("Keyboard")))
        ) { _, _ in Envelope.answer(data: KeyboardMessage(self.keyboards.status)) }
        group.post(
            "keyboard",
            RouteDescription(
                "setKeyboard", "Switches typing on or off", body: .json(.fields(["armed": ["type": "boolean"]])),
                answer: .data(.schema("Keyboard")), failures: [.badRequest, .notFound, .tooLarge])
        ) { request, _ in
            let change = try JSONText.decode(Change.self, from: try await SmallBody.read(request, upTo: 1024))
            guard self.keyboards.status.keyboards > 0 else {
                throw HTTPFailure(
                    .notFound, "no_keyboard", "No destination of the type keyboard is configured.")
            }
            self.keyboards.isArmed = change.armed
            return Envelope.answer(data: KeyboardMessage(self.keyboards.status))
        }
        group.post(
            "keyboard/focus",
            RouteDescription(
                "setKeyboardFocus",
                "Says whether a page of the station has the focus, for 30 seconds or until its "
                    + "events end; of this machine's pages alone it is taken",
                body: .json(
                    .fields(
                        [
                            "page": [
                                "type": "string", "description": "What the page calls itself.",
                                "minLength": .integer(8), "maxLength": .integer(64),
                            ], "focused": ["type": "boolean"],
                        ],
                        optional: [
                            "events": [
                                "type": "string",
                                "description": .string(
                                    "What the events that the page follows are called in /events, where they are not the "
                                        + "page's alone."), "minLength": .integer(8), "maxLength": .integer(64),
                            ]
                        ])), answer: .data(.schema("Keyboard")), failures: [.badRequest, .tooLarge])
        ) { request, context in
            let focus = try JSONText.decode(Focus.self, from: try await SmallBody.read(request, upTo: 1024))
            guard focus.page.isIdentifier, focus.events?.isIdentifier ?? true else {
                throw HTTPFailure.badRequest(
                    "bad_page", "The body's \"page\" and \"events\" must be 8 to 64 letters, digits, - and _.")
            }
            // A page on a phone does not take the focus from the windows of this machine.
            if context.isSameMachine {
                self.keyboards.focus(focus.focused, page: focus.page, events: focus.events)
            }
            return Envelope.answer(data: KeyboardMessage(self.keyboards.status))
        }
    }

    /// Adds the routes that pages of other origins may use too.
    func addText(to group: RouteGroup) {
        group.post(
            "keyboard/text",
            RouteDescription(
                "typeText", "Types a text into the window that has the focus",
                body: .json(
                    .fields(["text": ["type": "string", "minLength": .integer(1), "maxLength": .integer(1024)]])),
                answer: .data(.fields(["typed": ["type": "boolean"]])),
                failures: [.badRequest, .notFound, .conflict, .tooLarge, .tooMany])
        ) { request, context in
            // JSON may escape each character as \uXXXX, or as two of these beyond 16 bits.
            let body = try await SmallBody.read(request, upTo: 12 * Self.maximumCharacters + 1024)
            let text = try JSONText.decode(Text.self, from: body).text
            guard (1...Self.maximumCharacters).contains(text.unicodeScalars.count) else {
                throw HTTPFailure.badRequest(
                    "bad_text", "The body's \"text\" must have 1 to \(Self.maximumCharacters) characters.")
            }
            guard context.caller == .station || self.countText() else {
                throw HTTPFailure(
                    .tooManyRequests, "too_many_texts",
                    "Pages may type \(Int(Self.rate)) texts per second; try again in 1 s.",
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
                    "No destination types texts of pages; set forPages: true for a destination of the type keyboard.")
            }
        }
    }
}

/// The state of the keyboards, as sent to clients.
struct KeyboardMessage: Encodable {
    var keyboards: Int
    var armed: Bool
    var focused: Bool
    var typed: Int
    /// The texts that were not typed, by reason.
    var held: Held

    struct Held: Encodable {
        var disarmed: Int
        var focused: Int
    }

    init(_ status: TypingControl.Status) {
        keyboards = status.keyboards
        armed = status.isArmed
        focused = status.isFocused
        typed = status.typed
        held = Held(disarmed: status.disarmed, focused: status.focused)
    }
}

/// Publishes changes of the keyboards' state to the station's pages.
struct KeyboardPublisher: Sendable {
    let keyboards: TypingControl
    let scanService: ScanService

    /// The minimum interval between messages.
    private static let pause: Duration = .milliseconds(100)

    /// The interval of the check for pages that went silent and no longer have the focus.
    private static let interval: Duration = .seconds(5)

    /// Publishes until the task is cancelled.
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
        var told: TypingControl.Status?
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
