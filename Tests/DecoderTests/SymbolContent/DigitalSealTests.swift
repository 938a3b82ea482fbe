import SymbolContent
import TestSupport
import Testing

@Suite("Visible digital seals")
struct DigitalSealTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The bytes in hexadecimal: specimens of the authorities, without a person.
        var hexadecimal: String
        var fields: [String: String]

        var bytes: [UInt8] {
            let digits = hexadecimal.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
        var content: SymbolContent? { Self.content(bytes) }

        static func content(_ bytes: [UInt8]) -> SymbolContent? {
            SymbolContent.parse(
                ContentMessage(text: "", bytes: bytes, isGS1: false, symbology: "data_matrix", currentYear: 2026))
        }
    }

    static let cases = [
        Case(
            testDescription: "a residence permit",
            hexadecimal: """
                DC03D9C5D9CAC8A73A990F71346ECF47FB0602305CBA135875976EC066D417B59E8C6ABC133C133C133C133C3FEF3A29\
                38EE43F1593D1AE52DBB26751FE64B7C133C136B0306D79519A65306FF408B7F3B5F9A83FDD4F46EC7DCCC3384BB6C54\
                0AAF52603CC66D1F08B7F5E71243475D0A833B51FD2A846622E847B1F3791803F26D734B9BD18178FA22CFF2A31A
                """,
            fields: [
                "document": "residence_permit", "country": "UTO", "signer": "UTTS", "key": "5B",
                "issued": "2020-01-01", "signed": "2023-07-26", "passport": "UFO001979",
                "zone": "ATD<<RESIDORCE<<ROLAND<<<<<<<<<<<<<<\n6525845096USA7008038M2201018<<<<<<06",
            ]),
        Case(
            testDescription: "an address on an identity card",
            hexadecimal: SealSpecimen.hexadecimal,
            fields: [
                "document": "address_of_identity_card", "signer": "DETS", "key": "32", "number": "T2000AK47",
                "municipality": "05314000", "address": "53175HEINEMANNSTR11",
            ]),
        Case(
            testDescription: "a social insurance card, of version 2",
            hexadecimal: """
                DC02D9C56D32C8A519FC0F71346F1D67FC0401083FEE456D2DE019A8020B50657273636877656\
                9C39F03054F7363617204134AC3A2636F62C3A96E696469637475726975\
                73FF401DCE81E863B01CFFE5B099A5BBFCA60730EC9E090A1C82FA00580EB592A9FC921D5F02CE8D1EC4E3AA\
                3CB4CEA3AFEF1C382B44ED8DA7105372FC1D2E8D91A393
                """,
            fields: [
                "document": "social_insurance_card", "signer": "DETS", "key": "00027", "number": "65170839J003",
                "last_name": "Perschwei\u{DF}", "first_name": "Oscar", "birth_name": "J\u{E2}cob\u{E9}nidicturius",
            ]),
        Case(
            testDescription: "a visa",
            hexadecimal: """
                DC03D9C56D32C8A72CB10F71347D00175D01022CDD52134A74DA1347C6FED95CB89F9FCE133C133C133C133C20383373\
                4AAF47F0C32F1A1E20EB2625393AFE310403A00000050633BE1FED20C6FF389FD029C66FB2E4BF361CDBFFD8F5931B62\
                59F645B077702C617F453D0B898A55E6E7870974FFE7B3AC416ACDE6B03B3C3A8CB5A22B456816
                """,
            fields: [
                "document": "visa", "stay": "a00000", "passport": "47110815P",
                "zone": "VCD<<DENT<<ARTHUR<PHILIP<<<<<<<<<<<<\n1234567XY7GBR5203116M2005250",
            ]),
        Case(
            testDescription: "a document that is not known",
            hexadecimal: """
                dc036abcd9cac8a73a99a807baa807baf48f010659e96b0f2d0a0206e95545b819f6ff4062672e113775b885000fa173\
                0c6e0eeaa8508cf56f01bccce8bf8e7405de9d6544645b5c1e491c9be01a9ad57216703257cd12c678fd3d55d7118670\
                1e635364
                """,
            fields: ["document": "f48f", "country": "D", "feature_1": "59e96b0f2d0a", "feature_2": "e95545b819f6"]),
    ]

    @Test("A seal has its fields, all of them personal", arguments: cases)
    func fields(_ item: Case) throws {
        let content = try #require(item.content)
        #expect(content.kind == .digitalSeal)
        for (name, value) in item.fields { #expect(content[name] == value, "\(name)") }
        #expect(content.fields.allSatisfy { $0.isPersonal })
    }

    @Test("A seal that is cut off, or followed by more, is none", arguments: cases)
    func damaged(_ item: Case) {
        for count in 0..<item.bytes.count {
            #expect(Case.content(Array(item.bytes.prefix(count))) == nil, "the first \(count) bytes")
        }
        #expect(Case.content(item.bytes + [0]) == nil)
    }

    @Test("Changed bytes never end the process", arguments: cases)
    func anyDamage(_ item: Case) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let content = Case.content(PackedMessages.damaged(item.bytes, using: &random))
            if let content { #expect(!content.fields.isEmpty, "seed \(seed)") }
        }
    }
}
