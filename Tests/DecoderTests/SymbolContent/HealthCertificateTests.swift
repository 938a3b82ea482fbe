import SymbolContent
import TestSupport
import Testing

@Suite("Health certificates")
struct HealthCertificateTests {
    /// The signed claims of a vaccination, from the test data of the EU's member states (AT, 1).
    static let vaccination = bytes(
        "d2844da20448d919375fc1e7b6b20126a0590133a4041a61817ca0061a60942ea001624154390103a101a4617681aa62646e"
            + "01626d616d4f52472d3130303033303231356276706a313131393334393030376264746a323032312d30322d313862636f62"
            + "4154626369783155524e3a555643493a30313a41543a31303830373834334639344145453045453530393346424332353442"
            + "443831332342626d706c45552f312f32302f31353238626973781b4d696e6973747279206f66204865616c74682c20417573"
            + "747269616273640262746769383430353339303036636e616da463666e74754d5553544552465241553c474f455353494e47"
            + "455262666e754d7573746572667261752d47c3b6c39f696e67657263676e74684741425249454c4562676e68476162726965"
            + "6c656376657265312e302e3063646f626a313939382d30322d323658405812fce67cb84c3911d78e3f61f890d0c80eb96758"
            + "06aebed66aa2d0d0c91d1fc98d7bcb80bf00e181806a9502e11b071325901bd0d2c1b6438747b8cc50f521")

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Encodes Base45 (RFC 9285).
    static func base45(_ bytes: [UInt8]) -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
        return stride(from: 0, to: bytes.count, by: 2).map { place in
            guard place + 1 < bytes.count else {
                return String([alphabet[Int(bytes[place]) % 45], alphabet[Int(bytes[place]) / 45]])
            }
            let value = Int(bytes[place]) << 8 | Int(bytes[place + 1])
            return String([alphabet[value % 45], alphabet[value / 45 % 45], alphabet[value / 2_025]])
        }.joined()
    }

    static func content(_ claims: [UInt8]) -> SymbolContent? {
        SymbolContent.parse(PackedMessages.message(Array(("HC1:" + base45(PackedMessages.packed(claims))).utf8)))
    }

    @Test("A certificate has its fields, all of them personal")
    func fields() throws {
        let content = try #require(Self.content(Self.vaccination))
        #expect(content.kind == .healthCertificate)
        #expect(content["last_name"] == "Musterfrau-G\u{F6}\u{DF}inger")
        #expect(content["identifier"] == "URN:UVCI:01:AT:10807843F94AEE0EE5093FBC254BD813#B")
        #expect(content.fields.allSatisfy { $0.isPersonal })
    }

    @Test("A negative fraction among the claims does no harm")
    func fraction() throws {
        // The length of the claims, and a map of four; with a pair more, of the key 99 and -1.0.
        let place = try #require(Self.vaccination.firstRange(of: [0x59, 0x01, 0x33, 0xA4]))
        var claims = Self.vaccination
        claims.replaceSubrange(
            place, with: [0x59, 0x01, 0x3E, 0xA5, 0x18, 0x63, 0xFB, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0])
        #expect(Self.content(claims)?.kind == .healthCertificate)
    }

    @Test("Claims that are cut off, or lie too deep in each other, are no certificate")
    func damaged() {
        for count in 0..<Self.vaccination.count {
            #expect(Self.content(Array(Self.vaccination.prefix(count))) == nil, "the first \(count) bytes")
        }
        for first: UInt8 in [0x81, 0x9F, 0xA1, 0xBF, 0xD8] {
            #expect(Self.content([UInt8](repeating: first, count: 5_000)) == nil)
        }
        // Counts and lengths that no message holds.
        for first: UInt8 in [0x5B, 0x7B, 0x9B, 0xBB] {
            #expect(Self.content([first, 0x7F] + [UInt8](repeating: 0xFF, count: 7)) == nil)
        }
    }

    @Test("Changed bytes never end the process")
    func anyDamage() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let content = Self.content(PackedMessages.damaged(Self.vaccination, using: &random))
            if let content { #expect(!content.fields.isEmpty, "seed \(seed)") }
        }
    }
}
