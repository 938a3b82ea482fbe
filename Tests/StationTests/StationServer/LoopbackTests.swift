import Testing

@testable import StationServer

/// The detection of loopback addresses.
@Suite struct LoopbackTests {
    @Test(
        arguments: [
            ("localhost", true), ("LOCALHOST", true), ("LocalHost", true), ("127.0.0.1", true), ("127.1.2.3", true),
            ("::1", true), ("0.0.0.0", false), ("::", false), ("192.168.1.7", false), ("localhost.example", false),
            ("127.example", false),
        ])
    func addresses(_ address: String, _ isLoopback: Bool) {
        #expect(BridgeSettings.isLoopback(address) == isLoopback)
    }
}
