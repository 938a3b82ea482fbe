import FoundationEssentials
import TestSupport
import Testing

/// Requests and responses of HTTP destinations for systems of any kind, with the built program.
@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    /// Codes that would do harm wherever they are not escaped.
    static let hostileCodes = [
        "\"quoted\"", "'single'", "a\nb", "a\r\nX-Evil: 1\r\n\r\nb", "a/b", "/etc/passwd", "<script>alert(1)</script>",
        "100%", "%2e%2e%2f", "%00", "a\u{0}b", "a&b=c", "a=b;c", "a+b c", "#fragment", "?q=1", "{{symbol.text}}",
        "${x}",
        "\\", "\u{202E}é漢😀", "--quietzone-1--\r\n", "\"; filename=\"x", " ", "]C1\u{1D}10A",
    ]

    /// A place in the body, and the keys of the destination.
    @Test(
        arguments: [
            ("json", "template: '{\"code\": \"{{symbol.text}}\"}'"),
            ("form", "form: form\nfields: [\"code={{symbol.text}}\"]"),
            ("multipart", "form: multipart\nfields: [\"code={{symbol.text}}\"]"),
        ])
    func hostileCodesArriveAsTheyAre(_ name: String, _ keys: String) async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: "/parse/{{symbol.text}}?code={{symbol.text}}", more: keys)
        try await station.add(report(Self.hostileCodes))
        try await station.deliver()
        let parsed = receiver.entries.compactMap(\.parsed)
        #expect(parsed.count == Self.hostileCodes.count)
        for entry in parsed { #expect(Set(entry.prefix(3)).count == 1 && entry.suffix(2) == ["3", "1"], "\(entry)") }
        #expect(Set(parsed.map { $0[0] }) == Set(Self.hostileCodes))
        #expect(receiver.entries.allSatisfy { $0.headers?["x-evil"] == nil })
    }

    /// A code, the destination's keys, and why nothing is sent.
    @Test(
        arguments: [
            ("..", "/ok/{{symbol.text}}/x", "", "would put \"..\" or \".\" into the path"),
            (".", "/ok/{{symbol.text}}", "", "would put \"..\" or \".\" into the path"),
            ("../../admin", "/ok/{{symbol.text}}", "", "would put \"..\" or \".\" into the path"),
            ("a\\..\\b", "/ok/{{symbol.text}}", "", "would put \"..\" or \".\" into the path"),
            (".", "/ok/.{{symbol.text}}/x", "", "would put \"..\" or \".\" into the path"),
            ("", "/ok/{{symbol.text}}", "", "lacks a field of the URL"),
            ("a", "/ok/{{content.gs1.01}}", "", "lacks a field of the URL"),
            (String(repeating: "x", count: 9000), "/ok/{{symbol.text}}", "", "more than 8000 bytes"),
            ("a\r\nX-Evil: 1", "/ok", "headers: [\"X-Code={{symbol.text}}\"]", "header X-Code would contain"),
            ("a\nb", "/ok", "headers: [\"X-Code={{symbol.text}}\"]", "header X-Code would contain"),
            ("a\u{0}", "/ok", "headers: [\"X-Code={{symbol.text}}\"]", "header X-Code would contain"),
        ])
    func whatCannotBeSentIsGivenUp(_ code: String, _ path: String, _ keys: String, _ reason: String) async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: path, more: keys)
        try await station.add(report(code))
        try await station.deliver()
        let delivery = try #require(try await station.export().first?.deliveries.first)
        #expect(delivery.state == "dead" && delivery.attempts == 1)
        #expect(delivery.lastError?.contains(reason) == true, "\(delivery)")
        #expect(receiver.entries.isEmpty)
    }

    @Test func methodHeadersAndBasicAuthentication() async throws {
        let receiver = try Receiver()
        let station = try Station()
        let (key, user) = (station.folder["key"], station.folder["user"])
        let password = station.folder["password"]
        for (path, text) in [("key", "Zm9v/+=\n"), ("user", "scanner\n"), ("password", "p:ä ss\nrest\n")] {
            try station.folder.file(path, Array(text.utf8))
        }
        try station.configure(
            receiver, path: "/ok",
            more: """
                method: PATCH
                headers: ["X-Code=code {{symbol.text}}", "X-Lot={{content.gs1.10}}", "Accept=application/json"]
                headerFiles: ["X-Key=\(key)"]
                userFile: \(user)
                passwordFile: \(password)
                """)
        try await station.add(report("é\"1"))
        try await station.deliver()
        let entry = try #require(receiver.entries.first)
        #expect(entry.method == "PATCH" && entry.status == 204)
        #expect(entry.headers?["authorization"] == "Basic " + Data("scanner:p:ä ss".utf8).base64EncodedString())
        #expect(entry.headers?["x-key"] == "Zm9v/+=")
        #expect(entry.headers?["accept"] == "application/json")
        #expect(entry.headers?["x-lot"] == nil)
        // Python reads headers as Latin-1.
        let latin = entry.headers?["x-code"]?.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } ?? []
        #expect(String(decoding: latin, as: UTF8.self) == "code é\"1")
    }

    /// The picture is a part of the body; without one, the event is sent alone.
    @Test func thePicture() async throws {
        let receiver = try Receiver()
        let station = try Station()
        let picture = station.folder["a \"b\".jpg"]
        try station.folder.file("a \"b\".jpg", [0xFF, 0xD8, 0x0D, 0x0A, 0, 0x2D, 0x2D])
        try station.configure(
            receiver, path: "/ok", retryAfter: "[0.1]",
            more: """
                form: multipart
                fields: ["title={{symbol.text}}", "title=two", "lot={{content.gs1.10}}"]
                pictureField: document
                """)
        let added = try await station(
            "add", "--evidence", input: report("one", source: picture))
        try #require(added.ending == .exit(0), "\(added.messages)")
        try await station.add(report("none"))
        try await station.deliver()
        let bodies = receiver.entries.compactMap(\.body)
        try #require(bodies.count == 2)
        let first = try #require(bodies.first { $0.contains("document") })
        #expect(
            first.contains("name=\"document\"; filename=\"a %22b%22.jpg\"\r\nContent-Type: application/octet-stream"))
        #expect(first.ranges(of: "name=\"title\"").count == 2 && !first.contains("lot"))
        #expect(bodies.contains { $0.contains("none") && !$0.contains("document") })
        // The picture has been deleted: the event waits, and is not sent without it.
        let gone = try await station("add", "--evidence", input: report("three", source: "/nowhere.jpg"))
        try #require(gone.ending == .exit(0))
        try await station.deliver()
        let last = try await station.export().last?.deliveries.first
        #expect(last?.state == "dead" && last?.lastError?.contains("its picture /nowhere.jpg is not there") == true)
        #expect(receiver.entries.count == 2)
    }

    /// What the receiver says, the rule, the state, and the message.
    @Test(
        arguments: [
            ("/says/200/success", "deliveredField: result.status=success", "delivered", nil),
            ("/says/200/error", "deliveredField: result.status=success", "dead", "result.status is not \"success\""),
            ("/ok", "deliveredField: result.status=success", "dead", "answered 204, but result.status"),
            ("/says/409/x", "deliveredStatus: [200, 409]", "delivered", nil),
            ("/ok", "deliveredStatus: [200, 409]", "dead", "answered 204, which does not count"),
            ("/says/500/success", "deliveredField: result.status=success", "dead", "answered 500"),
            ("/says/410/x", "deliveredStatus: 410", "delivered", nil),
        ] as [(String, String, String, String?)])
    func whatCountsAsDelivered(_ path: String, _ rule: String, _ state: String, _ message: String?) async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: path, retryAfter: "[0.1]", more: rule)
        try await station.add(report("a"))
        try await station.deliver()
        let delivery = try #require(try await station.export().first?.deliveries.first)
        #expect(delivery.state == state, "\(delivery)")
        if let message { #expect(delivery.lastError?.contains(message) == true, "\(delivery)") }
    }

    private func clientCredentials(_ station: Station, _ receiver: Receiver, _ secret: String, _ seconds: Int) throws
        -> String
    {
        try station.folder.file("client", Array("\(secret)\n".utf8))
        return """
            tokenURL: \(receiver.base)/token/\(seconds)
            clientID: scanner 1
            clientSecretFile: \(station.folder["client"])
            scope: scan write
            concurrency: 1
            """
    }

    /// The lifetime of a token, the token that the receiver wants, and the requests.
    @Test(
        arguments: [
            // One token for all; one that was revoked is renewed once, within the attempt; each expires at once.
            (3600, 1, ["token", "guarded", "guarded", "guarded"]),
            (3600, 2, ["token", "guarded", "token", "guarded", "guarded", "guarded"]),
            (0, 1, ["token", "guarded", "token", "guarded", "token", "guarded"]),
        ])
    func accessTokens(_ seconds: Int, _ wanted: Int, _ requests: [String]) async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(
            receiver, path: "/guarded/\(wanted)", more: clientCredentials(station, receiver, "a+b c", seconds))
        try await station.add(report("a", "b", "c"))
        try await station.deliver(rounds: 1)
        #expect(receiver.entries.map { String($0.path.split(separator: "/")[0]) } == requests)
        #expect(try await station.counts().delivered == 3)
    }

    /// A wrong secret, or a receiver that rejects every token, is retried.
    @Test(arguments: [("wrong", 1, "answered 401 (invalid_client)"), ("a+b c", 1000, "answered 401")])
    func accessTokensThatAreRefused(_ secret: String, _ wanted: Int, _ message: String) async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(
            receiver, path: "/guarded/\(wanted)", retryAfter: "[0.1, 3600]",
            more: clientCredentials(station, receiver, secret, 3600))
        try await station.add(report("a"))
        let run = try await station("run", "--once", "--log-level", "debug")
        #expect(run.ending == .exit(3))
        #expect(!run.messages.contains("a+b c") && !run.messages.contains("token-"), "no secret is logged")
        let delivery = try #require(try await station.export().first?.deliveries.first)
        #expect(delivery.state == "pending" && delivery.lastError?.contains(message) == true, "\(delivery)")
    }

    /// The keys of a destination, and the fault that is reported.
    @Test(
        arguments: [
            ("method: GET", "method: \"GET\" is not POST, PUT or PATCH"),
            ("headers: [\"Host=x\"]", "headers: has Host, which cannot be set"),
            ("headers: [\"Authorization=hush\"]", "headers: has Authorization, whose value is a secret"),
            ("headers: [\"X Y=hush\"]", "headers: has an entry that is not NAME=VALUE"),
            ("headerFiles: [\"X-Key=/nowhere\"]", "headerFiles: the file /nowhere does not exist"),
            ("userFile: /dev/null", "passwordFile: is missing: userFile needs it"),
            ("tokenURL: http://h/", "clientID: is missing: tokenURL needs it"),
            ("scope: x", "scope: is set without tokenURL"),
            ("form: form", "fields: is missing: the form needs a list"),
            ("form: form\nfields: [code]", "fields: \"code\" is not NAME=VALUE"),
            ("fields: [\"a={{symbol.text}}\"]\nform: event", "fields: is not used by the form \"event\""),
            ("fields: [\"a={{symbol.text}}\"]", "fields: is for the forms form and multipart"),
            ("pictureField: x", "pictureField: needs the form multipart"),
            ("deliveredStatus: [20]", "deliveredStatus: \"20\" is not a status"),
            ("deliveredField: success", "deliveredField: \"success\" is not FIELD=VALUE"),
        ])
    func faults(_ keys: String, _ sentence: String) async throws {
        let station = try Station()
        let lines = "url: http://h/\nunsigned: true\n\(keys)".split(separator: "\n").map { "  \($0)\n" }.joined()
        try station.configure("his:\n  type: http\n\(lines)")
        let check = try await station("run", "--check")
        #expect(check.ending == .exit(78))
        #expect((check.text + check.messages).contains("destinations.his.\(sentence)"), "\(check.messages)")
        #expect(!(check.text + check.messages).contains("hush"))
    }

    @Test(arguments: [
        ("http://{{station}}.example/", "url: has a placeholder in the host"),
        ("http://h/{{symbol.txt}}", "url: the template has the field \"symbol.txt\", which does not exist"),
    ])
    func faultsOfTheURL(_ url: String, _ sentence: String) async throws {
        let station = try Station()
        try station.configure("his:\n  type: http\n  url: \"\(url)\"\n  unsigned: true")
        let check = try await station("run", "--check")
        #expect((check.text + check.messages).contains("destinations.his.\(sentence)"), "\(check.messages)")
    }

    @Test func formsBelongToHTTP() async throws {
        let station = try Station()
        try station.configure("his:\n  type: stdout\n  form: form\n  fields: [\"a=b\"]")
        let check = try await station("run", "--check")
        #expect(
            (check.text + check.messages).contains("\"form\" does not apply to the type stdout"), "\(check.messages)")
    }
}
