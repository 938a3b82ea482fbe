internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Resolves a host's name and checks that its address may be connected to.
enum AddressPin {
    /// The reason why a host may not be connected to.
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    /// Returns the address to connect to for a receiver.
    ///
    /// A name is resolved once, and the same address is checked and connected to. This protects against DNS
    /// rebinding, by which a name server gives a different answer a moment later.
    static func address(for receiver: HTTPReceiver) async throws -> String {
        if let address = receiver.address { return address }
        if isAddress(receiver.host) || ["localhost", "localhost."].contains(receiver.host) { return receiver.host }
        let host = receiver.host
        // getaddrinfo blocks.
        let address = try await NIOThreadPool.singleton.runIfActive {
            try SocketAddress.makeAddressResolvingHost(host, port: 0).ipAddress
        }
        guard let address else { throw Refusal(description: "the name \(host) has no IP address") }
        if isPrivate(address) && !receiver.allowsPrivateAddress {
            throw Refusal(
                description: "the name \(host) resolves to \(address), a private address; "
                    + "set allowPrivateAddress if this is intended")
        }
        return address
    }

    /// Indicates whether a text is an IP address and not a name.
    static func isAddress(_ text: String) -> Bool { bytes(of: text) != nil }

    /// Indicates whether an address is local or private: one that is not globally reachable by RFC 6890.
    static func isPrivate(_ text: String) -> Bool {
        guard let address = bytes(of: text) else { return true }
        return blocks.contains { block in
            guard let network = bytes(of: block.first), network.count == address.count else { return false }
            return zip(network, address).enumerated().allSatisfy { index, pair in
                let bits = min(8, max(0, block.length - index * 8))
                return (pair.0 ^ pair.1) >> (8 - bits) == 0
            }
        }
    }

    private static let blocks: [(first: String, length: Int)] = [
        ("0.0.0.0", 8), ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16),
        ("172.16.0.0", 12), ("192.0.0.0", 24), ("192.0.2.0", 24), ("192.168.0.0", 16), ("198.18.0.0", 15),
        ("198.51.100.0", 24), ("203.0.113.0", 24), ("224.0.0.0", 4), ("240.0.0.0", 4),
        // An IPv4 address embedded in IPv6 could hide any of the above.
        ("::", 96), ("::ffff:0:0", 96), ("64:ff9b::", 96), ("64:ff9b:1::", 48), ("2002::", 16),
        ("100::", 64), ("2001:db8::", 32), ("fc00::", 7), ("fe80::", 10), ("ff00::", 8),
    ]

    /// The 4 or 16 bytes of an address; `nil` if the text is not an address.
    private static func bytes(of text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
