import BarcodeCore
import FoundationEssentials
import Logging
import ScanEvents
import ScanOutbox
import TestSupport
import Testing

@testable import StationDevices
@testable import StationServer

/// Manual actions at the station's page: typing, replaying deliveries, counting, signing in.
@Suite(.timeLimit(.minutes(10))) struct PageActionTests {
    /// The status, the body and the data of a response.
    private struct Answer {
        var status: Int
        var text: String
        var data: ReadJSON?
    }

    private indirect enum ReadJSON: Decodable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case list([ReadJSON])
        case object([String: ReadJSON])
        case null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .flag(value)
            } else if let value = try? container.decode(Int.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([ReadJSON].self) {
                self = .list(value)
            } else {
                self = .object(try container.decode([String: ReadJSON].self))
            }
        }

        subscript(_ path: String) -> ReadJSON? {
            var value = self
            for step in path.split(separator: ".") {
                if case .object(let members) = value, let member = members[String(step)] {
                    value = member
                } else if case .list(let items) = value, let index = Int(step), items.indices.contains(index) {
                    value = items[index]
                } else {
                    return nil
                }
            }
            return value
        }

        var string: String? { if case .text(let text) = self { text } else { nil } }
        var int: Int? { if case .number(let number) = self { number } else { nil } }
        var isNull: Bool { if case .null = self { true } else { false } }
        var count: Int { if case .list(let items) = self { items.count } else { 0 } }
    }

    private struct ReadEnvelope: Decodable { var data: ReadJSON? }

    private static func ask(
        _ port: Int, _ line: String, _ body: String? = nil, headers: String = ""
    ) async throws -> Answer {
        let length = body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        let head = ServerTests.head(line, port, "Connection: close\r\n\(headers)\(length)")
        let text = try await ServerTests.exchange(port, [head] + (body.map { [$0] } ?? []))
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
        let content = parts.count > 1 ? String(parts[1]) : ""
        return Answer(
            status: Int(text.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0, text: content,
            data: try? JSONDecoder().decode(ReadEnvelope.self, from: Data(content.utf8)).data)
    }

    // MARK: typing

    @Test func typedCodesAreEvents() async throws {
        try await ServerTests.serving { port, box in
            let plain = try await Self.ask(port, "POST /typed", #"{"text": " ORDER-1 "}"#)
            #expect(plain.status == 200)
            #expect(plain.data?["scan.event.source.kind"]?.string == "typed")
            #expect(plain.data?["scan.event.symbol.text"]?.string == "ORDER-1")
            let article = try await Self.ask(port, "POST /typed", #"{"text": "4006381333931"}"#)
            #expect(article.data?["scan.event.symbol.format"]?.string == "ean_13")
            // Invalid codes are only stored after a confirmation.
            let wrong = try await Self.ask(port, "POST /typed", #"{"text": "4006381333932"}"#)
            #expect(wrong.status == 422 && wrong.data?["reason"]?.string == "check_digit")
            #expect(wrong.data?["expected"]?.string == "1")
            #expect(try await box.outbox.status().events == 2)
            let kept = try await Self.ask(port, "POST /typed", #"{"text": "4006381333932", "confirmed": true}"#)
            #expect(kept.data?["scan.event.symbol.text"]?.string == "4006381333932")
            let gun = try await Self.ask(port, "POST /typed", #"{"text": "4006381333932", "gun": true}"#)
            #expect(gun.data?["scan.event.source.kind"]?.string == "device")
            #expect(gun.data?["scan.event.source.name"]?.string == "scan gun")
            #expect(try await box.outbox.status().events == 4)
            for (body, status, reason) in [
                (#"{"text": "  "}"#, 400, "empty_text"),
                (#"{"text": "a", "format": "nothing"}"#, 400, "unknown_format"),
                (#"{"format": "ean_13"}"#, 400, "bad_json"),
                (#"{"text": "1", "format": "ean_13"}"#, 422, "bad_length"),
                (#"{"text": "(01)1"}"#, 422, "bad_elements"),
                ("{\"text\": \"\(String(repeating: "a", count: 9000))\"}", 413, "too_large"),
            ] {
                let answer = try await Self.ask(port, "POST /typed", body)
                #expect(answer.status == status && answer.data?["reason"]?.string == reason, "\(body.prefix(60))")
            }
            #expect(try await box.outbox.status().events == 4)
        }
    }

    /// If a response was lost, the retry does not store the code twice.
    @Test func aTypedCodeThatIsSentAgainIsOne() async throws {
        try await ServerTests.serving { port, box in
            let headers = "Idempotency-Key: 0123456789abcdef\r\n"
            let first = try await Self.ask(port, "POST /typed", #"{"text": "A1"}"#, headers: headers)
            let second = try await Self.ask(port, "POST /typed", #"{"text": "A1"}"#, headers: headers)
            #expect(first.data?["scan.event.id"]?.string == second.data?["scan.event.id"]?.string)
            #expect(try await box.outbox.status().events == 1)
            _ = try await Self.ask(port, "POST /typed", #"{"text": "A1"}"#)
            #expect(try await box.outbox.status().events == 2)
        }
    }

    /// A code that waited in the page keeps the time at which it was typed.
    @Test func aTypedCodeThatIsSentLaterKeepsItsTime() async throws {
        try await ServerTests.serving { port, box in
            let before = Date()
            for age in ["3600", "-5", "1e300"] {
                _ = try await Self.ask(port, "POST /typed", #"{"text": "A1", "age": \#(age)}"#)
            }
            let ages = try await box.outbox.events(after: nil, limit: 10).map {
                (before.timeIntervalSince($0.event.time) / 60).rounded()
            }
            #expect(ages == [60, 0, 0])
        }
    }

    // MARK: deliveries

    @Test func whatWasGivenUpIsDeliveredAgain() async throws {
        try await ServerTests.serving { port, box in
            let now = Date()
            try await box.outbox.store([.test("1"), .test("2")], for: [Destination(name: "his")], now: now)
            let claims = try await box.outbox.claim("his", limit: 9, now: now, lease: .seconds(60))
            try await box.outbox.settle(
                claims.map { Settlement($0, state: .dead, status: 500, reason: "answered 500", attemptedAt: now) })
            let waiting = try await Self.ask(port, "GET /deliveries")
            #expect(waiting.data?["destinations.0.givenUp"]?.int == 2)
            #expect(waiting.data?["destinations.0.lastError"]?.string == "answered 500")
            #expect(waiting.data?["destinations.0.lastStatus"]?.int == 500)
            #expect(try await Self.ask(port, "POST /deliveries/replay").data?["deliveries"]?.int == 2)
            let after = try await Self.ask(port, "GET /deliveries")
            #expect(after.data?["destinations.0.pending"]?.int == 2 && after.data?["destinations.0.givenUp"]?.int == 0)
        }
    }

    @Test(arguments: ["GET /scans/ID", "POST /scans/ID/replay"])
    func anUnknownScanIsNamedByItsIdentifier(_ line: String) async throws {
        try await ServerTests.serving { port, _ in
            let id = EventID(now: Date())
            let answer = try await Self.ask(port, line.replacing("ID", with: "\(id)"))
            #expect(answer.status == 404)
            #expect(answer.text.contains("\"errorMsg\":\"No scan has the ID \(id).\""))
        }
    }

    @Test func aPauseIsTold() async throws {
        try await ServerTests.serving { port, box in
            let now = Date()
            try await box.outbox.store([.test("1")], for: [Destination(name: "his")], now: now)
            let claims = try await box.outbox.claim("his", limit: 9, now: now, lease: .seconds(60))
            try await box.outbox.settle(
                claims.map {
                    Settlement(
                        $0, state: .pending, delay: .seconds(5), pause: .seconds(3600), status: 429,
                        reason: "answered 429", attemptedAt: now)
                })
            let waiting = try await Self.ask(port, "GET /deliveries")
            #expect(waiting.data?["destinations.0.pausedUntil"]?.string == (now + 3600).rfc3339)
        }
    }

    // MARK: search

    @Test func theHistoryIsSearched() async throws {
        try await ServerTests.serving { port, box in
            _ = try await box.store(["ORDER-1", "order-2", "x"])
            func found(_ query: String) async throws -> Answer { try await Self.ask(port, "GET /scans?\(query)") }
            #expect(try await found("q=rder").data?["scans"]?.count == 2)
            #expect(try await found("q=RDER-1").data?["scans.0.event.symbol.text"]?.string == "ORDER-1")
            #expect(try await found("q=r%22d").data?["scans"]?.count == 0)
            #expect(try await found("operator=Anna").data?["scans"]?.count == 0)
            #expect(try await found("q=a&prefix=b").status == 400)
            #expect(try await Self.ask(port, "GET /scans.csv?q=order-2").text.contains("\"order-2\""))
        }
    }

    // MARK: counting

    @Test func aCountFromItsOpeningToItsEvent() async throws {
        try await ServerTests.serving { port, box in
            #expect(try await Self.ask(port, "GET /counts").data?["counts"]?.count == 0)
            _ = try await box.store(["before"])
            let opened = try await Self.ask(port, "POST /counts", #"{"name": "shelf 3"}"#)
            #expect(opened.data?["total"]?.int == 0 && opened.data?["closedAt"]?.isNull == true)
            let path = "/counts/\(opened.data?["number"]?.int ?? 0)"
            #expect(try await Self.ask(port, "POST /counts", "{}").data?["reason"]?.string == "count_open")
            _ = try await box.store(["A", "B", "A"])
            _ = try await Self.ask(port, "POST /typed", #"{"text": "A"}"#)
            var count = try await Self.ask(port, "GET \(path)")
            // A typed code has another symbology than a scanned one, so it is counted on another line.
            #expect(count.data?["total"]?.int == 4 && count.data?["codes"]?.int == 3)
            #expect(count.data?["lines.0.text"]?.string == "A" && count.data?["lines.0.quantity"]?.int == 2)
            count = try await Self.ask(port, "POST \(path)/undo")
            #expect(count.data?["total"]?.int == 3 && count.data?["codes"]?.int == 2)
            count = try await Self.ask(
                port, "POST \(path)/lines", #"{"format": "qr_code", "text": "B", "quantity": 24}"#)
            #expect(count.data?["total"]?.int == 26)
            for (body, reason) in [
                (#"{"format": "qr_code", "text": "C", "quantity": 1}"#, "no_such_line"),
                (#"{"format": "qr_code", "text": "B", "quantity": -1}"#, "bad_quantity"),
                (#"{"format": "qr_code", "text": "B", "quantity": 1000001}"#, "bad_quantity"),
            ] {
                #expect(try await Self.ask(port, "POST \(path)/lines", body).data?["reason"]?.string == reason)
            }
            let table = try await Self.ask(port, "GET \(path)/csv")
            #expect(table.text.contains("\"shelf 3\",\"qr_code\",\"B\",\"24\"\r\n"))
            #expect(
                try await Self.ask(port, "POST \(path)/close", #"{"destination": "x"}"#).data?["reason"]?.string
                    == "unknown_destination")
            let closed = try await Self.ask(port, "POST \(path)/close", "{}")
            let id = try #require(closed.data?["event"]?.string.flatMap { EventID($0) })
            let event = try #require(try await box.outbox.event(id)?.event)
            #expect(event.source.kind == .count && event.symbol.text == "shelf 3")
            #expect(
                event.count?.lines == [
                    CountedLines.Line(format: "qr_code", text: "A", quantity: 2),
                    CountedLines.Line(format: "qr_code", text: "B", quantity: 24),
                ])
            for action in ["close", "undo"] {
                #expect(try await Self.ask(port, "POST \(path)/\(action)").status == 409)
            }
            _ = try await box.store(["after"])
            #expect(try await Self.ask(port, "GET \(path)").data?["total"]?.int == 26)
            #expect(try await Self.ask(port, "GET /counts/99").status == 404)
            #expect(try await Self.ask(port, "GET /counts/x").status == 400)
        }
    }

    /// A count that only becomes a file, without an event.
    @Test func aCountThatIsNotDelivered() async throws {
        try await ServerTests.serving { port, box in
            let number = try await Self.ask(port, "POST /counts").data?["number"]?.int ?? 0
            _ = try await box.store(["A"])
            let closed = try await Self.ask(port, "POST /counts/\(number)/close", #"{"deliver": false}"#)
            #expect(closed.data?["event"]?.isNull == true && closed.data?["closedAt"]?.string != nil)
            #expect(try await box.outbox.status().events == 1)
            #expect(try await Self.ask(port, "GET /counts/\(number)/csv").text.contains("\"A\",\"1\""))
        }
    }

    private static func reading(_ texts: [String]) -> StationCamera.Reading {
        let corner = Point(x: 0, y: 0)
        let symbols = texts.map {
            Symbol(
                symbology: .qrCode, symbologyIdentifier: "]Q1", bytes: Array($0.utf8), text: $0,
                charset: Charset(name: "us-ascii", source: .validity),
                corners: Quadrilateral(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner))
        }
        return StationCamera.Reading(
            symbols: symbols, size: PixelSize(width: 1, height: 1), card: "", path: "", file: nil)
    }

    /// A repeated code, which is not an event, still counts; and a count survives a restart.
    @Test func repeatedCodesCountAndACountGoesOn() async throws {
        let box = try TestScanService(policy: .window(.seconds(3600)))
        let counts = box.scanService.counts
        let number = try #require(try await counts.open(name: "", now: Date()))
        for texts in [["A", "B"], ["A"], ["A", "MECARD:N:Doe,Jane;TEL:+49123;;"]] {
            await box.scanService.accept(Self.reading(texts))
        }
        #expect(try await box.outbox.status().events == 3)
        let lines = [
            CountedLines.Line(format: "qr_code", text: "A", quantity: 3),
            CountedLines.Line(format: "qr_code", text: "B", quantity: 1),
            // A personal message only counts by its kind.
            CountedLines.Line(format: "qr_code", text: "contact", quantity: 1),
        ]
        #expect(try await counts.lines(of: number) == lines)
        // As after a kill: nothing was closed.
        let next = try CountStore(box.outbox)
        #expect(next.openNumber == nil)
        try await next.resume()
        #expect(next.openNumber == number)
        #expect(try await next.lines(of: number) == lines)
        #expect(try await next.open(name: "second", now: Date()) == nil)
    }

    @Test("A message that is spread over two symbols counts once, when both were read")
    func splitMessagesCountOnce() async throws {
        let folder = try TestFolder()
        let outbox = try Outbox(path: folder["outbox.sqlite"]) { parts in
            ScannedSymbol(symbology: .qrCode, text: parts.map(\.text).joined(), bytes: parts.flatMap(\.bytes))
        }
        let service = try ScanService(
            outbox: outbox, station: "test", destinations: [], policy: .none,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let number = try #require(try await service.counts.open(name: "", now: Date()))
        for (index, text) in ["first ", "second"].enumerated() {
            #expect(try await service.counts.lines(of: number) == [])
            var symbol = ScannedSymbol(symbology: .qrCode, text: text, bytes: Array(text.utf8))
            symbol.structuredAppend = MessagePart(index: index, count: 2, parity: 7)
            let submission = ScanSubmission(symbols: [symbol], source: ScanSource(kind: .upload))
            #expect(try await service.store([submission], request: nil).count == 1)
        }
        let whole = CountedLines.Line(format: "qr_code", text: "first second", quantity: 1)
        #expect(try await service.counts.lines(of: number) == [whole])
        // Without a name, parts of different pictures are not joined.
        var nameless = ScannedSymbol(symbology: .maxiCode, text: "half", bytes: Array("half".utf8))
        nameless.structuredAppend = MessagePart(index: 0, count: 2)
        let submission = ScanSubmission(symbols: [nameless], source: ScanSource(kind: .upload))
        _ = try await service.store([submission], request: nil)
        let half = CountedLines.Line(format: "maxi_code", text: "message_part", quantity: 1)
        #expect(try await service.counts.lines(of: number) == [whole, half])
    }

    @Test("A stored part is the same reading as the one that came, although it lists what is missing")
    func partsAreRecognized() {
        var part = ScannedSymbol(symbology: .qrCode, text: "a", bytes: [0x61])
        part.structuredAppend = MessagePart(index: 0, count: 2, parity: 7)
        var stored = part
        stored.structuredAppend?.missing = [1]
        #expect(part != stored && part.isReading(of: stored) && stored.isReading(of: part))
        stored.text = "b"
        #expect(!part.isReading(of: stored))
    }

    @Test func aChosenDestinationGetsTheCountWhateverItsFilterSays() async throws {
        let folder = try TestFolder()
        let outbox = try Outbox(path: folder["outbox.sqlite"])
        let camera = Destination(name: "camera", filter: EventFilter(sources: [.camera]))
        let service = try ScanService(
            outbox: outbox, station: "test", destinations: [camera, Destination(name: "all")], policy: .none,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for (destination, expected) in [(nil, ["all"]), ("camera", ["camera"])] as [(String?, [String])] {
            let number = try #require(try await service.counts.open(name: "x", now: Date()))
            #expect(try await service.closeCount(number, delivers: true, to: destination))
            let id = try #require(try await service.counts.record(number)?.event.flatMap { EventID($0) })
            #expect(try await outbox.event(id)?.deliveries.map(\.destination) == expected)
            #expect(service.counts.openNumber == nil)
        }
    }

    // MARK: operator and place

    private static let workplace: WorkplaceSettings = {
        var settings = WorkplaceSettings()
        settings.badge = try? TextPattern("^STAFF-")
        settings.placeCode = try? TextPattern("^PLACE:(.+)$")
        settings.place = "counter"
        return settings
    }()

    private func service(_ outbox: Outbox) throws -> ScanService {
        try ScanService(
            outbox: outbox, station: "test", destinations: [], policy: .none, workplace: Self.workplace,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func badgesAndPlacesAreOnEveryEventAndMakeNone() async throws {
        let folder = try TestFolder()
        let path = folder["outbox.sqlite"]
        let outbox = try Outbox(path: path)
        let service = try service(outbox)
        try await service.resume()
        func events() async throws -> [ScanEvent] {
            try await outbox.events(after: nil, limit: 99).map(\.event)
        }
        await service.accept(Self.reading(["first"]))
        await service.accept(Self.reading(["STAFF-0042", "PLACE:ward-7"]))
        await service.accept(Self.reading(["second"]))
        let typed = ScannedSymbol(symbology: .qrCode, text: "third", bytes: Array("third".utf8))
        _ = try await service.store(typed: typed, isGun: false, key: nil)
        let badge = try #require(service.workplace.current(at: Date())?.badge)
        var stored = try await events()
        #expect(stored.map(\.symbol.text) == ["first", "second", "third"])
        let shortened = String(badge.prefix(8))
        #expect(stored.map(\.operator) == [nil, shortened, shortened])
        #expect(stored.map(\.place) == ["counter", "ward-7", "ward-7"])
        // The person chooses a name, which the next scan of the badge finds.
        #expect(try await service.workplace.name("Anna", at: Date()))
        service.workplace.signOut()
        #expect(try await !service.workplace.name("Nobody", at: Date()))
        await service.accept(Self.reading(["fourth"]))
        await service.accept(Self.reading(["STAFF-0042"]))
        await service.accept(Self.reading(["fifth"]))
        stored = try await events()
        #expect(stored.suffix(2).map(\.operator) == [nil, "Anna"])
        var query = HistoryQuery()
        query.operator = "Anna"
        #expect(try await outbox.history(query).map(\.event.symbol.text) == ["fifth"])
        let cells = ScanTable.row(try #require(try await outbox.history(query).first), withholdsPersonal: true)
        #expect(String(decoding: cells, as: UTF8.self).hasSuffix("\"Anna\",\"ward-7\"\r\n"))
        // After a restart the same badge has the same hash, and the place is kept; nobody is signed in.
        let next = try self.service(outbox)
        try await next.resume()
        #expect(next.workplace.current(at: Date()) == nil && next.workplace.place == "ward-7")
        await next.accept(Self.reading(["STAFF-0042"]))
        #expect(next.workplace.current(at: Date())?.badge == badge)
        // The badge is not contained in the files.
        try outbox.close()
        for ending in ["", "-wal"] {
            let bytes = (try? Data(contentsOf: URL(filePath: path + ending))) ?? Data()
            #expect(!String(decoding: bytes, as: UTF8.self).contains("STAFF-0042"), "\(ending)")
        }
    }

    @Test func whoReadsNothingIsSignedOut() async throws {
        let folder = try TestFolder()
        let outbox = try Outbox(path: folder["outbox.sqlite"])
        var settings = Self.workplace
        settings.signOutAfter = .seconds(60)
        let workplace = try Workplace(settings, outbox: outbox)
        try await workplace.resume()
        let start = Date(milliseconds: 1_800_000_000_000)
        let symbol = ScannedSymbol(symbology: .qrCode, text: "STAFF-1", bytes: [])
        let submission = ScanSubmission(symbols: [symbol], source: ScanSource(kind: .device))
        let (rest, isChanged) = try await workplace.taking(submission, at: start)
        #expect(rest.symbols.isEmpty && isChanged)
        #expect(workplace.stamped(rest, at: start + 59).operator != nil)
        // The sign-in was extended by the scan.
        #expect(workplace.current(at: start + 118) != nil)
        #expect(workplace.stamped(rest, at: start + 119).operator == nil)
        #expect(workplace.stamped(rest, at: start).operator == nil)
    }

    @Test func theWorkplaceByHand() async throws {
        try await ServerTests.serving { port, _ in
            let empty = try await Self.ask(port, "GET /workplace")
            #expect(empty.data?["operator"]?.isNull == true && empty.data?["place"]?.isNull == true)
            func change(_ body: String) async throws -> Answer { try await Self.ask(port, "POST /workplace", body) }
            #expect(try await change(#"{"place": "ward-1"}"#).data?["place"]?.string == "ward-1")
            let typed = try await Self.ask(port, "POST /typed", #"{"text": "x"}"#)
            #expect(typed.data?["scan.event.place"]?.string == "ward-1")
            #expect(try await change(#"{"signOut": true}"#).data?["place"]?.string == "ward-1")
            #expect(try await change(#"{"place": null}"#).data?["place"]?.isNull == true)
            #expect(try await change(#"{"name": "Anna"}"#).data?["reason"]?.string == "nobody_signed_in")
            #expect(try await change(#"{"place": ""}"#).status == 400)
        }
    }
}
