import AsyncHTTPClient
import BarcodeCore
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import Symbols
import TestSupport
import Testing

/// The content of a code is data everywhere: it arrives unchanged, and cannot end a string or a line, or turn a cell
/// into a formula.
@Suite(.timeLimit(.minutes(10))) struct HostileContentTests {
    /// The content of a symbol as bytes, and as text.
    struct Content: Sendable {
        var name: String
        var bytes: [UInt8]
        var text: String

        init(_ name: String, _ text: String) {
            (self.name, bytes, self.text) = (name, Array(text.utf8), text)
        }

        init(_ name: String, bytes: [UInt8], text: String) {
            (self.name, self.bytes, self.text) = (name, bytes, text)
        }

        /// Returns the picture of its QR code, as PGM.
        func picture() throws -> [UInt8] {
            let grid = try QREncoder.encode([.bytes(bytes)], version: 8, level: .medium)
            let image = SymbolRenderer(grid, modulePixels: 4).image()
            return Array("P5 \(image.width) \(image.height) 255\n".utf8)
                + (0..<image.height).flatMap { y in (0..<image.width).map { image[x: $0, y: y] } }
        }
    }

    static let contents = [
        Content("a script in a script", "');alert(1);('"),
        Content("the end of a script", "</script><script>alert(1)</script><!--"),
        Content("an attribute", "\"><img src=x onerror=alert(1)>"),
        Content("a template", "`${alert(1)}` {{7*7}} %s \\x22 \\u0022 \\"),
        Content("separators of lines", "a\u{2028}b\u{2029}c\u{85}d"),
        Content("a NUL", "a\0b"),
        Content("an event of its own", "x\r\n\r\nid: 9\nevent: scan\ndata: {}\n\n"),
        Content("another header", "x\r\nSet-Cookie: a=b\r\n\r\n<html>"),
        Content("a terminal", "\u{1B}[2J\u{1B}]0;x\u{7}"),
        Content("the other direction", "abc\u{202E}fdp.exe"),
        Content("beyond the plane", "\u{1F600}\u{10FFFF}\u{FFFE}"),
        Content("composed and not", "\u{E9} e\u{301}"),
        Content("a formula", "=cmd|'/C calc'!A0"),
        Content("a name of JavaScript", "__proto__"),
        Content("JSON", "{\"callback\":\"eval\"}"),
        Content("GB18030", bytes: [0xD0, 0xBB, 0xCE, 0xB0, 0xB5, 0xC4, 0xCA, 0xE9], text: "谢伟的书"),
        Content("bytes", bytes: [0x00, 0xFF, 0x01, 0x80, 0x81, 0x02], text: "\0\u{FF}\u{1}\u{80}\u{81}\u{2}"),
    ]

    // MARK: responses

    private struct Answer<Content: Decodable>: Decodable {
        var isSuccess: Bool
        var errorMsg: String
        var data: Content
    }

    private struct Upload: Decodable {
        struct Picture: Decodable {
            struct Symbol: Decodable {
                var rawValue: String
                var rawBytes: Data
            }
            var symbols: [Symbol]
            var events: [String]
        }
        var pictures: [Picture]
    }

    private struct Request: Decodable {
        struct Call: Decodable {
            var function: [String]
            var arguments: [String]
        }
        var request: String
        var state: String
        var calls: [Call]
    }

    private struct Record: Decodable {
        struct Event: Decodable {
            struct Symbol: Decodable {
                var text: String
                var bytes: Data
            }
            var id: String
            var symbol: Symbol
        }
        var event: Event
    }

    private func decoded<Content: Decodable>(_ body: String, as type: Content.Type) throws -> Content {
        try JSONDecoder().decode(Answer<Content>.self, from: Data(body.utf8)).data
    }

    /// Compared by scalars, because Swift treats different Unicode compositions as equal.
    private func expectSame(_ found: String, _ content: Content, _ place: String) {
        #expect(
            found.unicodeScalars.elementsEqual(content.text.unicodeScalars),
            "\(content.name), \(place): \(found.debugDescription)")
    }

    private func ask(_ station: RunningStation, _ id: String) async throws -> Request {
        let question = #"{"request":"\#(id)","message":{"callback":"page.heard","source":"any"}}"#
        let answer = try await station.answer(
            to: station.request(
                .POST, "/bridge/hospital", body: Array(question.utf8), type: "application/json"))
        #expect(answer.status == 202, "\(answer.body)")
        return try decoded(answer.body, as: Request.self)
    }

    // MARK: paths

    @Test func fromAPictureToThePage() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        let lines = Lines(try await HTTPClient.shared.execute(station.request(.GET, "/events"), timeout: .seconds(120)))
        for (number, content) in Self.contents.enumerated() {
            let id = "request-\(1000 + number)"
            #expect(try await ask(station, id).state == "open")
            let answer = try await station.answer(
                to: station.request(
                    .POST, "/scan?request=\(id)", body: content.picture(), type: "application/octet-stream"))
            let picture = try #require(decoded(answer.body, as: Upload.self).pictures.first)
            let symbol = try #require(picture.symbols.first, "\(content.name)")
            expectSame(symbol.rawValue, content, "the answer to the picture")
            #expect(Array(symbol.rawBytes) == content.bytes, "\(content.name)")
            let request = try await ask(station, id)
            #expect(request.state == "answered")
            #expect(request.calls.map(\.function) == [["page", "heard"]])
            expectSame(try #require(request.calls.first?.arguments.first), content, "the call")
            let event = try #require(picture.events.first)
            let record = try await station.answer(to: station.request(.GET, "/scans/\(event)"))
            let kept = try decoded(record.body, as: Record.self).event
            expectSame(kept.symbol.text, content, "the event")
            #expect(Array(kept.symbol.bytes) == content.bytes, "\(content.name)")
            // The next scan of the stream is this one, whatever the previous one contained.
            let told = try await lines.scan()
            #expect(told.id == event, "\(content.name)")
            let heard = try JSONDecoder().decode(Record.self, from: Data(told.data.utf8)).event
            expectSame(heard.symbol.text, content, "the stream of events")
        }
        let table = try await station.answer(to: station.request(.GET, "/scans.csv?limit=100")).body
        #expect(table.contains("'=cmd|") && !table.contains(",=cmd|") && !table.contains(",\"=cmd|"))
        #expect(!station.said.contains("alert") && !station.said.contains("\u{1B}"))
        #expect(try await station.end(SIGTERM)?.ending == .exit(0))
    }

    @Test func fromTheCameraToThePage() async throws {
        let content = Content(
            "everything", "');alert(1);('</script>\u{2028}\0\r\n\r\ndata: x\r\n\r\n\u{1B}[2J中\u{1F600}")
        let station = try RunningStation()
        let file = try station.folder.file("code.pgm", content.picture())
        try await station.start(["--replay", file, "--replay-rate", "20"])
        let lines = Lines(
            try await HTTPClient.shared.execute(station.request(.GET, "/events?view=1"), timeout: .seconds(60)))
        #expect(try await ask(station, "request-camera").request == "request-camera")
        while true {
            let told = try await lines.next()
            guard told.event == "request" else { continue }
            let request = try JSONDecoder().decode(Request.self, from: Data(told.data.utf8))
            guard request.state != "open" else { continue }
            #expect(request.state == "answered")
            expectSame(try #require(request.calls.first?.arguments.first), content, "the call")
            break
        }
        struct Shown: Decodable { var text: String }
        let frame = try await HTTPClient.shared.execute(station.request(.GET, "/frame.jpg"), timeout: .seconds(30))
        #expect(frame.status == .ok)
        #expect(frame.headers["Set-Cookie"].isEmpty)
        let header = try #require(frame.headers.first(name: "X-Symbols"))
        #expect(header.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        let shown = try JSONDecoder().decode([Shown].self, from: Data(header.utf8))
        expectSame(try #require(shown.first?.text), content, "the header")
        #expect(try await frame.body.collect(upTo: 1 << 20).readableBytes > 500)
        #expect(try await station.end(SIGTERM)?.ending == .exit(0))
    }

    /// Parses the events of a stream, with the line rules of the HTML standard.
    private final class Lines {
        struct Event {
            var id: String?
            var event: String?
            var data = ""
        }

        private var body: HTTPClientResponse.Body.AsyncIterator
        private var unread: [UInt8] = []

        init(_ response: HTTPClientResponse) {
            body = response.body.makeAsyncIterator()
        }

        func scan() async throws -> (id: String, data: String) {
            while true {
                let event = try await next()
                if event.event == "scan" { return (try #require(event.id), event.data) }
            }
        }

        func next() async throws -> Event {
            var event = Event()
            while true {
                let line = try await line()
                if line.isEmpty {
                    if event.event != nil { return event }
                    event = Event()
                } else if let value = line.value(of: "id") {
                    event.id = value
                } else if let value = line.value(of: "event") {
                    event.event = value
                } else if let value = line.value(of: "data") {
                    event.data += value
                }
            }
        }

        /// Returns a line without its end, which may be CR or LF.
        private func line() async throws -> String {
            while true {
                if let end = unread.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
                    defer { unread.removeSubrange(...end) }
                    return String(decoding: unread[..<end], as: UTF8.self)
                }
                guard let buffer = try await body.next() else { throw Ended() }
                unread += buffer.readableBytesView
            }
        }

        struct Ended: Error {}
    }
}

extension String {
    /// Returns the value of a field; `nil` for another field.
    fileprivate func value(of field: String) -> String? {
        guard hasPrefix(field + ":") else { return nil }
        let value = dropFirst(field.count + 1)
        return String(value.first == " " ? value.dropFirst() : value)
    }
}
