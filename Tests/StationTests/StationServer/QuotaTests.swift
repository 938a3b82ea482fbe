import BridgeDialects
import FoundationEssentials
import HTTPTypes
import Testing

@testable import StationServer

/// The limits of one page and of one origin, and the share that is left for others.
@Suite struct QuotaTests {
    private static func page(_ origin: String, _ session: String) -> QuotaUser {
        .page(origin: origin, session: session)
    }

    private static func pages(_ count: Int, _ origin: String, _ session: String) -> [QuotaUser] {
        Array(repeating: page(origin, session), count: count)
    }

    @Test(
        arguments: [
            ("nobody", [], page("a", "1"), nil),
            ("a page with its share", pages(2, "a", "1"), page("a", "1"), .session),
            ("a fresh session of that origin", pages(2, "a", "1"), page("a", "2"), nil),
            ("an origin with its share", pages(2, "a", "1") + pages(1, "a", "2"), page("a", "3"), .origin),
            ("another origin then", pages(2, "a", "1") + pages(1, "a", "2"), page("b", "4"), nil),
            ("all pages", pages(3, "a", "1") + pages(2, "b", "2"), page("c", "3"), .pages),
            ("the station then", pages(3, "a", "1") + pages(2, "b", "2"), .station, nil),
            ("the station alone", Array(repeating: .station, count: 6), .station, .all),
            ("a page behind the station", Array(repeating: .station, count: 6), page("a", "1"), .all),
        ] as [(String, [QuotaUser], QuotaUser, Quota.Limit?)])
    func limits(_ label: String, _ taken: [QuotaUser], _ user: QuotaUser, _ expected: Quota.Limit?) {
        let quota = Quota(maximum: 6, maximumOfPages: 5, maximumOfOrigin: 3, maximumOfSession: 2)
        #expect(quota.limit(for: user, among: taken) == expected)
    }

    @Test(arguments: [
        (Quota.Limit.session, 429), (.origin, 429), (.pages, 503), (.all, 503),
    ])
    func aRefusalSaysWhenToComeAgain(_ limit: Quota.Limit, _ status: Int) {
        let quota = Quota(maximum: 6, maximumOfPages: 5, maximumOfOrigin: 3, maximumOfSession: 2)
        let failure = HTTPFailure(limit, of: quota, reason: "busy", what: "requests open", retryAfter: 5)
        #expect(failure.status.code == status)
        #expect(failure.headers[.retryAfter] == "5")
        #expect(failure.sentence.hasSuffix("requests open; try again in 5 s."))
    }

    private static func request(_ id: String) throws -> BridgeRequest {
        try BridgeRequest(dialect: .promise, id: id, message: ["source": "any", "timeout": .number(600)])
    }

    /// An origin that opens as many requests as it can, with new sessions, leaves room for another origin and the
    /// station.
    @Test func noOriginTakesAllRequests() throws {
        var registry = RequestRegistry()
        func open(_ origin: String?) throws -> Int {
            var opened = 0
            for index in 0..<100 {
                let owner = origin.map { RequestRegistry.Owner.origin($0) } ?? .station
                let bridge = try Self.request("request-\(origin ?? "")-\(index)")
                let opening = registry.open(bridge, owner: owner, session: origin.map { "\($0)-\(index)" }, now: .zero)
                if case .opened = opening { opened += 1 }
            }
            return opened
        }
        let quota = RequestRegistry.quota
        #expect(try open("http://a") == quota.maximumOfOrigin)
        #expect(try open("http://b") == quota.maximumOfOrigin)
        #expect(try open("http://c") == quota.maximumOfPages - 2 * quota.maximumOfOrigin)
        #expect(try open(nil) == quota.maximum - quota.maximumOfPages)
    }

    @Test func noOriginMakesTheStationForgetWhatEndedElsewhere() throws {
        var registry = RequestRegistry()
        func endOne(_ id: String, _ owner: RequestRegistry.Owner) throws {
            _ = registry.open(try Self.request(id), owner: owner, session: "s", now: .zero)
            _ = registry.end(id, .cancelled)
        }
        try endOne("other", .origin("http://b"))
        for index in 0..<1000 { try endOne("request-\(index)", .origin("http://a")) }
        #expect(registry.entry("other", for: .station)?.state == .cancelled)
        #expect(registry.entry("request-999", for: .station) != nil)
        #expect(registry.entry("request-\(1000 - RequestRegistry.maximumEndedOfOwner)", for: .station) != nil)
        #expect(registry.entry("request-\(999 - RequestRegistry.maximumEndedOfOwner)", for: .station) == nil)
    }

    @Test func noOriginTakesAllEventStreams() throws {
        let hub = EventHub()
        func open(_ origin: String) -> Int {
            (0..<100).count { (try? hub.open(Self.page(origin, "\(origin)-\($0)"), wantsView: false)) != nil }
        }
        let quota = EventHub.quota
        #expect(open("a") == quota.maximumOfOrigin)
        #expect(open("b") == quota.maximumOfOrigin)
        #expect(open("c") == quota.maximumOfPages - 2 * quota.maximumOfOrigin)
        #expect((try? hub.open(.station, wantsView: false)) != nil)
    }

    @Test func noOriginTakesAllUploads() async throws {
        let limiter = UploadLimiter(maximum: 8)
        let (waiting, wait) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (entered, enter) = AsyncStream.makeStream(of: Void.self)
            for index in 0..<2 {
                group.addTask {
                    try await limiter.enter(Self.page("a", "\(index)")) {
                        enter.yield()
                        for await _ in waiting {}
                    }
                }
            }
            var count = 0
            for await _ in entered {
                count += 1
                if count == 2 { break }
            }
            await #expect(throws: HTTPFailure.self) { try await limiter.enter(Self.page("a", "3")) {} }
            try await limiter.enter(Self.page("b", "4")) {}
            try await limiter.enter(.station) {}
            #expect(limiter.current == 2)
            wait.finish()
            try await group.waitForAll()
        }
        #expect(limiter.current == 0)
    }

    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// An origin that opens many sessions loses its own least recently used ones.
    @Test func noOriginTakesTheSessionsOfAnother() {
        var store = SessionStore()
        let other = store.open(origin: "http://b", now: Self.start, uptime: .zero).secret
        let first = store.open(origin: "http://a", now: Self.start, uptime: .zero).secret
        let second = store.open(origin: "http://a", now: Self.start, uptime: .zero).session
        for index in 1...1000 {
            let (now, uptime) = (Self.start + Double(index), Duration.seconds(index))
            _ = store.countRequest(ofSession: second.name, now: now, uptime: uptime)
            _ = store.open(origin: "http://a", now: now, uptime: uptime)
        }
        #expect(store.session(other, now: Self.start + 1001) != nil)
        #expect(store.session(first, now: Self.start + 1001) == nil)
        #expect(store.seen(second.name) == .seconds(1000))
    }

    /// New sessions do not bypass the rate limit of the origin.
    @Test func anOriginHasAnAllowance() {
        var store = SessionStore()
        let names = (0..<20).map { _ in store.open(origin: "http://a", now: Self.start, uptime: .zero).session.name }
        let other = store.open(origin: "http://b", now: Self.start, uptime: .zero).session.name
        let admitted = (0..<20).flatMap { _ in names }
            .count { store.countRequest(ofSession: $0, now: Self.start, uptime: .zero) }
        #expect(admitted == Int(SessionStore.originRate))
        let isAdmitted = store.countRequest(ofSession: other, now: Self.start, uptime: .zero)
        #expect(isAdmitted)
        let isSessionGiven = store.countRequest(ofOrigin: "http://a", now: Self.start)
        #expect(!isSessionGiven)
    }
}
