import BarcodeCore
import FoundationEssentials
import ScanEvents
import ScanOutbox
import Testing

@testable import Delivery

/// The decision after an attempt, without a network or a disk.
@Suite struct DecisionTests {
    @Test(
        arguments: [
            (200, .delivered), (204, .delivered), (299, .delivered), (199, .failed), (301, .failed), (307, .failed),
            (400, .failed), (401, .failed), (404, .failed), (410, .gone), (429, .throttled), (500, .failed),
            (502, .throttled), (503, .throttled), (504, .throttled), (505, .failed),
        ] as [(Int, DeliveryOutcome.Kind)])
    func statuses(_ status: Int, _ kind: DeliveryOutcome.Kind) {
        let outcome = DeliveryOutcome.answered(status: status, retryAfter: .seconds(7))
        #expect(outcome.kind == kind)
        #expect(outcome.status == status)
        #expect((outcome.reason == nil) == (kind == .delivered))
        #expect(outcome.retryAfter == (kind == .throttled ? .seconds(7) : nil))
    }

    /// A field is not looked for in a response of which only a part was read.
    @Test func aResponseThatIsTooLongForItsField() {
        let acceptance = HTTPAcceptance(field: HTTPAcceptance.Field(path: "status", value: "ok"))
        let body = Data(count: HTTPAcceptance.maximumBody + 1)
        let reason = acceptance.outcome(status: 200, retryAfter: nil, body: body).reason
        #expect(reason == "answered 200 with more than 1048576 bytes, too many to look for status")
    }

    @Test func theStandardScheduleAndThenDead() {
        let waits = (1...10).map { attempt in
            DeliveryDecision(after: .failed("x"), attempt: attempt, schedule: .standard, random: 0)
        }
        let seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
        #expect(waits.map(\.delay) == seconds.map { .seconds($0) } + [nil])
        #expect(waits.map(\.state) == Array(repeating: .pending, count: 9) + [.dead])
        #expect(waits.allSatisfy { $0.pause == nil })
    }

    @Test func jitterOnlyLengthens() {
        for attempt in 1...9 {
            let shortest = RetrySchedule.standard.delay(afterAttempt: attempt, random: 0)!
            let longest = RetrySchedule.standard.delay(afterAttempt: attempt, random: 1)!
            #expect(longest > shortest)
            #expect(longest <= shortest * 1.1 + .milliseconds(1))
            let middle = RetrySchedule.standard.delay(afterAttempt: attempt, random: 0.5)!
            #expect(middle > shortest && middle < longest)
        }
        #expect(RetrySchedule.standard.delay(afterAttempt: 0, random: 0) == nil)
    }

    @Test(
        arguments: [
            // The outcome, then the state, the delay and the pause after the first attempt, in seconds.
            (.delivered(status: 200), .delivered, nil, nil),
            (DeliveryOutcome(.gone, status: 410), .disabled, nil, nil),
            (.failed("x"), .pending, 5, nil),
            (.refused("x"), .dead, nil, nil),
            (.skipped("x"), .delivered, nil, nil),
            (DeliveryOutcome(.throttled), .pending, 5, 5),
            (DeliveryOutcome(.throttled, retryAfter: .seconds(1)), .pending, 5, 1),
            (DeliveryOutcome(.throttled, retryAfter: .seconds(90)), .pending, 90, 90),
            (DeliveryOutcome(.throttled, retryAfter: .seconds(1_000_000)), .pending, 86_400, 86_400),
        ] as [(DeliveryOutcome, DeliveryState, Int?, Int?)])
    func decisions(_ outcome: DeliveryOutcome, _ state: DeliveryState, _ delay: Int?, _ pause: Int?) {
        let decision = DeliveryDecision(after: outcome, attempt: 1, schedule: .standard, random: 0)
        #expect(decision.state == state)
        #expect(decision.delay == delay.map { .seconds($0) })
        #expect(decision.pause == pause.map { .seconds($0) })
    }

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("99999999999", 1_000_000_000), ("Fri, 15 Jan 2027 08:01:00 GMT", 60),
            ("Fri, 15 Jan 2027 07:00:00 GMT", 0), ("-1", nil), ("1.5", nil), ("", nil), ("soon", nil),
            ("Fri, 15 Foo 2027 08:01:00 GMT", nil), ("Friday, 15-Jan-27 08:01:00 GMT", nil),
            ("Fri, 15 Jan 2027 25:01:00 GMT", nil),
        ] as [(String, Int64?)])
    func retryAfter(_ text: String, _ seconds: Int64?) {
        let now = Date(milliseconds: 1_800_000_000_000)
        #expect(RetryAfter.parse(text, now: now) == seconds.map { .seconds($0) })
    }

    /// The test vector of the Standard Webhooks specification and libraries.
    @Test func theStandardsTestVector() throws {
        let secret = try WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let header = WebhookSignature.header(
            secrets: [secret], id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330,
            body: Data("{\"test\": 2432232314}".utf8))
        #expect(header == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let other = try WebhookSecret("whsec_" + Data(repeating: 7, count: 32).base64EncodedString())
        let both = WebhookSignature.header(
            secrets: [other, secret], id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330,
            body: Data("{\"test\": 2432232314}".utf8))
        #expect(both.split(separator: " ").count == 2)
        #expect(both.hasSuffix(" " + header))
    }

    @Test(
        arguments: [
            "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_!!!",
            "whsec_" + Data(repeating: 1, count: 23).base64EncodedString(),
            "whsec_" + Data(repeating: 1, count: 65).base64EncodedString(),
        ])
    func noSecret(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) { try WebhookSecret(text) }
        #expect(text.count < 12 || error?.description.contains(text) == false)
    }

    @Test func aSecretDoesNotPrintItself() throws {
        let secret = try WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])", "\(secret as Any?)"] {
            #expect(!text.contains("MfKQ"))
            #expect(!text.contains("49, 242"))
        }
    }

    @Test(
        arguments: [
            ("https://his.example/scans", "his.example"), ("http://127.0.0.1:8080", "127.0.0.1"),
            ("HTTPS://[::1]:8443/x?y=1", "::1"), ("http://h", "h"), ("ftp://h", nil), ("https://", nil),
            ("https://user:pw@h/", nil), ("https://h/#f", nil), ("https://h:0/", nil), ("https://h:x/", nil),
            ("https://h/a b", nil), ("h", nil),
        ] as [(String, String?)])
    func receivers(_ url: String, _ host: String?) {
        #expect((try? HTTPReceiver(url: url))?.host == host)
    }

    @Test(
        arguments: [
            ("10.1.2.3", true), ("172.31.0.1", true), ("172.32.0.1", false), ("192.168.1.1", true),
            ("127.0.0.1", true), ("169.254.169.254", true), ("100.64.0.1", true), ("8.8.8.8", false),
            ("193.0.0.1", false), ("::1", true), ("fe80::1", true), ("fd00::1", true), ("2606:4700::1", false),
            ("::ffff:10.0.0.1", true), ("::ffff:8.8.8.8", true), ("no address", true),
        ])
    func privateAddresses(_ address: String, _ isPrivate: Bool) {
        #expect(AddressPin.isPrivate(address) == isPrivate)
    }

    @Test func aNameThatLeadsToAPrivateAddressIsRefused() async throws {
        var receiver = try HTTPReceiver(url: "http://localhost.localdomain/")
        receiver.address = "10.0.0.1"
        #expect(try await AddressPin.address(for: receiver) == "10.0.0.1")
        // The machine's own name resolves to one of its own addresses.
        let own = ProcessInfo.processInfo.hostName
        if AddressPin.isAddress(own) || own == "localhost" { return }
        let named = try HTTPReceiver(url: "http://\(own)/")
        let allowed = try HTTPReceiver(url: "http://\(own)/", allowsPrivateAddress: true)
        guard let address = try? await AddressPin.address(for: allowed), AddressPin.isPrivate(address) else { return }
        await #expect(throws: AddressPin.Refusal.self) { try await AddressPin.address(for: named) }
    }
}
