import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The readable reasons of failed connections, in the built program.
@Suite(.timeLimit(.minutes(10))) struct ReasonTests {
    /// Sends an event to a receiver once, and returns the program's message.
    private func reason(_ lines: String) async throws -> String {
        let station = try Station()
        try station.configure("his:\n  type: http\n  unsigned: true\n  timeoutSeconds: 60\n" + lines)
        let result = try await station("send-test")
        let line = result.messages.split(separator: "\n").first.map(String.init) ?? ""
        #expect(result.ending == .exit(line.hasSuffix("delivered, status 204") ? 0 : 1))
        // No Swift types, no file names of the build, no ports that are not configured.
        for pattern in ["Error", "NIO", "SSL", "OPENSSL", ".swift", ".cc", "port 0", "/work", "Sources", "("] {
            #expect(!line.contains(pattern), "\(pattern): \(line)")
        }
        return line
    }

    @Test func certificates() async throws {
        let folder = try TemporaryFolder()
        let made = try Support.certificates(in: folder)
        // The receiver's certificate, the trusted certificates (`nil`: the system's), and the message.
        let untrusted = "scan-outbox: his: not delivered: no trusted TLS connection to 127.0.0.1:PORT: "
        let advice = "; if you trust it, set certificateAuthorities to its file"
        let cases: [(String, String?, String)] = [
            ("server.pem", "ca.pem", "scan-outbox: his: delivered, status 204"),
            ("self.pem", "self.pem", "scan-outbox: his: delivered, status 204"),
            ("expired.pem", "ca.pem", untrusted + "its certificate expired on 2021-01-02"),
            (
                "future.pem", "ca.pem",
                untrusted + "its certificate is not valid before 2990-01-01; check the clock of this machine"
            ),
            ("other.pem", "ca.pem", untrusted + "its certificate is not valid for the name 127.0.0.1"),
            ("named.pem", "ca.pem", untrusted + "its certificate is not valid for the name 127.0.0.1"),
            ("self.pem", "ca.pem", untrusted + "its certificate is self-signed" + advice),
            ("self.pem", nil, untrusted + "its certificate is self-signed" + advice),
            (
                "server.pem", nil,
                untrusted + "its certificate was issued by an unknown authority; if you trust it, set "
                    + "certificateAuthorities to the authority's file"
            ),
            (
                "server.pem", "twin-ca.pem",
                untrusted
                    + "its certificate was not issued by the authority in certificateAuthorities, which has the same "
                    + "name"
            ),
            ("old.pem", "old-ca.pem", untrusted + "the certificate in certificateAuthorities expired on 2021-01-02"),
        ]
        for (certificate, authority, sentence) in cases {
            let receiver = try Receiver(certificates: made, certificate: certificate)
            let line = try await reason(
                "  url: \(receiver.base)/ok\n" + (authority.map { "  certificateAuthorities: \(made)/\($0)\n" } ?? ""))
            #expect(line == sentence.replacing("PORT", with: "\(receiver.port)"), "\(certificate), \(authority ?? "-")")
            #expect(receiver.entries.count == (sentence.hasSuffix("204") ? 1 : 0))
        }
    }

    @Test func connections() async throws {
        let folder = try TemporaryFolder()
        let plain = try Receiver()
        let secure = try Receiver(certificates: try Support.certificates(in: folder))
        let cases = [
            (
                "https://127.0.0.1:\(plain.port)/ok",
                "no trusted TLS connection to 127.0.0.1:\(plain.port): it does not use TLS; its URL may have to begin "
                    + "with http://"
            ),
            (
                "http://127.0.0.1:\(secure.port)/ok",
                "the connection failed: 127.0.0.1:\(secure.port) closed it before the answer was complete; if it uses "
                    + "TLS, its URL has to begin with https://"
            ),
            (
                "http://127.0.0.1:\(plain.port)/header",
                "the connection failed: the answer of 127.0.0.1:\(plain.port) has a header of more than 80 KiB"
            ),
            ("http://127.0.0.1:1/", "the connection failed: 127.0.0.1:1 refused it; no program listens there"),
            ("HTTP://LocalHost:1/", "the connection failed: localhost:1 refused it; no program listens there"),
            ("http://nowhere.invalid/", "the host nowhere.invalid was not found"),
            ("http://127.0.0.1:\(plain.port)/reset", "the connection failed: 127.0.0.1:\(plain.port) "),
            ("http://127.0.0.1:\(plain.port)/half", "the connection failed: 127.0.0.1:\(plain.port) "),
        ]
        for (url, sentence) in cases {
            let line = try await reason("  url: \(url)\n")
            #expect(line.hasPrefix("scan-outbox: his: not delivered: \(sentence)"), "\(url): \(line)")
        }
    }
}
