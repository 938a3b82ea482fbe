import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// The requests of a page after a reconnect: the pictures that it has kept, and its open requests.
@Suite(.timeLimit(.minutes(10))) struct RepeatedUploadTests {
    private struct Answer: Decodable {
        struct Content: Decodable {
            struct Picture: Decodable { var events: [String] }
            struct OpenRequest: Decodable {
                var request: String
                var origin: String?
            }
            var pictures: [Picture]?
            var requests: [OpenRequest]?
            var session: String?
            var reason: String?
        }
        var data: Content

        init(_ body: String) throws { self = try JSONDecoder().decode(Answer.self, from: Data(body.utf8)) }
    }

    /// The response to a picture with five codes: the status, the events and the reason.
    private struct Upload: Sendable {
        var status: Int
        var events: [String]
        var reason: String?
    }

    /// Returns the request that uploads the picture with a key.
    private static func request(_ key: String?, to station: RunningStation) throws -> HTTPClientRequest {
        let picture = try #require(readFile("\(RunningStation.samples)/order-form.png"))
        var request = station.request(.POST, "/scan?name=a.png", body: picture)
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        return request
    }

    private static func send(_ request: HTTPClientRequest) async throws -> Upload {
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let content = try Answer(String(buffer: try await response.body.collect(upTo: 1 << 20))).data
        return Upload(
            status: Int(response.status.code), events: content.pictures?.flatMap(\.events) ?? [],
            reason: content.reason)
    }

    private static func send(_ key: String?, to station: RunningStation) async throws -> Upload {
        try await send(request(key, to: station))
    }

    @Test func anUploadThatIsSentAgainIsStoredOnce() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        let first = try await Self.send("upload-0001", to: station)
        #expect(first.status == 200 && first.events.count > 1)
        #expect(try await Self.send("upload-0001", to: station).events == first.events)
        _ = try await station.end(SIGKILL)
        try await station.start(["--camera", "none"])
        #expect(try await Self.send("upload-0001", to: station).events == first.events)
        // Another upload of the same picture, and one without a key, create events of their own.
        for key in ["upload-0002", nil] {
            let other = try await Self.send(key, to: station)
            #expect(other.events.count == first.events.count && Set(other.events).isDisjoint(with: first.events))
        }
        let wrong = try await Self.send("no", to: station)
        #expect(wrong.status == 400 && wrong.reason == "bad_idempotency_key")
        let health = try await station.answer(to: station.request(.GET, "/health", headers: [])).body
        #expect(health.contains("\"events\":\(first.events.count * 3)"))
        _ = try await station.end(SIGTERM)
    }

    @Test func anUploadThatIsSentManyTimesAtOnceIsStoredOnce() async throws {
        let station = try RunningStation()
        try await station.start(["--camera", "none"])
        let request = try Self.request("upload-0003", to: station)
        let answers = try await withThrowingTaskGroup(of: Upload.self) { group in
            for _ in 0..<8 { group.addTask { try await Self.send(request) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // Each gets the same events, or is told to retry.
        #expect(Set(answers.filter { $0.status == 200 }.map(\.events)).count == 1)
        #expect(answers.allSatisfy { $0.status == 200 || ($0.status == 409 && $0.reason == "upload_under_way") })
        let stored = try await Self.send("upload-0003", to: station)
        let health = try await station.answer(to: station.request(.GET, "/health", headers: [])).body
        #expect(health.contains("\"events\":\(stored.events.count)"))
        _ = try await station.end(SIGTERM)
    }

    @Test func openRequestsAreListedForTheStationAlone() async throws {
        let station = try RunningStation()
        let origin = ("Origin", "http://oa.example")
        try await station.start(["--camera", "none", "--allow-origin", origin.1])
        func list(_ headers: [(String, String)]? = nil) async throws -> (Int, [Answer.Content.OpenRequest]) {
            let answer = try await station.answer(to: station.request(.GET, "/bridge/requests", headers: headers))
            return (answer.status, try Answer(answer.body).data.requests ?? [])
        }
        let opened = try Answer(
            try await station.answer(to: station.request(.POST, "/bridge/session", headers: [origin])).body)
        let session = [origin, ("Authorization", "Bearer \(try #require(opened.data.session))")]
        for (name, headers) in [("request-1", session), ("request-2", nil)] {
            let body = #"{"request": "\#(name)", "message": {"source": "album"}}"#
            let answer = try await station.answer(
                to: station.request(
                    .POST, "/bridge/promise", headers: headers, body: Array(body.utf8), type: "application/json"))
            #expect(answer.status == 202)
        }
        let (status, requests) = try await list()
        #expect(status == 200)
        #expect(requests.map(\.request).sorted() == ["request-1", "request-2"])
        #expect(requests.first { $0.request == "request-1" }?.origin == origin.1)
        #expect(requests.contains { $0.request == "request-2" && $0.origin == nil })
        #expect(try await list(session).0 == 403)
        #expect(try await list([]).0 == 401)
        _ = try await station.end(SIGTERM)
    }
}
