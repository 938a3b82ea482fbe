import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// Guns and scales of the station, simulated with pseudoterminals.
@Suite(.timeLimit(.minutes(10))) struct StationDeviceTests {
    /// A station with a gun and a scale.
    ///
    /// It keeps the ports, because the name of a closed pseudoterminal is reused.
    private final class Counter {
        let station: RunningStation
        let gun: Pseudoterminal
        let scale: Pseudoterminal

        init(_ arguments: [String] = []) async throws {
            station = try RunningStation()
            (gun, scale) = (try Pseudoterminal(), try Pseudoterminal())
            let configuration = """
                devices:
                  gun: {connection: serial, path: \(gun.path)}
                  scale: {connection: serial, path: \(scale.path), kind: scale, protocol: sics}
                """
            let file = try station.folder.file("station.yaml", Array(configuration.utf8))
            try await station.start(["--camera", "none", "--config", file] + arguments)
            try #require(await connects(2), "\(station.said)")
        }

        func get(_ path: String, headers: [(String, String)]? = nil) async throws -> (status: Int, body: String) {
            try await station.answer(to: station.request(.GET, path, headers: headers))
        }

        /// Waits until a number of devices are connected.
        func connects(_ count: Int) async throws -> Bool {
            try await eventually {
                try await get("/devices").body.split(
                    separator: #""status":"connected""#, omittingEmptySubsequences: false
                )
                .count == count + 1
            }
        }

        /// Waits until the history has a scan with this text, and returns it.
        func scan(_ text: String) async throws -> String? {
            var found: String?
            _ = try await eventually {
                found = try await get("/scans?limit=100").body
                return found?.contains("\"\(text)\"") == true
            }
            return found
        }
    }

    @Test func scansAreEventsWithTheWeightOfTheirMoment() async throws {
        let counter = try await Counter()
        let page = try await counter.get("/conn_scan_gun")
        #expect(page.status == 200 && page.body.contains(#""data":{"connected":1,"guns":1}"#), "\(page.body)")
        // The program decides when to read an answer, so the scale answers repeatedly.
        var number = 0
        let isCarried = try await eventually {
            _ = try counter.scale.receive(4)
            try counter.scale.send("S S   1.250 kg\r\n".utf8)
            number += 1
            try counter.gun.send("code \(number)\r".utf8)
            return try await counter.scan("code \(number)")?.contains(#""weight":"1.250","weightUnit":"kg""#) == true
        }
        #expect(isCarried)
        let history = try await counter.get("/scans?limit=100").body
        #expect(history.contains(#""kind":"device""#) && history.contains(#""name":"gun""#))
        _ = try await counter.station.end(SIGTERM)
    }

    @Test func theWeight() async throws {
        let counter = try await Counter()
        #expect(try await counter.get("/weight", headers: []).status == 401)
        let silent = try await counter.get("/weight")
        #expect(silent.status == 409 && silent.body.contains(#""reason":"scale_silent""#), "\(silent.body)")
        #expect(try await counter.get("/weight?device=gun").status == 404)
        for (answer, status, expected) in [
            ("S D   0.900 kg", 409, #""reason":"in_motion""#), ("S +", 409, #""reason":"overload""#),
            ("S S   0.350 kg", 200, #"{"device":"scale","net":null,"stable":true,"unit":"kg","weight":"0.350"}"#),
        ] {
            // The scale's answer is processed at some point.
            let isTold = try await eventually {
                _ = try counter.scale.receive(4)
                try counter.scale.send("\(answer)\r\n".utf8)
                let told = try await counter.get("/weight")
                return told.status == status && told.body.contains(expected)
            }
            #expect(isTold, "\(answer)")
        }
        _ = try await counter.station.end(SIGTERM)
    }

    /// A page with an open request gets the code, as if it had been typed there.
    @Test func aCodeAnswersThePageThatAsks() async throws {
        let counter = try await Counter(["--allow-origin", "http://oa.example"])
        let origin = ("Origin", "http://oa.example")
        let opened = try await counter.station.answer(
            to: counter.station.request(.POST, "/bridge/session", headers: [origin], body: []))
        let session = try #require(opened.body.split(separator: #""session":""#).last?.split(separator: "\"").first)
        let bearer = [origin, ("Authorization", "Bearer \(session)")]
        func ask() async throws -> String {
            let body = #"{"request":"request-1","message":{"source":"any"}}"#
            return try await counter.station.answer(
                to: counter.station.request(
                    .POST, "/bridge/promise", headers: bearer, body: Array(body.utf8), type: "application/json")
            ).body
        }
        #expect(try await ask().contains(#""state":"open""#))
        try counter.gun.send("4006381333931\r".utf8)
        var answer = ""
        let isAnswered = try await eventually {
            answer = try await ask()
            return answer.contains(#""state":"answered""#)
        }
        #expect(isAnswered && answer.contains(#""rawValue":"4006381333931""#), "\(answer)")
        // A scan that no page requested goes to the page in front, through its event stream.
        var listening = counter.station.request(.GET, "/events?gun=1", headers: bearer)
        listening.headers.replaceOrAdd(name: "Accept", value: "text/event-stream")
        let stream = try await HTTPClient.shared.execute(listening, timeout: .seconds(240))
        try counter.gun.send("after all\r".utf8)
        var text = ""
        for try await buffer in stream.body {
            text += String(buffer: buffer)
            if text.contains("\n\n"), text.contains("event: gun") { break }
        }
        #expect(text.contains(#""calls":[{"arguments":["after all"],"function":["receiveScanResult2"]}]"#), "\(text)")
        _ = try await counter.station.end(SIGTERM)
    }

    /// Pages of allowed origins, written before sessions existed, may use this without one; others may not.
    @Test func theGunIsConnectedForPagesOfListedOriginsAlone() async throws {
        let counter = try await Counter(["--allow-origin", "http://oa.example"])
        for (label, headers, status) in [
            ("a program without the token", [], 401), ("a listed page", [("Origin", "http://oa.example")], 200),
            ("another page", [("Origin", "http://evil.example")], 403),
            ("a page with another's session", [("Origin", "http://oa.example"), ("Authorization", "Bearer x")], 200),
        ] {
            let answer = try await counter.get("/conn_scan_gun", headers: headers)
            #expect(answer.status == status, "\(label): \(answer.body)")
        }
        #expect(try await counter.get("/ping", headers: []).status == 200)
        _ = try await counter.station.end(SIGTERM)
    }

    @Test func settingCodesAndLearning() async throws {
        let station = try RunningStation()
        let makers = try station.folder.file("makers", Array("acme | loud | - | <{\\x02 | beeps & hums\n".utf8))
        let file = try station.folder.file("station.yaml", Array("settingCodes: \(makers)\n".utf8))
        try await station.start(["--camera", "none", "--config", file])
        func get(_ path: String, _ method: HTTPMethod = .GET) async throws -> (status: Int, body: String) {
            try await station.answer(to: station.request(method, path))
        }
        let list = try await get("/devices/settings").body
        #expect(list.contains(#""maker":"bluetooth","maximumLength":20,"name":"name""#), "\(list)")
        #expect(
            list.contains(#""maker":"acme","maximumLength":null,"name":"loud","summary":"beeps & hums""#), "\(list)")
        let code = try await get("/devices/setting-code?name=name&text=Ward%203")
        #expect(code.status == 200 && code.body.hasPrefix("<svg ") && code.body.contains(">%%BT=Ward 3</text>"))
        for (format, head) in [("png", "PNG"), ("pdf", "%PDF-1.4")] {
            let code = try await get("/devices/setting-code?name=name&text=Ward%203&format=\(format)")
            #expect(code.status == 200 && code.body.contains(head), "\(format)")
        }
        let own = try await get("/devices/setting-code?name=loud&maker=acme&text=")
        #expect(own.body.contains(">&lt;{ </text>"), "\(own.body)")
        for (query, status, reason) in [
            ("name=none", 404, "no_setting"), ("", 404, "no_setting"), ("name=name", 400, "bad_setting"),
            ("name=name&text=a&format=gif", 400, "bad_format"), ("name=name&text=%C3%BC", 400, "bad_setting"),
            ("name=name&maker=acme", 404, "no_setting"),
        ] {
            let answer = try await get("/devices/setting-code?\(query)")
            #expect(answer.status == status && answer.body.contains(reason), "\(query): \(answer.body)")
        }
        for path in [
            "/devices/settings", "/devices/setting-code?name=name&text=a", "/devices/learn", "/devices/learn/code",
        ] {
            #expect(try await station.answer(to: station.request(.GET, path, headers: [])).status == 401, "\(path)")
        }
        #expect(try await get("/devices/learn").body.contains(#""state":"idle""#))
        #expect(try await get("/devices/learn", .POST).body.contains(#""state":"waiting""#))
        #expect(try await get("/devices/learn/code").body.contains(">Quietzone-WAZY/1_2+3;m</text>"))
        #expect(try await get("/devices/learn", .DELETE).body.contains(#""state":"idle""#))
        _ = try await station.end(SIGTERM)
        try station.folder.file("makers", Array("nonsense\n".utf8))
        let refused = try await station.runner()(["--config", file])
        #expect(refused.ending == .exit(78) && refused.messages.contains("line 1"), "\(refused.messages)")
    }

    /// A gun on a given port is identified by the code that it scans.
    @Test func aGunIsFound() async throws {
        let port = try Pseudoterminal()
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        func learn(_ query: String, _ method: HTTPMethod) async throws -> (status: Int, body: String) {
            try await station.answer(to: station.request(method, "/devices/learn\(query)"))
        }
        for query in ["?port=ttyS0", "?port=/etc/passwd", "?port=/dev/../etc/passwd"] {
            let refused = try await learn(query, .POST)
            #expect(refused.status == 400 && refused.body.contains("bad_port"), "\(query): \(refused.body)")
        }
        _ = try await learn("?port=/dev/nothing-there", .POST)
        let isTold = try await eventually { try await learn("", .GET).body.contains("the device does not exist") }
        #expect(isTold)
        #expect(try await learn("?port=\(port.path)", .POST).body.contains(#""state":"waiting""#))
        var answer = ""
        let isFound = try await eventually {
            // It is unknown when the program starts to listen on the port.
            try port.send("Quietzone-WAZY/1_2+3;m\r".utf8)
            answer = try await learn("", .GET).body
            return answer.contains(#""state":"found""#)
        }
        #expect(isFound && answer.contains(#"connection: serial\n    path: \#(port.path)"#), "\(answer)")
        _ = try await station.end(SIGTERM)
    }

    /// Devices simulated by a file.
    @Test func aSimulation() async throws {
        let station = try RunningStation()
        let lines = """
            {"device":"gun","event":"scan","text":"first","after":0}
            {"device":"scale","event":"weight","weight":"2","unit":"g","after":0}
            {"device":"gun","event":"scan","base64":"AAEC","symbologyIdentifier":"]C1","after":0}
            {"device":"gun","event":"disconnected","after":0}
            """
        let file = try station.folder.file("devices.jsonl", Array(lines.utf8))
        try await station.start(["--camera", "none", "--simulate", file])
        var devices = ""
        let isPlayed = try await eventually {
            devices = try await station.answer(to: station.request(.GET, "/devices")).body
            return devices.contains(#""status":"away""#)
        }
        #expect(isPlayed && devices.contains(#""scans":2"#) && devices.contains(#""weight":"2""#), "\(devices)")
        let away = try await station.answer(to: station.request(.GET, "/conn_scan_gun"))
        #expect(away.status == 409 && away.body.contains(#""reason":"gun_away""#))
        let history = try await station.answer(to: station.request(.GET, "/scans")).body
        #expect(history.contains("\"first\"") && history.contains("\"AAEC\"") && history.contains("code_128"))
        _ = try await station.end(SIGTERM)
        try station.folder.file("devices.jsonl", Array("{}\n".utf8))
        let refused = try await station.runner()(["--simulate", file])
        #expect(
            refused.ending == .exit(78) && refused.messages.contains("line 1: write it like"), "\(refused.messages)")
    }
}
