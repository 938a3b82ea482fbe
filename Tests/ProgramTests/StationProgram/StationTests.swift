import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// The built station, as its users run it.
@Suite(.timeLimit(.minutes(10))) struct StationTests {
    private struct Answer: Decodable {
        struct Content: Decodable {
            struct Picture: Decodable {
                struct Symbol: Decodable { var rawValue: String }
                struct PageImage: Decodable {
                    var page: Int?
                    var width: Int
                    var height: Int
                    var image: String
                }
                var symbols: [Symbol]
                var events: [String]
                var pageImages: [PageImage]?
            }
            var pictures: [Picture]?
            var reason: String?
        }
        var isSuccess: Bool
        var code: Int
        var data: Content

        init(_ body: String) throws { self = try JSONDecoder().decode(Answer.self, from: Data(body.utf8)) }
    }

    private static func sample(_ name: String) throws -> [UInt8] {
        try #require(readFile("\(RunningStation.samples)/\(name)"))
    }

    @Test func itOpensWithoutCameraOrConfiguration() async throws {
        let station = try RunningStation()
        try await station.start(["--replay", RunningStation.samples])
        #expect(try await station.answer(to: station.request(.GET, "/ping", headers: [])).status == 200)
        // The page contains no data, and asks for the token itself.
        let page = try await station.answer(to: station.request(.GET, "/", headers: []))
        #expect(page.status == 200 && page.body.contains("id=\"sign-in\"") && !page.body.contains(station.token))
        // The codes in the replayed pictures arrive without a request.
        let ids = try await station.scans(2, after: nil)
        #expect(ids.count >= 2)
        let record = try await station.answer(to: station.request(.GET, "/scans/\(ids[0])"))
        #expect(record.status == 200 && record.body.contains("\"kind\":\"camera\""))
        // The token is in its file, and never in a log message.
        #expect(!station.said.contains(station.token))
        #expect(station.said.contains("the token is in"))
        let end = try await station.end(SIGTERM)
        #expect(end?.ending == .exit(0))
    }

    /// What a camera sees is decoded in a sandboxed process; if that dies, a new one continues.
    @Test(.enabled(if: ProgramTests.Machine.hasSandbox)) func cameraFramesAreDecodedInAWorker() async throws {
        let station = try RunningStation()
        try await station.start(["--replay", RunningStation.samples])
        for _ in 0..<2 {
            // The sandbox is entered after the start.
            let isFiltered = await eventually {
                station.children.contains { readFile("/proc/\($0)/status")?.text.contains("Seccomp:\t2\n") == true }
            }
            #expect(isFiltered)
            let workers = station.children
            #expect(workers.count == 1)
            for worker in workers { kill(worker, SIGSEGV) }
            #expect(remaining(of: workers).isEmpty)
        }
        // Only events from now on.
        #expect(try await station.scans(1, after: nil).count == 1)
        #expect(try await station.end(SIGTERM)?.ending == .exit(0))
    }

    /// The description is valid OpenAPI, and the station's responses match it.
    @Test func answersAreAsDescribed() async throws {
        let station = try RunningStation()
        // The weight of a scale is valid for ten seconds, however long the rest takes.
        let weight = #"{"device":"scale","event":"weight","weight":"1.250","unit":"kg","after":0.5}"# + "\n"
        let simulation = try station.folder.file(
            "devices.jsonl",
            Array(
                (#"{"device":"gun","event":"scan","text":"1","after":0}"# + "\n" + String(repeating: weight, count: 900))
                    .utf8))
        try await station.start(["--replay", RunningStation.samples, "--simulate", simulation])
        // There is a picture once a symbol was decoded in one.
        _ = try await station.scans(1, after: nil)
        let python = ProgramRunner(executable: RunningStation.python)
        // Together their symbols have most of the optional fields.
        let pictures = [
            "ean13.png", "ean13-addon5.png", "code32.png", "composite.png", "data-matrix-gs1.png", "qr-append-both.png",
        ].map { RunningStation.samples + "/" + $0 }
        let result = try await python(
            [RunningStation.support + "check_openapi.py", station.base, station.token] + pictures)
        #expect(result.ending == .exit(0) && result.text == "\n", "\(result.text)\(result.messages)")
        _ = try await station.end(SIGTERM)
    }

    @Test func aPictureIsReadStoredAndThere() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        let upload = station.request(.POST, "/scan?name=a.png", body: try Self.sample("ean13.png"))
        let answer = try Answer(try await station.answer(to: upload).body)
        let picture = try #require(answer.data.pictures?.first)
        #expect(picture.symbols.map(\.rawValue) == ["4006381333931"])
        #expect(try await station.answer(to: station.request(.GET, "/scans/\(picture.events[0])")).status == 200)
        let table = try await station.answer(to: station.request(.GET, "/scans.csv")).body
        #expect(table.split(separator: "\r\n").count == 2 && table.contains("\"4006381333931\""))
        let detected = station.request(.POST, "/detect", body: try Self.sample("ean13.png"))
        #expect(try await station.answer(to: detected).body.contains("\"format\":\"ean_13\""))
        #expect(
            try await station.answer(to: station.request(.GET, "/metrics")).body.contains(
                "scan_outbox_events_total 1\n"))
        _ = try await station.end(SIGTERM)
    }

    /// Frames of a page's camera: a code that stays in view is stored once, and responses only contain new codes.
    @Test func framesOfACameraAreStoredOnce() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        func send(_ sample: String, camera: String) async throws -> [String] {
            let frame = station.request(.POST, "/scan?camera=\(camera)", body: try Self.sample(sample))
            let answer = try Answer(try await station.answer(to: frame).body)
            let picture = try #require(answer.data.pictures?.first)
            #expect(picture.symbols.count == picture.events.count)
            return picture.symbols.map(\.rawValue)
        }
        // Independent of the machine's speed: a code in view for less than five seconds is one event, otherwise one
        // or two.
        let start = ContinuousClock.now
        let first = try await send("ean13.png", camera: "camera-of-a")
        let second = try await send("ean13.png", camera: "camera-of-a")
        #expect(first == ["4006381333931"])
        if ContinuousClock.now - start < .seconds(5) { #expect(second.isEmpty) }
        #expect(try await send("ean13.png", camera: "camera-of-b") == ["4006381333931"], "another camera")
        for query in ["camera=short", "camera=no+name+of+one"] {
            let frame = station.request(.POST, "/scan?\(query)", body: try Self.sample("ean13.png"))
            #expect(try await station.answer(to: frame).status == 400)
        }
        _ = try await station.end(SIGTERM)
    }

    /// The pages of a document as pictures, each with the size that its corners refer to.
    @Test func pagesOfADocumentAreShown() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        let document = PDFDocument([try .qr("one"), try .qr("two")])
        for (query, pages) in [("pageImages=true&", [1, 2]), ("", nil)] as [(String, [Int]?)] {
            let upload = station.request(
                .POST, "/scan?\(query)name=a.pdf", body: document.bytes, type: "application/pdf")
            let answer = try Answer(try await station.answer(to: upload).body)
            let picture = try #require(answer.data.pictures?.first)
            #expect(picture.symbols.map(\.rawValue) == ["one", "two"])
            #expect(picture.pageImages?.map(\.page) == pages)
            for image in picture.pageImages ?? [] {
                #expect(image.width == 900 && image.height == 900)
                // A JPEG begins with FF D8 FF.
                #expect(image.image.hasPrefix("data:image/jpeg;base64,/9j/"))
            }
        }
        _ = try await station.end(SIGTERM)
    }

    /// After a kill at any moment, all acknowledged scans are stored, and reconnecting clients get them once and in
    /// order.
    @Test func nothingIsLostToAKill() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        let picture = try Self.sample("ean8.png")
        var acknowledged: [String] = []
        for _ in 0..<3 {
            for _ in 0..<4 {
                let answer = try Answer(
                    try await station.answer(to: station.request(.POST, "/scan", body: picture)).body)
                acknowledged += try #require(answer.data.pictures?.first?.events)
            }
            _ = try await station.end(SIGKILL)
            try await station.start(["--camera", "none"])
        }
        let rest = Array(acknowledged.dropFirst())
        #expect(try await station.scans(rest.count, after: acknowledged[0]) == rest)
        _ = try await station.end(SIGTERM)
    }

    /// Two hundred concurrent pictures all get the correct response.
    @Test func twoHundredAtOnce() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        let pictures = [
            (try Self.sample("ean13.png"), "4006381333931"), (try Self.sample("ean8.png"), "96385074"),
        ]
        let requests = (0..<200).map { (station.request(.POST, "/scan", body: pictures[$0 % 2].0), pictures[$0 % 2].1) }
        let wrong = try await withThrowingTaskGroup(of: String?.self) { group in
            for (request, expected) in requests {
                group.addTask {
                    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
                    let body = String(buffer: try await response.body.collect(upTo: 1 << 20))
                    return body.contains("\"rawValue\":\"\(expected)\"") ? nil : "\(response.status) \(body)"
                }
            }
            var wrong: [String] = []
            for try await answer in group { if let answer { wrong.append(answer) } }
            return wrong
        }
        #expect(wrong == [])
        let health = try await station.answer(to: station.request(.GET, "/health", headers: [])).body
        #expect(health.contains("\"events\":200"))
        _ = try await station.end(SIGTERM)
    }

    @Test func whatIsRefused() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none", "--allow-origin", "http://oa.example"])
        let bearer = ("Authorization", "Bearer \(station.token)")
        let cases: [(String, HTTPClientRequest, Int)] = [
            ("another host", station.request(.GET, "/ping", headers: [("Host", "evil.example")]), 421),
            ("another host, with the token", station.request(.GET, "/scans", headers: [("Host", "a"), bearer]), 421),
            ("another origin", station.request(.GET, "/ping", headers: [("Origin", "http://evil.example")]), 403),
            ("no token", station.request(.GET, "/scans", headers: []), 401),
            ("a wrong token", station.request(.GET, "/scans", headers: [("Authorization", "Bearer x")]), 401),
            ("the token in the address", station.request(.GET, "/scans?token=\(station.token)", headers: []), 401),
            (
                "a cookie",
                station.request(.GET, "/scans", headers: [("Cookie", "quietzone_token=\(station.token)")]), 401
            ),
            (
                "a cookie of the station's own page",
                station.request(
                    .GET, "/scans",
                    headers: [("Cookie", "quietzone_token=\(station.token)"), ("Sec-Fetch-Site", "same-origin")]),
                401
            ),
            ("a session without an origin", station.request(.POST, "/bridge/session", headers: []), 403),
            ("no picture", station.request(.POST, "/scan", body: Array("text".utf8)), 422),
            ("another type", station.request(.POST, "/scan", body: Array("text".utf8), type: "text/html"), 415),
            ("no bytes", station.request(.POST, "/scan", body: []), 400),
            ("too large", station.request(.POST, "/scan", body: Array(repeating: 0, count: (20 << 20) + 1)), 413),
            ("an unknown format", station.request(.POST, "/scan?formats=rm4scc", body: [1]), 400),
            ("no such scan", station.request(.GET, "/scans/01a1feab-460e-70e7-a7b6-37423b9e5299"), 404),
            ("no such place", station.request(.GET, "/nothing"), 404),
            ("up and out", station.request(.GET, "/../../etc/passwd"), 404),
        ]
        for (label, request, expected) in cases {
            let answer: (status: Int, body: String)
            do {
                answer = try await station.answer(to: request)
            } catch {
                Issue.record("\(label): \(error)")
                continue
            }
            #expect(answer.status == expected, "\(label): \(answer.body)")
            let envelope = try Answer(answer.body)
            #expect(!envelope.isSuccess && envelope.code == expected && envelope.data.reason != nil, "\(label)")
        }
        _ = try await station.end(SIGTERM)
        #expect(!station.said.contains(station.token))
    }

    /// If standard output is closed, no opened file may take its descriptor and receive the output.
    @Test func withoutStandardOutput() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"], output: .closed)
        let number = try #require(station.number)
        let file = try #require(realpath("/proc/\(number)/fd/1", nil))
        defer { free(file) }
        #expect(String(cString: file) == "/dev/null")
        #expect(try await station.end(SIGTERM)?.ending == .exit(0))
    }

    @Test func startsThatFail() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        let port = String(try #require(station.base.split(separator: ":").last))
        let runner = station.runner()
        let other = ["--database", station.folder["other.sqlite"], "--camera", "none"]
        let inUse = try await runner(["--port", port] + other)
        #expect(inUse.ending == .exit(75))
        #expect(inUse.messages.contains("another program already listens at 127.0.0.1:\(port)"))
        let second = try await runner(["--port", "0", "--camera", "none"])
        #expect(second.ending == .exit(75) && second.messages.contains("in use by process"))
        let open = try await runner(["--port", "0", "--address", "0.0.0.0"] + other)
        #expect(open.ending == .exit(78) && open.messages.contains("tls.certificate"))
        let origin = try await runner(["--allow-origin", "*"] + other)
        #expect(origin.ending == .exit(64) && origin.messages.contains("--allow-origin *"))
        _ = try await station.end(SIGTERM)
    }
}
