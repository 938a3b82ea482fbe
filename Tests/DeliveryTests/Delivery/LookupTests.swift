import BarcodeCore
import ScanEvents
import TestSupport
import Testing

@testable import Delivery

/// Lookups with a stand-in for the system that is asked.
@Suite(.timeLimit(.minutes(2))) struct LookupTests {
    /// Returns the settings of a section, or the problems without the name of the file.
    private static func settings(_ section: String) async throws -> (settings: LookupSettings?, problems: [String]) {
        let folder = try TemporaryFolder()
        let lines = section.split(separator: "\n").map { "  \($0)\n" }.joined()
        let path = try folder.file("c.yaml", "lookup:\n" + lines.replacing("FOLDER", with: folder.path))
        try folder.file("token", "secret-token\n")
        do {
            let keys = LookupSettings.keys.map { ("lookup.\($0)", $1) }
            let schema = ConfigurationSchema(
                variablePrefix: "SCAN_STATION", keys: Dictionary(uniqueKeysWithValues: keys))
            let (_, settings) = try await DeliveryConfiguration.load(
                path: path, schema: schema, environment: [:], defaultDatabase: "/default",
                own: { LookupSettings(&$0) })
            return (settings, [])
        } catch {
            return (
                nil, error.description.split(separator: "\n").map { String($0).replacing(folder.path + "/", with: "") }
            )
        }
    }

    /// - Parameter timeout: in place of that of the section, of which the longest is too short for a busy machine.
    private static func lookup(_ section: String, _ clients: SharedClients, timeout: Duration = .seconds(100))
        async throws -> Lookup
    {
        let (settings, problems) = try await settings(section)
        #expect(problems == [])
        var patient = try #require(settings)
        patient.timeout = timeout
        return try Lookup(patient, clients: clients)
    }

    private static func event(_ text: String) -> ScanEvent {
        ScanEvent(
            station: "counter", source: ScanSource(kind: .device),
            symbol: ScannedSymbol(symbology: .qrCode, text: text, bytes: Array(text.utf8)))
    }

    private static func http(_ status: String, _ body: String, header: String = "Content-Type: application/json")
        -> String
    {
        "HTTP/1.1 \(status)\r\n\(header)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var reply: LookupServer.Reply
        var expected: Lookup.Answer

        init(_ label: String, _ reply: LookupServer.Reply, _ expected: Lookup.Answer) {
            (testDescription, self.reply, self.expected) = (label, reply, expected)
        }
    }

    @Test(arguments: [
        Case(
            "a good answer", .bytes(http("200 OK", #"{"name":"Gauze","stock":{"count":12},"ok":true}"#)),
            Lookup.Answer(.answered, text: "Gauze: 12", tone: .good)),
        Case(
            "a bad answer", .bytes(http("200 OK", #"{"name":"Gauze","stock":{"count":0},"ok":false}"#)),
            Lookup.Answer(.answered, text: "Gauze: 0", tone: .bad)),
        Case(
            "markup stays text", .bytes(http("200 OK", #"{"name":"<b>A</b>","stock":{"count":1},"ok":true}"#)),
            Lookup.Answer(.answered, text: "<b>A</b>: 1", tone: .good)),
        Case(
            "a long text",
            .bytes(
                http("200 OK", #"{"name":"\#(String(repeating: "x", count: 2000))","stock":{"count":1},"ok":true}"#)),
            Lookup.Answer(.answered, text: String(repeating: "x", count: 500), tone: .good)),
        Case(
            "a field is missing", .bytes(http("200 OK", #"{"name":"Gauze","ok":true}"#)),
            Lookup.Answer(.unusable, reason: "the answer has no field \"stock.count\"")),
        Case(
            "a field is null", .bytes(http("200 OK", #"{"name":null,"stock":{"count":1}}"#)),
            Lookup.Answer(.unusable, reason: "the answer has no field \"name\"")),
        Case(
            "404", .bytes(http("404 Not Found", "{}")), Lookup.Answer(.unknown, tone: .bad, reason: "answered 404")),
        Case("401", .bytes(http("401 Unauthorized", "{}")), Lookup.Answer(.unusable, reason: "answered 401")),
        Case(
            "503", .bytes(http("503 Service Unavailable", "{}")), Lookup.Answer(.away, reason: "answered 503")),
        Case(
            "HTML", .bytes(http("200 OK", "<!doctype html><title>Sign in</title>", header: "Content-Type: text/html")),
            Lookup.Answer(.unusable, reason: "the answer is not JSON")),
        Case("no body", .bytes(http("200 OK", "")), Lookup.Answer(.unusable, reason: "the answer is not JSON")),
        Case(
            "deep JSON", .bytes(http("200 OK", String(repeating: "[", count: 60_000))),
            Lookup.Answer(.unusable, reason: "the answer is not JSON")),
        Case(
            "10 MB", .bytes(http("200 OK", #"{"name":"\#(String(repeating: "x", count: 10_000_000))"}"#)),
            Lookup.Answer(.unusable, reason: "the answer has more than 65536 bytes")),
        Case(
            "a redirect to a private address",
            .bytes(http("302 Found", "", header: "Location: http://169.254.169.254/latest")),
            Lookup.Answer(.unusable, reason: "answered 302, a redirect, which is not followed")),
        Case("hangs", .hang, Lookup.Answer(.slow, reason: "no answer within 0.5 s")),
        Case("a byte now and then", .trickle, Lookup.Answer(.slow, reason: "no answer within 0.5 s")),
    ])
    func answers(_ row: Case) async throws {
        let server = try LookupServer(row.reply)
        let clients = SharedClients()
        let lookup = try await Self.lookup(
            """
            url: http://127.0.0.1:\(server.port)/items/{{symbol.text}}
            text: "{{name}}: {{stock.count}}"
            goodField: ok=true
            """, clients, timeout: row.expected.state == .slow ? .milliseconds(500) : .seconds(100))
        let answer = await lookup.answer(for: Self.event("4711"))
        #expect(answer == row.expected)
        // A busy machine may not even have sent the request within the timeout.
        if row.expected.state != .slow {
            #expect(server.requests.map { $0.prefix { $0 != "\r\n" } } == ["GET /items/4711 HTTP/1.1"])
        }
        await clients.close()
    }

    @Test func aRedirectToTheSameServerIsNotFollowed() async throws {
        let server = try LookupServer(.bytes(Self.http("307 Temporary Redirect", "", header: "Location: /other")))
        let clients = SharedClients()
        let lookup = try await Self.lookup(
            "url: http://127.0.0.1:\(server.port)/{{symbol.text}}\ntext: '{{name}}'", clients)
        #expect(await lookup.answer(for: Self.event("1")).state == .unusable)
        #expect(server.requests.count == 1)
        await clients.close()
    }

    @Test func nothingListens() async throws {
        let port = try LookupServer(.hang).port
        let clients = SharedClients()
        let lookup = try await Self.lookup(
            "url: http://127.0.0.1:\(port)/{{symbol.text}}\ntext: '{{name}}'", clients)
        let answer = await lookup.answer(for: Self.event("1"))
        #expect(
            answer
                == Lookup.Answer(
                    .away,
                    reason: "the connection failed: 127.0.0.1:\(port) refused it; no program listens there"))
        await clients.close()
    }

    struct Hostile: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var code: String
        /// What the request has in place of the code; `nil` if there must be no request.
        var escaped: String?

        init(_ label: String, _ code: String, _ escaped: String?) {
            (testDescription, self.code, self.escaped) = (label, code, escaped)
        }
    }

    @Test(arguments: [
        Hostile("quotation marks", "a\"b'c", "a%22b%27c"),
        Hostile("a header", "a\r\nX-Evil: 1", "a%0d%0aX-Evil%3a%201"),
        Hostile("parts of a URL", "a/b?c=d&e#f@g:1", "a%2fb%3fc%3dd%26e%23f%40g%3a1"),
        Hostile("a script", "<script>alert(1)</script>", "%3cscript%3ealert%281%29%3c%2fscript%3e"),
        Hostile("a placeholder", "{{symbol.text}}", "%7b%7bsymbol.text%7d%7d"),
        Hostile("an escape", "%2e%2e%2f", "%252e%252e%252f"),
        Hostile("Chinese", "药", "%e8%8d%af"),
        Hostile("another path", "../../admin", nil),
        Hostile("the folder above", "..", nil),
        Hostile("too long", String(repeating: "x", count: 9000), nil),
        Hostile("empty", "", nil),
    ])
    func hostileCodes(_ row: Hostile) async throws {
        let server = try LookupServer(.bytes(Self.http("200 OK", #"{"name":"A"}"#)))
        let clients = SharedClients()
        let lookup = try await Self.lookup(
            """
            url: http://127.0.0.1:\(server.port)/items/{{symbol.text}}/price?of={{symbol.text}}
            text: "{{name}}"
            tokenFile: FOLDER/token
            """, clients)
        let answer = await lookup.answer(for: Self.event(row.code))
        let lines = server.requests.map { $0.split(separator: "\r\n").map(String.init) }
        if let escaped = row.escaped {
            #expect(answer == Lookup.Answer(.answered, text: "A"))
            #expect(lines.map(\.first) == ["GET /items/\(escaped)/price?of=\(escaped) HTTP/1.1"])
            #expect(lines[0].contains { $0.lowercased() == "authorization: bearer secret-token" })
            #expect(!lines[0].contains { $0.lowercased().hasPrefix("x-evil") })
        } else {
            #expect(answer.state == .refused && answer.reason != nil)
            #expect(lines == [])
        }
        await clients.close()
    }

    struct PictureCase: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The address in the answer; PORT is that of the server.
        var address: String
        var reply: LookupServer.Reply
        /// The picture, or the reason why there is none.
        var expected: Result<LookupPicture, Lookup.PictureFailure>
        /// The path of the request; `nil` if there must be none.
        var path: String?

        init(_ label: String, _ address: String, _ reply: LookupServer.Reply, path: String?, failure: String? = nil) {
            (testDescription, self.address, self.reply, self.path) = (label, address, reply, path)
            expected =
                failure.map { .failure(Lookup.PictureFailure(reason: $0)) }
                ?? .success(LookupPicture(bytes: Array("picture".utf8), mediaType: "image/png"))
        }
    }

    private static let png = LookupServer.Reply.bytes(http("200 OK", "picture", header: "Content-Type: image/png"))
    private static let notHTTP = "the address of the picture is not one of an http or https server"
    private static let other = "the picture is on another server than the answer"

    @Test(
        "A picture comes from the server of the answer, and is one that browsers draw",
        arguments: [
            PictureCase("a path", "/p/1.png", png, path: "/p/1.png"),
            PictureCase("beside the answer", "1.png?s=2", png, path: "/items/1.png?s=2"),
            PictureCase("a URL of the same server", "http://127.0.0.1:PORT/1", png, path: "/1"),
            PictureCase("another host", "http://127.0.0.2:PORT/1", png, path: nil, failure: other),
            PictureCase("another host without a scheme", "//169.254.169.254/1", png, path: nil, failure: other),
            PictureCase("another port", "http://127.0.0.1:1/1", png, path: nil, failure: other),
            PictureCase("another scheme", "https://127.0.0.1:PORT/1", png, path: nil, failure: other),
            PictureCase(
                "a file", "file:///etc/passwd", png, path: nil, failure: notHTTP),
            PictureCase("a script", "javascript:alert(1)", png, path: nil, failure: notHTTP),
            PictureCase("a fragment", "/1.png#top", png, path: "/1.png"),
            PictureCase(
                "a media type with a parameter", "/1",
                .bytes(http("200 OK", "picture", header: "Content-Type: image/PNG ; charset=binary")), path: "/1"),
            PictureCase(
                "SVG", "/1", .bytes(http("200 OK", "<svg/>", header: "Content-Type: image/svg+xml")), path: "/1",
                failure: "the picture is not PNG, JPEG, WebP or GIF"),
            PictureCase(
                "too large", "/1",
                .bytes(http("200 OK", String(repeating: "x", count: 600_000), header: "Content-Type: image/png")),
                path: "/1", failure: "the picture has more than 524288 bytes"),
            PictureCase(
                "a redirect", "/1", .bytes(http("302 Found", "", header: "Location: /2")), path: "/1",
                failure: "answered 302"),
            PictureCase("missing", "/1", .bytes(http("404 Not Found", "")), path: "/1", failure: "answered 404"),
        ])
    func pictures(_ row: PictureCase) async throws {
        let server = try LookupServer(row.reply)
        let clients = SharedClients()
        let lookup = try await Self.lookup(
            """
            url: http://127.0.0.1:\(server.port)/items/{{symbol.text}}
            text: "{{name}}"
            imageField: image
            tokenFile: FOLDER/token
            """, clients)
        let address = row.address.replacing("PORT", with: "\(server.port)")
        let outcome: Result<LookupPicture, Lookup.PictureFailure>
        do throws(Lookup.PictureFailure) {
            outcome = .success(try await lookup.picture(at: address, for: Self.event("4711")))
        } catch {
            outcome = .failure(error)
        }
        #expect(outcome == row.expected)
        let expected = row.path.map { ["GET \($0) HTTP/1.1"] } ?? []
        #expect(server.requests.map { String($0.prefix { $0 != "\r\n" }) } == expected)
        let secret = "authorization: bearer secret-token"
        #expect(server.requests.allSatisfy { $0.lowercased().contains(secret) })
        await clients.close()
    }

    @Test("The answer has the address of its picture, unless it is empty or none is wanted")
    func addressOfAPicture() async throws {
        let rows = [
            (#"{"name":"A","image":"/1.png"}"#, "imageField: image", "/1.png" as String?),
            (#"{"name":"A","image":" /1.png\n"}"#, "imageField: image", "/1.png"),
            (#"{"name":"A","image":{"small":["/s.png"]}}"#, "imageField: image.small.0", "/s.png"),
            (#"{"name":"A","image":""}"#, "imageField: image", nil),
            (#"{"name":"A","image":" "}"#, "imageField: image", nil),
            (#"{"name":"A","image":false}"#, "imageField: image", nil),
            (#"{"name":"A","image":["/1.png"]}"#, "imageField: image", nil),
            (#"{"name":"A"}"#, "imageField: image", nil), (#"{"name":"A","image":"/1.png"}"#, "", nil),
        ]
        for (body, key, expected) in rows {
            let server = try LookupServer(.bytes(Self.http("200 OK", body)))
            let clients = SharedClients()
            let lookup = try await Self.lookup(
                "url: http://127.0.0.1:\(server.port)/{{symbol.text}}\ntext: '{{name}}'\n\(key)", clients)
            let answer = await lookup.answer(for: Self.event("1"))
            #expect(answer == Lookup.Answer(.answered, text: "A", picture: expected), "\(body) \(key)")
            await clients.close()
        }
    }

    @Test func onlyCodesOfTheFilter() async throws {
        let clients = SharedClients()
        let lookup = try await Self.lookup(
            "url: http://127.0.0.1:1/{{symbol.text}}\ntext: '{{name}}'\ntextMatches: ^4", clients)
        var withheld = Self.event("4")
        withheld.symbol.withheld = "wifi"
        #expect(lookup.concerns(Self.event("47")) && !lookup.concerns(Self.event("74")) && !lookup.concerns(withheld))
        await clients.close()
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        var section: String
        var problems: [String]
        var testDescription: String { section }

        init(_ section: String, _ problems: String...) { (self.section, self.problems) = (section, problems) }
    }

    @Test(arguments: [
        Fault("text: '{{name}}'", "c.yaml:1: lookup.url: is missing"),
        Fault(
            "url: http://h/{{symbol.text}}",
            "c.yaml:1: lookup.text: is missing: name the fields of the answer to show, such as {{name}}"),
        Fault(
            "url: http://h/items\ntext: '{{name}}'",
            "c.yaml:2: lookup.url: has no placeholder for the code, as in https://stock.example/items/{{symbol.text}}"),
        Fault(
            "url: http://{{symbol.text}}/\ntext: '{{name}}'",
            "c.yaml:2: lookup.url: has a placeholder in the host; only path and query can have one"),
        Fault(
            "url: http://h/{{symbol.txt}}\ntext: '{{name}}'",
            "c.yaml:2: lookup.url: the template has the field \"symbol.txt\", which does not exist"),
        Fault(
            "url: http://h/{{symbol.text}}\ntext: name",
            "c.yaml:3: lookup.text: \"name\" has no placeholder for a field of the answer, such as {{name}}"),
        Fault(
            "url: http://h/{{symbol.text}}\ntext: '{{a..b}}'",
            "c.yaml:3: lookup.text: the template has a placeholder without a field in \"{{a..b}}\""),
        Fault(
            "url: http://h/{{symbol.text}}\ntext: '{{name'",
            "c.yaml:3: lookup.text: the template has \"{{\" without \"}}\" in \"{{name\""),
        Fault(
            "url: http://h/{{symbol.text}}\ntext: '{{name}}'\ngoodField: allowed\ntimeoutSeconds: 60",
            "c.yaml:4: lookup.goodField: \"allowed\" is not FIELD=VALUE, such as allowed=true",
            "c.yaml:5: lookup.timeoutSeconds: \"60\" is not a number from 0.1 to 10"),
        Fault(
            "url: http://h/{{symbol.text}}\ntext: '{{name}}'\ngoodField: '{{ok}}=true'\nimageField: '{{image}}'",
            "c.yaml:4: lookup.goodField: \"{{ok}}=true\" is not FIELD=VALUE, such as allowed=true",
            "c.yaml:5: lookup.imageField: \"{{image}}\" is not the name of a field, such as image or results.0.image"),
        Fault(
            "url: http://h/{{symbol.text}}\ntext: '{{name}}'\ntokenFile: FOLDER/none",
            "c.yaml:4: lookup.tokenFile: the file none does not exist"),
        Fault(
            "url: http://h/{{symbol.text}}\ntext: '{{name}}'\nheaders: [X-API-Key=abc]",
            "c.yaml:4: lookup.headers: has X-API-Key, whose value is a secret; put it into a file and use headerFiles"),
    ])
    func faultsOfTheConfiguration(_ row: Fault) async throws {
        #expect(try await Self.settings(row.section).problems == row.problems)
    }
}
