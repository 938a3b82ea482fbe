import SymbolContent
import TestSupport
import Testing

@Suite("Signatures of messages")
struct SignatureTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var message: [UInt8]
        /// The key that signed it, in PEM or DER.
        var key: [UInt8]

        init(_ testDescription: String, _ message: [UInt8], key: String) {
            self.init(testDescription, message, key: Array(key.utf8))
        }

        init(_ testDescription: String, _ message: [UInt8], key: [UInt8]) {
            (self.testDescription, self.message, self.key) = (testDescription, message, key)
        }

        func content(_ bytes: [UInt8], _ keys: SigningKeys?) -> SymbolContent? {
            SymbolContent.parse(
                ContentMessage(
                    text: String(decoding: bytes, as: UTF8.self), bytes: bytes, isGS1: false, symbology: "qr_code",
                    currentYear: 2026),
                keys: keys)
        }
    }

    private static func certificate(_ claims: [UInt8]) -> [UInt8] {
        Array(("HC1:" + HealthCertificateTests.base45(PackedMessages.packed(claims))).utf8)
    }

    /// The claims of the vaccination, signed by RSA.
    private static let vaccinationByRSA: [UInt8] = {
        let claims = HealthCertificateTests.vaccination
        // A tag, a list of four, and headers of 13 and 1 bytes are before the payload; the signature, of 64 bytes in 66,
        // is behind it.
        let payload = claims[17..<claims.count - 66]
        return [0xD2, 0x84, 0x44, 0xA1, 0x01, 0x38, 0x24, 0xA0] + payload + [0x59, 0x01, 0x00]
            + HealthCertificateTests.bytes(
                "2422dca08d3acd58d9db2d227a9aca5af4f4732807549d0e3afb27fe54c6d8631b9422b0e36fc701153c320c6bd61db0"
                    + "5540aa1f2852c4d0b58640c437092c7fd6b2682ef3d53ee214bf5ba240fada9e98ef32a9f2234406414df6fd3c2d3237"
                    + "4e881e9974dfbdbcd982a73324becbc67eae6cc877a05eb0440bd2f1d59f889416bb6d7bfb59be1675825cfbef6f9ea6"
                    + "a7360312b60dd10302018c5abc93e6605a225a678c54f9d2f205f6acfb91fdadfb6e67d52fac9654bf934eeb392d62b1"
                    + "216ec21ca51601010c57e0d28b29f42c10afad11e134adcbae9af2710244cb1fb14ca8bbf8bfa00f16d385009f58294f"
                    + "a77732ada79bd3765af976ad41e96bc8")
    }()

    static let cases = [
        Case(
            "a vaccination of the EU's test data (AT, 1)", certificate(HealthCertificateTests.vaccination),
            key: """
                -----BEGIN CERTIFICATE-----
                MIIBvTCCAWOgAwIBAgIKAXk8i88OleLsuTAKBggqhkjOPQQDAjA2MRYwFAYDVQQD
                DA1BVCBER0MgQ1NDQSAxMQswCQYDVQQGEwJBVDEPMA0GA1UECgwGQk1TR1BLMB4X
                DTIxMDUwNTEyNDEwNloXDTIzMDUwNTEyNDEwNlowPTERMA8GA1UEAwwIQVQgRFND
                IDExCzAJBgNVBAYTAkFUMQ8wDQYDVQQKDAZCTVNHUEsxCjAIBgNVBAUTATEwWTAT
                BgcqhkjOPQIBBggqhkjOPQMBBwNCAASt1Vz1rRuW1HqObUE9MDe7RzIk1gq4XW5G
                TyHuHTj5cFEn2Rge37+hINfCZZcozpwQKdyaporPUP1TE7UWl0F3o1IwUDAOBgNV
                HQ8BAf8EBAMCB4AwHQYDVR0OBBYEFO49y1ISb6cvXshLcp8UUp9VoGLQMB8GA1Ud
                IwQYMBaAFP7JKEOflGEvef2iMdtopsetwGGeMAoGCCqGSM49BAMCA0gAMEUCIQDG
                2opotWG8tJXN84ZZqT6wUBz9KF8D+z9NukYvnUEQ3QIgdBLFSTSiDt0UJaDF6St2
                bkUQuVHW6fQbONd731/M4nc=
                -----END CERTIFICATE-----
                """),
        Case(
            "a certificate signed by RSA", certificate(vaccinationByRSA),
            key: """
                -----BEGIN PUBLIC KEY-----
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxvj372nnT1Jw5WtF9h4Q
                nkOB39pDsUtKBcWJOiReWGKUxQOPkIAXAclimkrC9oGdZb0K9FLriOOeGiANQOo+
                RxsPSN1HO8WLAa7DpIwUOsNL93TMH948urqrOd25yQbmxW9RZPmlBtFaIp9JNOZw
                gNWav08xtIHqeHgix4vasrTlxSDEP3SaLuxnApF7PzLTJibjjE04XjEoSyNeg6kp
                eD9lqyFZIa5HS+q0CYlsWUrV3P9hvfKZX4z7vAaov1FUQa4OuBO6ZoeGDa6EXyWG
                Q88KWd1+tPiqDGbT19WeMaRH2l+QA6GfL4deKO6+e5uPwUVEe2ZPI0/Eu+UOiLw0
                sQIDAQAB
                -----END PUBLIC KEY-----
                """),
        Case(
            "a residence permit, with a key of 256 bits", DigitalSealTests.cases[0].bytes,
            key: """
                -----BEGIN CERTIFICATE-----
                MIIBuDCCAT6gAwIBAgIBWzAKBggqhkjOPQQDAjA+MQswCQYDVQQGEwJVVDEQMA4G
                A1UEChMHdHNlbmdlcjEQMA4GA1UECxMHc2VhbGdlbjELMAkGA1UEAxMCVFMwHhcN
                MjAwNjEwMDcxNTAwWhcNMzAwNjEwMDcxNTAwWjA+MQswCQYDVQQGEwJVVDEQMA4G
                A1UEChMHdHNlbmdlcjEQMA4GA1UECxMHc2VhbGdlbjELMAkGA1UEAxMCVFMwWjAU
                BgcqhkjOPQIBBgkrJAMDAggBAQcDQgAECBMqckOzzMKcJxCXCByWpynu+465NjDl
                NkmOm3zhztJdaKeJ2TvvOcBHFcWtORXSgcB1TswIUIv2ZofvxjDfiKMsMCowCQYD
                VR0TBAIwADAdBgNVHQ4EFgQUrca6/HbUmqLZL/rOk9cQM4MsbpYwCgYIKoZIzj0E
                AwIDaAAwZQIxAIf4XIqjMmWe1+wwuLYWUzUxWPXuaEHEXDuY/R8U8DZiA8k0E2x0
                RDmPf+01kwAgNAIwepUJBSY1wPrO64OwCtVtNFpI6a+bfifBMBtcR8NHqR5GQiNV
                EXTfup+FvtojUPRS
                -----END CERTIFICATE-----
                """),
        Case(
            "an address, with a key of 224 bits", DigitalSealTests.cases[1].bytes,
            key: SealSpecimen.certificate),
        Case(
            "a ticket of version 1, by DSA",
            HealthCertificateTests.bytes(
                "2355543031303038303030303031302e021500b248573a01a3636eb3ccfffa3d4e1fdffb5309f5021500817286fe6cf8"
                    + "c084e86b1a8eab563be69fe406ef000030303437789c0b8df77075743130343030353630b03070747236343256400140"
                    + "592323032333a08481818babab1f0024ee0a73"),
            key: """
                -----BEGIN PUBLIC KEY-----
                MIIBtjCCASsGByqGSM44BAEwggEeAoGBAJA0wxcyEfizh14d44b996eoR3jONQyT
                1yN6IdEcF3YGR+z7Pke6+fwxZDrf9nRqM2pNB4TlrExB+tmfLFuaignw3ROe/PBw
                CsEVMFiXZeKeFD07VsDl+98wZdUfYv8I6ew0WXOqnyCyLDq8U3s3FmUjNIdNsj+d
                C/Yq7VaROhQlAhUAwY47Z+lmds9oTo8KzeRJDMrgd+8CgYBwmSLmgxFphrN2xnmt
                DclBlGNTACCZDR4HHkjir+Yj18AruCKF3kaI5pNgUytFvumuWd5zb/iufZtj1L8G
                Y0gbpFe0K+WXpGZXN5AluoxgcOqRO97w3N8noguEZg/65vTkppnHAggGbS4FlriF
                QyVy79bmXt0pba7JGz0HX2WFAQOBhAACgYBOt6pJ6x55PwIrnpZG04U/uKWWWaJE
                pZspYZyuYXKP0esd2/LWWzwrSc93HLKWvzV3FKa+oRlMxWONxIA3I26OFVg55lIO
                kJ0jMrkSRmJdsXolKn8/d4zd98w8GpcAcK4vYUjuoWolxZYwnf5Oa9qT3QRD79di
                T7+6qCB7S8obHA==
                -----END PUBLIC KEY-----
                """),
        Case(
            "a ticket of version 2, by a key in DER",
            HealthCertificateTests.bytes(
                "235554303230303830303030303229c47611e1650e71a10d46701da5fd6d65e533b8787a73b9dc91d46d4e57d7488ac9"
                    + "7111f26f26f628e7aafe047c457cb25674b73670d8180e06de0f91ea5d0430303437789c0b8df7707574313034303035"
                    + "3630b03070747236343256400140592323032333a08481818babab1f0024ee0a73"),
            key: HealthCertificateTests.bytes(
                "3059301306072a8648ce3d020106082a8648ce3d03010703420004abc438d578c2612633dced17ed9d2f570a300c5982"
                    + "470b2933d7d511df26d53c90f038d0c1b32d13f421dc35680db4460313497af9c67a071c46cd2f1c8f0bc6")),
    ]

    private static func keys(_ cases: some Sequence<Case>) throws -> SigningKeys {
        var keys = SigningKeys()
        for item in cases {
            let isAdded = keys.add(item.key, named: item.testDescription)
            try #require(isAdded)
        }
        return keys
    }

    @Test("The key that signed a message confirms it, among others", arguments: cases)
    func valid(_ item: Case) throws {
        let content = try #require(item.content(item.message, Self.keys(Self.cases)))
        #expect(content["signature"] == "valid" && content["signed_by"] == item.testDescription)
    }

    @Test("No other key confirms it, and nothing is said without keys", arguments: cases)
    func otherKeys(_ item: Case) throws {
        let others = try Self.keys(Self.cases.filter { $0.testDescription != item.testDescription })
        let content = try #require(item.content(item.message, others))
        #expect(content["signature"] == "not_confirmed" && content["signed_by"] == nil)
        let alone = try #require(item.content(item.message, nil))
        #expect(alone["signature"] == nil && content.fields.starts(with: alone.fields))
    }

    @Test("A changed byte is never confirmed, and never ends the process", arguments: cases)
    func damaged(_ item: Case) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let keys = try Self.keys(Self.cases)
        let whole = item.content(item.message, nil)
        for _ in 0..<300 {
            var bytes = item.message
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard let content = item.content(bytes, keys), content["signature"] == "valid" else { continue }
            // The header of a ticket is not signed, nor is the key's name in a certificate.
            var fields = content.fields.filter { $0.name != "signature" && $0.name != "signed_by" }
            var signed = whole?.fields ?? []
            for name in ["issuer", "key"] where content.kind == .trainTicket {
                fields.removeAll { $0.name == name }
                signed.removeAll { $0.name == name }
            }
            #expect(fields == signed, "seed \(seed)")
        }
    }

    @Test("A PEM file gives all its keys, or none if a part of it is no key")
    func severalKeys() {
        var keys = SigningKeys()
        let certificate = SealSpecimen.certificate
        let two = keys.add(Array("issued by TS\n\(certificate)\n\(certificate)".utf8), named: "two")
        #expect(two && keys.count == 2)
        let other = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        for text in [certificate + other, other + certificate] {
            let isAdded = keys.add(Array(text.utf8), named: "with another")
            #expect(!isAdded && keys.count == 2)
        }
    }

    @Test("An empty file, text and other bytes are no key")
    func noKey() {
        let texts = ["", "key", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"]
        for bytes in texts.map({ Array($0.utf8) }) + [[UInt8](repeating: 0x30, count: 60_000)] {
            var keys = SigningKeys()
            let isAdded = keys.add(bytes, named: "none")
            #expect(!isAdded && keys.count == 0)
        }
    }
}
