import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import StationServer

/// Host names, origins, tokens and sessions.
@Suite struct AccessTests {
    static let policy = HostPolicy(
        port: 6079, isTLS: false, hosts: ["station.local", "Other:81"],
        origins: ["http://oa.example", "https://[::2]:8"])

    @Test(arguments: [
        ("loopback", "127.0.0.1:6079", true), ("its name", "localhost:6079", true), ("IPv6", "[::1]:6079", true),
        ("capitals", "LOCALHOST:6079", true), ("configured", "station.local:6079", true),
        ("configured with a port", "other:81", true), ("no port", "localhost", false),
        ("another port", "localhost:80", false),
        ("another port of a name with one", "other:6079", false),
        ("a name that points here", "evil.example:6079", false),
        ("a name that begins alike", "localhost:6079.evil.example", false), ("with a user", "x@localhost:6079", false),
        ("nothing", "", false), ("a trailing dot", "localhost.:6079", false),
    ])
    func hosts(_ label: String, _ host: String, _ expected: Bool) {
        #expect(Self.policy.admits(host: host) == expected)
    }

    @Test func noHostIsNone() { #expect(!Self.policy.admits(host: nil)) }

    @Test(arguments: [
        ("own", "http://127.0.0.1:6079", HostPolicy.OriginKind.own), ("own name", "http://station.local:6079", .own),
        ("allowed", "http://oa.example", .allowed), ("capitals", "http://OA.example", .allowed),
        ("IPv6", "https://[::2]:8", .allowed), ("another scheme", "https://oa.example", .refused),
        ("another port", "http://oa.example:8080", .refused), ("a longer name", "http://oa.example.evil", .refused),
        ("another port of this machine", "http://127.0.0.1:8080", .refused), ("null", "null", .refused),
        ("empty", "", .refused), ("own by another scheme", "https://127.0.0.1:6079", .refused),
    ])
    func origins(_ label: String, _ origin: String, _ expected: HostPolicy.OriginKind) {
        #expect(Self.policy.kind(ofOrigin: origin) == expected)
    }

    @Test func noOriginIsNone() { #expect(Self.policy.kind(ofOrigin: nil) == .none) }

    @Test func impliedPortsMayBeLeftOut() {
        #expect(HostPolicy(port: 443, isTLS: true, hosts: ["a.example"], origins: []).admits(host: "a.example"))
        #expect(HostPolicy(port: 80, isTLS: false, hosts: [], origins: []).admits(host: "localhost"))
        #expect(!HostPolicy(port: 443, isTLS: false, hosts: [], origins: []).admits(host: "localhost"))
    }

    @Test func tokens() {
        let token = AccessToken()
        #expect(token.text.utf8.count == 43)
        #expect(token.matches(token.text))
        for other in [AccessToken().text, "", String(token.text.dropLast()), token.text + "A", token.text.uppercased()]
        {
            #expect(!token.matches(other))
        }
    }

    @Test func aTokenFileIsMadeOnceAndKept() throws {
        let folder = try TestFolder()
        let made = try AccessToken(file: folder["t"])
        #expect(try AccessToken(file: folder["t"]).text == made.text)
        var status = stat()
        #expect(stat(folder["t"], &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: [
        ("other users can read it", "abcdefghijklmnopqrstuvwxyz0123456789", mode_t(0o644), "chmod 600"),
        ("too short", "abc", 0o600, "contains no token"), ("empty", "", 0o600, "contains no token"),
        ("other characters", "abcdefghijklmnopqrstuvwxyz;Path=/;;;", 0o600, "contains no token"),
    ])
    func aTokenFileThatCannotBe(_ label: String, _ text: String, _ mode: mode_t, _ expected: String) throws {
        let folder = try TestFolder()
        let path = try folder.file("t", text)
        chmod(path, mode)
        let error = #expect(throws: TokenFileError.self) { try AccessToken(file: path) }
        #expect(error?.description.contains(expected) == true)
        #expect(error?.description.contains(path) == true)
        if !text.isEmpty { #expect(error?.description.contains(text) == false) }
    }

    @Test func sessionsEnd() {
        var store = SessionStore()
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let (secret, session) = store.open(origin: "http://oa.example", now: start, uptime: .zero)
        #expect(store.session(secret, now: start)?.name == session.name)
        #expect(store.session(secret, now: start + SessionStore.lifetime - 1)?.origin == "http://oa.example")
        #expect(store.session(secret, now: start + SessionStore.lifetime) == nil)
        #expect(store.session(session.name, now: start) == nil)
        #expect(store.session("", now: start) == nil)
    }

    @Test func aSessionHasAnAllowance() {
        var store = SessionStore()
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let name = store.open(origin: "o", now: start, uptime: .zero).session.name
        let other = store.open(origin: "o", now: start, uptime: .zero).session.name
        let admitted = (0..<25).count { _ in store.countRequest(ofSession: name, now: start, uptime: .zero) }
        #expect(admitted == 20)
        let result11 = store.countRequest(ofSession: other, now: start, uptime: .zero)
        #expect(result11)
        let result12 = store.countRequest(ofSession: name, now: start + 0.04, uptime: .zero)
        #expect(!result12)
        let result13 = store.countRequest(ofSession: name, now: start + 0.06, uptime: .zero)
        #expect(result13)
        // A clock that was set back adds nothing to the rate limit.
        let result14 = store.countRequest(ofSession: name, now: start - 3600, uptime: .zero)
        #expect(!result14)
        let result15 = store.countRequest(ofSession: "nobody", now: start, uptime: .zero)
        #expect(!result15)
    }

    /// A wall clock that is set does not make a page silent that has just sent a request.
    @Test func silenceIsMeasuredByTheMonotonicClock() throws {
        let times = Mutex((date: Date(timeIntervalSince1970: 1_800_000_000), uptime: Duration.zero))
        let access = AccessControl(
            token: AccessToken(), policy: Self.policy,
            now: { times.withLock { $0.date } }, uptime: { times.withLock { $0.uptime } })
        let session = try #require(access.openSession(origin: "http://oa.example")).session.name
        times.withLock { $0 = ($0.date + 3600, .seconds(9)) }
        #expect(!access.isSilent(session, for: .seconds(10)))
        times.withLock { $0 = ($0.date - 7200, .seconds(10)) }
        #expect(access.isSilent(session, for: .seconds(10)))
        #expect(access.countRequest(ofSession: session) && !access.isSilent(session, for: .seconds(10)))
    }

    @Test func sessionsAreBounded() {
        var store = SessionStore()
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        // Several origins, because a single one may not have so many.
        func open(_ index: Int) -> String {
            store.open(origin: "o\(index % 8)", now: start, uptime: .seconds(index)).secret
        }
        let first = open(0)
        let second = open(1)
        for index in 2...SessionStore.maximum { _ = open(index) }
        #expect(store.session(first, now: start + 300) == nil)
        #expect(store.session(second, now: start + 300) != nil)
    }
}
