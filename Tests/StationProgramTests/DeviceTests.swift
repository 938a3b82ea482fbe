import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// Guns and scales that the station itself reads, at pseudoterminals of the kernel.
@Suite(.timeLimit(.minutes(10))) struct StationDeviceTests {
    /// A station with a gun and a scale.
    ///
    /// It keeps the ports: a name of one that is closed is handed out again.
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

        /// Waits until so many devices are connected.
        func connects(_ count: Int) async throws -> Bool {
            try await eventually {
                try await get("/devices").body.split(
                    separator: #""status":"connected""#, omittingEmptySubsequences: false
                )
                .count == count + 1
            }
        }

        /// Waits until the history has a scan of this text, and gives it.
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
        let page = try await counter.get("/conn_scan_gun", headers: [])
        #expect(page.status == 200 && page.body.contains(#""data":{"connected":1,"guns":1}"#), "\(page.body)")
        // When an answer is read is up to the program: it asks again and again.
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
            // What the scale has said is taken at some time.
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

    /// A page that asks gets the code, as if it had been typed there.
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
        // What no page has asked for goes to the page in front, by its stream.
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

    /// Devices that a file plays.
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
        let away = try await station.answer(to: station.request(.GET, "/conn_scan_gun", headers: []))
        #expect(away.status == 409 && away.body.contains(#""reason":"gun_away""#))
        let history = try await station.answer(to: station.request(.GET, "/scans")).body
        #expect(history.contains("\"first\"") && history.contains("\"AAEC\"") && history.contains("code_128"))
        _ = try await station.end(SIGTERM)
        try station.folder.file("devices.jsonl", Array("{}\n".utf8))
        let refused = try await station.runner()(["--simulate", file])
        #expect(
            refused.ending == .exit(78) && refused.messages.contains("line 1: it is not like"), "\(refused.messages)")
    }
}
