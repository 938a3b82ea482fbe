import BarcodeCore
import FoundationEssentials
import ScanDevices
import Synchronization
import Testing

@testable import StationServer

/// The switch for typing codes into other windows, and the texts that pages have typed.
@Suite(.timeLimit(.minutes(10))) struct KeyboardTests {
    private static let origin = "https://oa.example"

    private struct Message: Decodable, Equatable {
        struct Held: Decodable, Equatable {
            var disarmed: Int
            var focused: Int
        }

        var keyboards: Int
        var armed: Bool
        var focused: Bool
        var typed: Int
        var held: Held
    }

    private struct Reason: Decodable { var reason: String }

    private struct Session: Decodable { var session: String }

    private struct Read<Content: Decodable>: Decodable { var data: Content }

    /// Returns the status and body of a response; sends the station's token unless another header is given.
    private static func ask(
        _ port: Int, _ line: String, _ body: String? = nil, head: String? = nil
    ) async throws -> (status: Int, body: Data) {
        let length = body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        let more = "Connection: close\r\n\(length)"
        let first =
            head.map { "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\($0)\(more)\r\n" }
            ?? ServerTests.head(line, port, more)
        let text = try await ServerTests.exchange(port, [first] + (body.map { [$0] } ?? []))
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
        return (Int(text.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0, Data((parts.last ?? "").utf8))
    }

    private static func message(_ port: Int, _ line: String, _ body: String? = nil) async throws -> Message {
        try JSONDecoder().decode(Read<Message>.self, from: try await ask(port, line, body).body).data
    }

    /// Returns the error, such as `404 no_keyboard`.
    private static func refusal(
        _ port: Int, _ line: String, _ body: String?, head: String? = nil
    ) async throws -> String {
        let answer = try await ask(port, line, body, head: head)
        let reason = try? JSONDecoder().decode(Read<Reason>.self, from: answer.body).data.reason
        return "\(answer.status)" + (reason.map { " \($0)" } ?? "")
    }

    @Test func itIsSwitchedAndTold() async throws {
        let control = TypingControl()
        try await ServerTests.serving(keyboards: control) { port, _ in
            #expect(try await Self.refusal(port, "POST /keyboard", #"{"armed": true}"#) == "404 no_keyboard")
            #expect(!control.isArmed)
            control.attach()
            let armed = try await Self.message(port, "POST /keyboard", #"{"armed": true}"#)
            #expect(armed.armed && armed.keyboards == 1 && control.isArmed)
            control.focus(true, page: "page-0001")
            for obstacle in [nil, TypingControl.Obstacle.disarmed, .focused, .focused] { control.count(obstacle) }
            #expect(
                try await Self.message(port, "GET /keyboard")
                    == Message(
                        keyboards: 1, armed: true, focused: true, typed: 1, held: .init(disarmed: 1, focused: 2)))
            #expect(try await !Self.message(port, "POST /keyboard", #"{"armed": false}"#).armed)
            #expect(!control.isArmed)
            #expect(try await Self.refusal(port, "POST /keyboard", "{}") == "400 bad_json")
            #expect(
                try await Self.refusal(port, "POST /keyboard/focus", #"{"page": "a", "focused": true}"#)
                    == "400 bad_page")
        }
    }

    /// A page that disappears with the focus loses it, after the time for a reconnect.
    @Test func aPageThatVanishesHasTheFocusNoMore() async throws {
        let control = TypingControl()
        control.attach()
        try await ServerTests.serving(keyboards: control) { port, _ in
            let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                // A client that stays, to receive the change.
                group.addTask {
                    let heard = try await ServerTests.exchange(port, [ServerTests.head("GET /events", port)]) { text in
                        if text.contains("retry:") { isReady.yield() }
                        let parts = text.split(separator: #""focused":true"#, omittingEmptySubsequences: false)
                        return parts.count > 1 && (parts.last ?? "").contains(#""focused":false"#)
                    }
                    #expect(heard.contains("event: keyboard"))
                }
                var signals = ready.makeAsyncIterator()
                _ = await signals.next()
                let (open, isOpen) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    let head = ServerTests.head("GET /events?page=page-0001", port)
                    _ = try await ServerTests.exchange(port, [head]) { text in
                        if text.contains("retry:") { isOpen.yield() }
                        return text.contains(#""focused":true"#)
                    }
                }
                var openings = open.makeAsyncIterator()
                _ = await openings.next()
                let told = try await Self.message(
                    port, "POST /keyboard/focus", #"{"page": "page-0001", "focused": true}"#)
                #expect(told.focused)
                try await group.waitForAll()
            }
            #expect(!control.status.isFocused)
        }
    }

    @Test func pagesOfOtherOrigins() async throws {
        let control = TypingControl()
        let typed = Mutex<[String]>([])
        try await ServerTests.serving({ $0.origins = [Self.origin] }, keyboards: control) { port, _ in
            let from = "Origin: \(Self.origin)\r\n"
            let opened = try await Self.ask(port, "POST /bridge/session", "", head: from)
            let session = try JSONDecoder().decode(Read<Session>.self, from: opened.body).data.session
            let head = from + "Authorization: Bearer \(session)\r\n"
            let text = #"{"text": "4006381333931"}"#
            // Only a page of an allowed origin, with its session, may type, and it cannot change the settings.
            #expect(try await Self.refusal(port, "POST /keyboard/text", text, head: from) == "401 no_token")
            #expect(
                try await Self.refusal(port, "POST /keyboard/text", text, head: "Origin: https://x.example\r\n")
                    == "403 unknown_origin")
            for (line, body) in [
                ("GET /keyboard", nil), ("POST /keyboard", #"{"armed": true}"#),
                ("POST /keyboard/focus", #"{"page": "page-0001", "focused": false}"#),
            ] {
                #expect(try await Self.refusal(port, line, body, head: head) == "403 session_not_enough", "\(line)")
            }
            #expect(try await Self.refusal(port, "POST /keyboard/text", text, head: head) == "404 no_keyboard")
            let outcome = Mutex(TypingControl.TypingOutcome.typed)
            control.attach { text in
                typed.withLock { $0.append(text) }
                return outcome.withLock { $0 }
            }
            for (next, said) in [
                (.typed, "200"), (.held(.disarmed), "409 not_armed"), (.held(.focused), "409 page_focused"),
                (.refused("no right"), "409 not_typed"),
            ] as [(TypingControl.TypingOutcome, String)] {
                outcome.withLock { $0 = next }
                #expect(try await Self.refusal(port, "POST /keyboard/text", text, head: head) == said)
            }
            #expect(typed.withLock { $0 } == Array(repeating: "4006381333931", count: 4))
            for wrong in [#"{"text": ""}"#, "{\"text\": \"\(String(repeating: "a", count: 1025))\"}"] {
                #expect(try await Self.refusal(port, "POST /keyboard/text", wrong, head: head) == "400 bad_text")
            }
        }
    }

    /// Texts beyond the rate limit are rejected, even after a pause.
    @Test func tooManyTexts() {
        let time = Time()
        let routes = KeyboardRoutes(keyboards: TypingControl()) { time.now }
        for (seconds, admitted) in [(0.0, 5), (0.5, 2), (100, 5)] {
            time.pass(seconds)
            #expect((0..<10).count { _ in routes.countText() } == admitted, "after \(seconds) s more")
        }
    }

    private final class Time: Sendable {
        private let value = Mutex(Date(timeIntervalSince1970: 0))
        var now: Date { value.withLock { $0 } }
        func pass(_ seconds: Double) { value.withLock { $0.addTimeInterval(seconds) } }
    }
}
