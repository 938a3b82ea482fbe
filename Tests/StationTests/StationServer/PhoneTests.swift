import FoundationEssentials
import Testing

@testable import StationServer

/// The permissions of phones' tokens, their expiry, and the removal of phones.
@Suite(.timeLimit(.minutes(5))) struct PhoneTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func aPhoneComesInTimeAndStaysForAShift() {
        var store = PhoneStore()
        let (token, phone) = store.add(now: Self.now)
        #expect(phone.expiresAt == Self.now + PhoneStore.waiting)
        let stranger = store.phone("another", now: Self.now)
        #expect(stranger == nil)
        let arrival = Self.now + PhoneStore.waiting - 1
        let here = store.phone(token, now: arrival)
        #expect(here?.name == phone.name)
        #expect(here?.expiresAt == arrival + PhoneStore.lifetime)
        // Further requests do not extend the expiry.
        let later = store.phone(token, now: arrival + PhoneStore.lifetime - 1)
        #expect(later?.expiresAt == here?.expiresAt)
        let over = store.phone(token, now: arrival + PhoneStore.lifetime)
        #expect(over == nil)
    }

    @Test func oneThatDoesNotComeIsForgotten() {
        var store = PhoneStore()
        let (token, _) = store.add(now: Self.now)
        let before = store.all(now: Self.now)
        #expect(before.count == 1)
        let late = store.phone(token, now: Self.now + PhoneStore.waiting)
        #expect(late == nil)
        let after = store.all(now: Self.now + PhoneStore.waiting)
        #expect(after.isEmpty)
    }

    @Test func oneIsSentAwayAndNoOther() {
        var store = PhoneStore()
        let first = store.add(now: Self.now)
        let second = store.add(now: Self.now)
        let (isRemoved, isRemovedAgain) = (store.remove(first.phone.name), store.remove(first.phone.name))
        #expect(isRemoved && !isRemovedAgain)
        let (gone, left) = (store.phone(first.token, now: Self.now), store.phone(second.token, now: Self.now))
        #expect(gone == nil)
        #expect(left?.name == second.phone.name)
    }

    @Test func oneTooManyTakesThePlaceOfTheFirst() {
        var store = PhoneStore()
        var tokens: [String] = []
        for number in 0...PhoneStore.maximum { tokens.append(store.add(now: Self.now + Double(number)).token) }
        let all = store.all(now: Self.now)
        #expect(all.count == PhoneStore.maximum)
        var isKnown: [Bool] = []
        for token in tokens { isKnown.append(store.phone(token, now: Self.now) != nil) }
        #expect(isKnown == [false] + Array(repeating: true, count: PhoneStore.maximum))
    }

    private struct Answer: Decodable {
        struct Content: Decodable {
            struct Phone: Decodable {
                var id: String
                var seenAt: String?
            }
            var link: String?
            var phones: [Phone]?
        }
        var data: Content
    }

    private static func ask(_ port: Int, _ line: String, token: String, host: String = "127.0.0.1") async throws
        -> String
    {
        let head =
            "\(line) HTTP/1.1\r\nHost: \(host):\(port)\r\nAuthorization: Bearer \(token)\r\n"
            + "Connection: close\r\nContent-Length: 0\r\n\r\n"
        return try await ServerTests.exchange(port, [head])
    }

    private static func data(_ answer: String) throws -> Answer.Content {
        let body = try #require(answer.split(separator: "\r\n\r\n", maxSplits: 1).last)
        return try JSONDecoder().decode(Answer.self, from: Data(body.utf8)).data
    }

    @Test func itsTokenSendsPicturesAndNothingElse() async throws {
        try await ServerTests.serving({ $0.hosts = ["station.test"] }) { port, _ in
            let station = ServerTests.token.text
            let added = try Self.data(
                await Self.ask(port, "POST /phones", token: station, host: "station.test"))
            let parts = try #require(added.link).split(separator: "#token=")
            #expect(parts.first == "http://station.test:\(port)/phone")
            let token = String(try #require(parts.last))
            #expect(token != station)

            for line in [
                "GET /scans", "GET /scans.csv", "GET /events", "GET /frame.jpg", "GET /frame.jpg?size=full",
                "GET /preview",
                "GET /camera", "POST /camera", "POST /typed", "GET /phones", "POST /phones", "DELETE /phones/x",
                "GET /deliveries", "GET /bridge/requests", "POST /bridge/promise", "DELETE /bridge/requests/x",
                "GET /devices", "GET /counts", "GET /workplace", "GET /lookup", "GET /apps", "GET /conn_scan_gun",
            ] {
                let answer = try await Self.ask(port, line, token: token)
                let isRefused = answer.hasPrefix("HTTP/1.1 403 ") || answer.hasPrefix("HTTP/1.1 404 ")
                #expect(isRefused, "\(line): \(answer.prefix(200))")
            }
            // Its permissions: here the body has no picture, and no request to answer.
            for line in ["POST /detect?formats=nothing", "POST /scan?formats=nothing"] {
                #expect(try await Self.ask(port, line, token: token).contains("unknown_format"), "\(line)")
            }
            #expect(
                try await Self.ask(port, "POST /scan?request=somebody-else-s", token: token)
                    .contains("no_such_request"))

            let phones = try #require(try Self.data(await Self.ask(port, "GET /phones", token: station)).phones)
            #expect(phones.count == 1 && phones.first?.seenAt != nil)
            let left = try Self.data(
                await Self.ask(port, "DELETE /phones/\(try #require(phones.first).id)", token: station))
            #expect(left.phones?.isEmpty == true)
            #expect(try await Self.ask(port, "POST /detect", token: token).hasPrefix("HTTP/1.1 401 "))
        }
    }
}
