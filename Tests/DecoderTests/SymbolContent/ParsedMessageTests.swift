import Foundation
import SymbolContent
import TestSupport
import Testing

@Suite("Parsed messages")
struct ParsedMessageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var isGS1 = false
        var symbology = "qr_code"
        var kind: SymbolContent.Kind
        /// Some of the fields by name; the value is the meaning, if there is one.
        var fields: [String: String]

        init(
            _ label: String, _ text: String, isGS1: Bool = false, in symbology: String = "qr_code",
            _ kind: SymbolContent.Kind, _ fields: [String: String]
        ) {
            testDescription = label
            (self.text, self.isGS1, self.symbology, self.kind, self.fields) = (text, isGS1, symbology, kind, fields)
        }

        var message: ContentMessage { ParsedMessageTests.message(text, isGS1: isGS1, symbology: symbology) }
    }

    static func message(_ text: String, isGS1: Bool = false, symbology: String = "qr_code") -> ContentMessage {
        ContentMessage(text: text, bytes: Array(text.utf8), isGS1: isGS1, symbology: symbology, currentYear: 2026)
    }

    static let cases = [
        Case(
            "GS1 of a medicine", "010950110153000317281130" + "10ABC123\u{1D}21SN-7", isGS1: true, in: "data_matrix",
            .gs1,
            ["01": "09501101530003", "17": "2028-11-30", "10": "ABC123", "21": "SN-7"]),
        Case(
            "GS1, day 00 and a weight", "0195012345678903310300175015270200", isGS1: true, in: "databar_expanded", .gs1,
            ["01": "95012345678903", "3103": "1.750", "15": "2027-02"]),
        Case(
            "GS1, an amount in a currency", "(01)09501101530003(3932)9781250(30)4", .gs1,
            ["3932": "12.50 (currency 978)"]),
        Case(
            "GS1, a time of a day and of a month", "(4324)2803141015(4325)2803001015(8008)28031410", .gs1,
            ["4324": "2028-03-14T10:15", "4325": "2028-03", "8008": "2028-03-14T10:00"]),
        Case("GS1, a harvest day", "(7007)280314", .gs1, ["7007": "2028-03-14"]),
        Case("GS1, a harvest of several days", "(7007)280314280402", .gs1, ["7007": "2028-03-14/2028-04-02"]),
        Case("GS1 in brackets", "(00)123456789012345675", .gs1, ["00": "123456789012345675"]),
        Case(
            "GS1 in the envelope of ISO/IEC 15434", "[)>\u{1E}05\u{1D}010950110153000310ABC123\u{1D}21SN-7\u{1E}\u{04}",
            .gs1,
            ["01": "09501101530003", "10": "ABC123", "21": "SN-7"]),
        Case(
            "GS1 Digital Link", "https://id.gs1.org/01/09520123456788/10/ABC1?17=261130", .gs1Link,
            [
                "01": "09520123456788", "10": "ABC1", "17": "2026-11-30",
                "url": "https://id.gs1.org/01/09520123456788/10/ABC1?17=261130",
            ]),
        Case("ISBN", "9783161484100", in: "ean_13", .gtin, ["gtin": "09783161484100", "isbn": "9783161484100"]),
        Case("ISSN", "9771144875007", in: "ean_13", .gtin, ["issn": "1144-875X"]),
        Case("EAN-8", "96385074", in: "ean_8", .gtin, ["gtin": "00000096385074"]),
        Case(
            "a book with its price in an add-on", "978030640615754495", in: "ean_13", .gtin,
            ["gtin": "09780306406157", "isbn": "9780306406157"]),
        Case("a magazine with its issue in an add-on", "977114487500705", in: "ean_13", .gtin, ["issn": "1144-875X"]),
        Case("EAN-8 with an add-on", "9638507412", in: "ean_8", .gtin, ["gtin": "00000096385074"]),
        Case("UPC-A with an add-on", "031234567890612345", in: "upc_a", .gtin, ["gtin": "00312345678906"]),
        Case("the older form of an ISBN", "9783161484100", in: "isbn_10", .gtin, ["isbn": "9783161484100"]),
        Case(
            "credit transfer",
            "BCD\n002\n1\nSCT\nBPOTBEB1\nRed Cross of Belgium\nBE72000000001616\nEUR1.5\nCHAR\n\nUrgency fund\nSample",
            .creditTransfer, ["bic": "BPOTBEB1", "iban": "BE72000000001616", "amount": "1.5 EUR", "purpose": "CHAR"]),
        Case(
            "credit transfer with a decimal comma", "BCD\n002\n1\nSCT\n\nRed Cross\nBE72000000001616\nEUR12,50",
            .creditTransfer, ["amount": "12.50 EUR"]),
        Case(
            "Swiss QR-bill",
            "SPC\r\n0200\r\n1\r\nCH4431999123000889012\r\nS\r\nRobert Schneider AG\r\nRue du Lac\r\n1268\r\n2501\r\nBiel\r\nCH\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n1949.75\r\nCHF\r\nS\r\nPia Rutschmann\r\nMarktgasse\r\n28\r\n9400\r\nRorschach\r\nCH\r\nQRR\r\n210000000003139471430009017\r\nOrder\r\nEPD\r\n//S1/10/10201409",
            .swissBill,
            [
                "account": "CH4431999123000889012", "amount": "1949.75", "debtor": "Pia Rutschmann",
                "reference": "210000000003139471430009017", "text": "Order",
            ]),
        Case(
            "Swiss QR-bill with addresses in two lines",
            "SPC\r\n0200\r\n1\r\nCH4431999123000889012\r\nK\r\nRobert Schneider AG\r\nRue du Lac 1268\r\n2501 Biel\r\n\r\n\r\nCH\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n1949.75\r\nCHF\r\nK\r\nPia Rutschmann\r\nMarktgasse 28\r\n9400 Rorschach\r\n\r\n\r\nCH\r\nNON\r\n\r\nOrder\r\nEPD",
            .swissBill,
            [
                "creditor_address1": "Rue du Lac 1268", "creditor_address2": "2501 Biel",
                "debtor_address1": "Marktgasse 28", "debtor_address2": "9400 Rorschach", "debtor_country": "CH",
            ]),
        Case(
            "EMVCo's example",
            "00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A0112233449988770708123456786304A13A",
            .merchantPayment, ["merchant": "BEST TRANSPORT", "amount": "23.72", "currency": "156", "country": "CN"]),
        Case(
            "HIBC", "+A99912345/$$52001510X3/16D20111212/S77DEFG457", in: "code_128", .healthIndustry,
            [
                "labeler": "A999", "product": "1234", "unit": "5", "production": "2011-12-12", "serial": "77DEFG45",
                "expiry": "2020-01-15", "lot": "10X3",
            ]),
        Case(
            "HIBC, the second of two symbols", "+$$3270101LOT1G9", in: "code_39", .healthIndustry,
            ["expiry": "2027-01-01", "lot": "LOT1", "link": "G"]),
        Case(
            "HIBC, the second of two symbols with a day of the year", "+28123LOT7GP", in: "code_128", .healthIndustry,
            ["expiry": "2028-05-02", "lot": "LOT7", "link": "G"]),
        Case(
            "ISBT 128, a donation", "=A99991412345600", in: "code_128", .bloodProduct,
            ["donation": "A999914123456", "flags": "00"]),
        Case("ISBT 128, a product", "=<E0791V00", in: "code_128", .bloodProduct, ["product": "E0791V00"]),
        Case(
            "ISBT 128, several structures in a Data Matrix", "=+03000=A99991412345600=%6200=<E0791V00",
            in: "data_matrix",
            .bloodProduct, ["donation": "A999914123456", "blood_group": "6200", "product": "E0791V00"]),
        Case(
            "PPN", "[)>\u{1E}06\u{1D}9N110375286414\u{1D}1T12345ABCD\u{1D}D280615\u{1D}S12345ABCDEF98765\u{1E}\u{04}",
            in: "data_matrix", .pharmacyProduct,
            ["9N": "110375286414", "pzn": "03752864", "1T": "12345ABCD", "D": "2028-06-15", "S": "12345ABCDEF98765"]),
        Case(
            "a label of ECIA",
            "[)>\u{1E}06\u{1D}P596-777A1-ND\u{1D}1PXAF4444\u{1D}Q3\u{1D}10D1452\u{1D}1TBF1103\u{1D}4LUS\u{1E}\u{04}",
            in: "data_matrix", .dataIdentifiers,
            ["P": "596-777A1-ND", "1P": "XAF4444", "Q": "3", "10D": "1452", "1T": "BF1103", "4L": "US"]),
        Case(
            "a label of DigiKey, without an end",
            "[)>\u{1E}06\u{1D}PQ1045-ND\u{1D}1P364019-01\u{1D}K\u{1D}1K85732873\u{1D}9D231013\u{1D}Q3\u{1D}13Z999999\u{1D}20Z0000000",
            in: "data_matrix", .dataIdentifiers, ["P": "Q1045-ND", "1K": "85732873", "Q": "3", "13Z": "999999"]),
        Case(
            "a label of Mouser, without a record separator",
            ">[)>06\u{1D}K3828825\u{1D}14K001\u{1D}1P67C18-8\u{1D}Q5\u{1D}1VGrayhill",
            in: "data_matrix", .dataIdentifiers, ["K": "3828825", "14K": "001", "1P": "67C18-8", "1V": "Grayhill"]),
        Case(
            "a license plate of a transport unit", "1JUN043325711MH8031200000000001", in: "code_128", .dataIdentifiers,
            ["1J": "UN043325711MH8031200000000001"]),
        Case(
            "a bag of LCSC",
            "{pbn:PICK2101290004,on:SO2101287934,pc:C24966,pm:TPS63000DRCR,qty:10,mc:,cc:1,pdi:39241148}",
            .partBag,
            ["part": "C24966", "manufacturer_part": "TPS63000DRCR", "quantity": "10", "order": "SO2101287934"]),
        Case(
            "a certificate of the EU's test data",
            "HC1:NCFOXN%TS3DH3ZSUZK+.V0ETD%65NL-AH-R6IOOK.IR9B+9G4G50PHZF0AT4V22F/8X*G3M9JUPY0BX/KR96R/S09T./0LWTKD33236J3TA3M*4VV2 73-E3GG396B-43O058YIB73A*G3W19UEBY5:PI0EGSP4*2DN43U*0CEBQ/GXQFY73CIBC:G 7376BXBJBAJ UNFMJCRN0H3PQN*E33H3OA70M3FMJIJN523.K5QZ4A+2XEN QT QTHC31M3+E32R44$28A9H0D3ZCL4JMYAZ+S-A5$XKX6T2YC 35H/ITX8GL2-LH/CJTK96L6SR9MU9RFGJA6Q3QR$P2OIC0JVLA8J3ET3:H3A+2+33U SAAUOT3TPTO4UBZIC0JKQTL*QDKBO.AI9BVYTOCFOPS4IJCOT0$89NT2V457U8+9W2KQ-7LF9-DF07U$B97JJ1D7WKP/HLIJL8JF8JFHJP7NVDEBU1J*Z222E.GJ457661CFFTWM-8P2IUE7K*SSW613:9/:TT5IYQBTBU16R4I1A/9VRPJ-TS.7ZEM7MSVOCD4RG2L-TQJROXL2J:52J7F0Q10SMAP3CG3KHF0DWIH",
            .healthCertificate,
            [
                "certificate": "vaccination", "last_name": "Musterfrau-G\u{F6}\u{DF}inger", "first_name": "Gabriele",
                "birthday": "1998-02-26", "dose": "1", "doses": "2", "date": "2021-02-18", "country": "AT",
                "issued": "2021-05-06", "expiry": "2021-11-02",
            ]),
        Case("PZN", "-12345678", in: "code_39", .pharmacyNumber, ["number": "12345678"]),
        Case(
            "driving licence",
            "@\n\u{1E}\rANSI 636000100002DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDACMICHAEL\nDADJOHN\nDBB06061986\nDBA06062030\nDBD06062022\nDAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDCGUSA\r",
            in: "pdf417", .drivingLicense,
            [
                "number": "T64235789", "last_name": "SAMPLE", "birthday": "1986-06-06", "expiry": "2030-06-06",
                "issuer": "636000",
            ]),
        Case(
            "driving licence with the types of subfiles in its values",
            "@\n\u{1E}\rANSI 636026080102DL00410288ZA03290015DLDAQD12345678\nDCSMIDDLETON\nDACSIDDHARTH\nDADKIDD\nDAG123 MIDDLE RD\nDAIMU\u{D1}OZ\nDBB06061986\r",
            in: "pdf417", .drivingLicense,
            [
                "number": "D12345678", "last_name": "MIDDLETON", "first_name": "SIDDHARTH", "middle_name": "KIDD",
                "street": "123 MIDDLE RD", "city": "MU\u{D1}OZ",
            ]),
        Case(
            "driving licence of version 1",
            "@\n\u{1E}\rAAMVA6360200101DL00290179DLDAQ99-123-4567\nDAASMITH,JOHN,Q\nDBB19860606\r",
            in: "pdf417", .drivingLicense,
            ["number": "99-123-4567", "name": "SMITH,JOHN,Q", "birthday": "1986-06-06", "issuer": "636020"]),
        Case(
            "driving licence without the type of its subfile",
            "@\n\u{1E}\rAAMVA6360060101DL00290175DAAIDDLES,ANNA\nDAQ123456789\nDBB19860606\r",
            in: "pdf417", .drivingLicense, ["number": "123456789", "name": "IDDLES,ANNA"]),
        Case(
            "boarding pass", "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 326J001A0025 100", in: "aztec", .boardingPass,
            ["name": "DESMARAIS/LUC", "from": "YUL", "to": "FRA", "carrier": "AC", "flight": "0834", "seat": "001A"]),
        Case(
            "wireless network", #"WIFI:T:WPA;S:my\;net;P:"a\\b";H:true;;"#, .wifi,
            ["network": "my;net", "security": "WPA", "password": #"a\b"#, "hidden": "true"]),
        Case(
            "wireless network with quotation marks of its own", #"WIFI:S:"my";P:\"ab\";;"#, .wifi,
            ["network": "my", "password": #""ab""#]),
        Case(
            "vCard",
            "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Gump;Forrest\r\nFN:Forrest\r\n  Gump\r\nitem1.TEL;TYPE=WORK:+1-404\r\nEND:VCARD",
            .contact,
            ["name": "Forrest Gump", "phone": "+1-404"]),
        Case(
            "vCard in small letters, with a colon in a parameter",
            "begin:vcard\nversion:4.0\nfn:Ada\nadr;label=\"Suite: 5; door 2\":;;123 Main St;;;;\nend:vcard", .contact,
            ["name": "Ada", "address": ";;123 Main St;;;;"]),
        Case(
            "event with an alarm, and a colon in a parameter",
            "BEGIN:VEVENT\nSUMMARY:Review\nBEGIN:VALARM\nDESCRIPTION:Reminder\nEND:VALARM\nDESCRIPTION;ALTREP=\"CID:part3@example.com\":Project\nEND:VEVENT",
            .event, ["summary": "Review", "description": "Project"]),
        Case(
            "vCard 2.1 in quoted-printable",
            "BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg =\r\nM=C3=BCller\r\n"
                + "ORG;QUOTED-PRINTABLE:A=26B\r\nNOTE:1=3D1\r\nEND:VCARD",
            .contact, ["name": "Jörg Müller", "organization": "A&B", "note": "1=3D1"]),
        Case(
            "vCard 4.0 with a number as a URI",
            "BEGIN:VCARD\nVERSION:4.0\nFN:Jo\nTEL;VALUE=uri;TYPE=\"voice,home\":tel:+49-30-1234;ext=5\nEND:VCARD",
            .contact, ["name": "Jo", "phone": "+49-30-1234;ext=5"]),
        Case(
            "MECARD", "MECARD:N:Owen,Sean;TEL:12125551212;EMAIL:s@example.com;;", .contact,
            ["name": "Owen,Sean", "phone": "12125551212", "mail": "s@example.com"]),
        Case(
            "iCalendar",
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Talk\\, long\nDTSTART:20261122T100000Z\nEND:VEVENT\nEND:VCALENDAR",
            .event, ["summary": "Talk, long", "start": "20261122T100000Z"]),
        Case(
            "iCalendar with a time zone",
            "BEGIN:VEVENT\nSUMMARY:Talk\nDTSTART;TZID=Europe/Berlin:20261122T100000\nDTEND;TZID=\"Europe/Berlin\":20261122T110000\nEND:VEVENT",
            .event,
            ["start": "20261122T100000", "start_zone": "Europe/Berlin", "end_zone": "Europe/Berlin"]),
        Case(
            "one-time password", "otpauth://totp/ACME:alice%40example.com?secret=JBSWY3DP&issuer=ACME",
            .oneTimePassword,
            ["account": "ACME:alice@example.com", "secret": "JBSWY3DP", "issuer": "ACME"]),
        Case(
            "mail", "mailto:a@example.com?subject=Hello%20you", .mail, ["to": "a@example.com", "subject": "Hello you"]),
        Case(
            "mail of DoCoMo", "MATMSG:TO:a@example.com;SUB:Hello;BODY:Text;;", .mail,
            ["to": "a@example.com", "body": "Text"]),
        Case("telephone", "TEL:+49-30-123;ext=5", .phone, ["number": "+49-30-123"]),
        Case("text message", "smsto:+4930123:Hello", .textMessage, ["number": "+4930123", "body": "Hello"]),
        Case("position", "geo:52.52,13.4;u=35", .position, ["latitude": "52.52", "longitude": "13.4"]),
        Case(
            "text message to two", "sms:+15105550101,+15105550102?body=Hi", .textMessage,
            ["number": "+15105550101,+15105550102", "body": "Hi"]),
        Case("link to an IPv6 address", "http://[2001:DB8::1]:8080/x", .url, ["host": "[2001:db8::1]"]),
        Case("link", "https://Example.org:8080/a?b=c", .url, ["host": "example.org"]),
        Case(
            "link with a user name like a host", "https://bank.example@evil.example/", .url,
            ["host": "evil.example", "user": "bank.example"]),
        Case(
            "link with a combining mark behind a slash", "https://evil.example/\u{338}@bank.example/", .url,
            ["host": "evil.example"]),
        Case(
            "link with a variation selector behind the user name", "https://bank.example@\u{FE0F}evil.example/", .url,
            ["host": "\u{FE0F}evil.example", "user": "bank.example"]),
        Case(
            "link with punycode", "http://xn--80ak6aa92e.com/", .url,
            ["note": "The host has letters beyond ASCII, which can look like other letters."]),
    ]

    @Test("A message of each format has its fields", arguments: cases)
    func parses(item: Case) throws {
        let content = try #require(SymbolContent.parse(item.message))
        #expect(content.kind == item.kind)
        for (name, value) in item.fields {
            let field = content.fields.first { $0.name == name }
            #expect(field.map { $0.meaning ?? $0.value } == value, "\(name)")
        }
    }

    static let plain: [(label: String, message: ContentMessage)] = [
        ("text", message("ORDER-2024-0815")), ("nothing", message("")),
        ("GS1 by its look alone", message("010950110153000310ABC")),
        ("GS1 with a wrong check digit", message("0109501101530004", isGS1: true)),
        ("an EAN's digits in a QR Code", message("9783161484100")),
        ("an EAN with a wrong check digit", message("9783161484101", symbology: "ean_13")),
        ("a transfer with a wrong IBAN", message("BCD\n002\n1\nSCT\n\nName\nBE72000000001617\nEUR1")),
        ("a payment with a wrong check", message("00020101021252045812530396054031.05802DE5904Shop6006Berlin6304FFFF")),
        ("HIBC with a wrong check", message("+A123BJC5D6E71H", symbology: "code_128")),
        ("a PPN with a wrong check number", message("[)>\u{1E}06\u{1D}9N110375286415\u{1D}1TA\u{1E}\u{04}")),
        ("data identifiers without a letter", message("[)>\u{1E}06\u{1D}1234567\u{1E}\u{04}")),
        ("another format of the envelope", message("[)>\u{1E}12\u{1D}1PABC\u{1E}\u{04}")),
        ("a license plate of an unknown agency", message("1JXY043325711MH8031200000000001", symbology: "code_128")),
        ("a bag without a part", message("{pbn:PICK2101290004,on:SO2101287934,qty:10}")),
        ("a certificate that is cut off", message("HC1:NCFOXN%TS3DH3ZSUZK+.V0ETD%65NL-AH-R6IOOK.IR9B")),
        (
            "structures that are fewer than their number",
            message("=+03000=A99991412345600=%6200", symbology: "data_matrix")
        ),
        ("a PZN with a wrong check digit", message("-12345679", symbology: "code_39")),
        ("a number that only begins like a date of HIBC", message("+28123LOT7GP")),
        ("an EAN with four digits behind it", message("97803064061571234", symbology: "ean_13")),
        ("a network without a name", message("WIFI:T:WPA;P:x;;")), ("a card without a name", message("MECARD:TEL:1;;")),
        ("a position beyond the pole", message("geo:91,0")), ("a telephone without a number", message("tel:alice")),
        ("a link with a space", message("https://a b")), ("a link without a host", message("https:///a")),
        ("a pass that is cut off", message("M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 326J001A0025 10")),
        ("a password without a secret", message("otpauth://totp/a?issuer=b")),
        ("a megabyte", message(String(repeating: "WIFI:S:a;", count: 120_000))),
    ]

    @Test("A message that only resembles a format is plain text", arguments: plain.indices)
    func leavesPlain(index: Int) {
        #expect(SymbolContent.parse(Self.plain[index].message) == nil, "\(Self.plain[index].label)")
    }

    /// The characters of random messages, by symbology.
    static let alphabets: [(symbology: String, characters: String)] = [
        ("qr_code", String(String.UnicodeScalarView((0x20..<0x7F).map { UnicodeScalar(UInt8($0)) }))),
        ("qr_code", "0123456789"), ("aztec", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /"),
        ("code_39", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"), ("code_128", "0123456789ABCDEF-+=/$&"),
        ("pdf417", "@\n\u{1E}\rANSI DL0123456789"), ("data_matrix", "0123456789\u{1D}"),
    ]

    @Test("Random messages are plain text", arguments: alphabets.indices)
    func randomMessages(index: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let (symbology, characters) = Self.alphabets[index]
        let scalars = Array(characters)
        for _ in 0..<300 {
            let text = String(
                (0..<Int.random(in: 1...80, using: &random)).map { _ in scalars.randomElement(using: &random)! })
            let content = SymbolContent.parse(Self.message(text, symbology: symbology))
            // A check of one character accepts one in 43 or 37 by chance.
            if let content, ![.healthIndustry, .bloodProduct].contains(content.kind) {
                Issue.record("seed \(seed): \(text.debugDescription) is taken for \(content.kind.rawValue)")
            }
        }
    }

    /// Formats whose last character or line is mandatory.
    @Test(
        "A truncated message does not match its format",
        arguments: cases.filter {
            // The part of a number before its add-on is a whole number.
            [.merchantPayment, .pharmacyNumber, .swissBill, .boardingPass, .gtin].contains($0.kind)
                && !$0.testDescription.contains("add-on")
        })
    func cutOff(item: Case) {
        // After the trailer of a bill, only optional parts follow.
        let text = item.text.components(separatedBy: "EPD")[0]
        for count in 0..<text.count {
            let content = SymbolContent.parse(Self.message(String(text.prefix(count)), symbology: item.symbology))
            #expect(content?.kind != item.kind, "the first \(count) characters")
        }
    }

    @Test("Damaged messages never crash the parser, and those with a check are refused", arguments: cases)
    func damaged(item: Case) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        func next(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }
        let scalars = Array(item.text.unicodeScalars)
        for _ in 0..<300 {
            var damaged = scalars
            for _ in 0...next(3) where !damaged.isEmpty {
                let place = next(damaged.count)
                switch next(3) {
                case 0: damaged.remove(at: place)
                case 1: damaged[place] = UnicodeScalar(UInt8(next(256)))
                default: damaged.insert(UnicodeScalar(UInt8(next(128))), at: place)
                }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: damaged)
            let content = SymbolContent.parse(Self.message(String(text), isGS1: item.isGS1, symbology: item.symbology))
            if let content { #expect(!content.fields.isEmpty, "seed \(seed)") }
        }
        // A changed digit breaks formats with a check over the whole message.
        guard [.merchantPayment, .pharmacyNumber, .healthIndustry].contains(item.kind) else { return }
        for place in scalars.indices where ("0"..."8").contains(scalars[place]) {
            var damaged = scalars
            damaged[place] = UnicodeScalar(UInt8(damaged[place].value + 1))
            var text = String.UnicodeScalarView()
            text.append(contentsOf: damaged)
            #expect(SymbolContent.parse(Self.message(String(text), symbology: item.symbology))?.kind != item.kind)
        }
    }

    @Test(
        "A linear symbol and its composite component are one message",
        arguments: [
            ("ean_13", false, "3312345678903", "03312345678903"), ("upc_a", false, "0312345678906", "00312345678906"),
            ("upc_e", false, "0012000001239", "00012000001239"), ("ean_8", false, "12345670", "00000012345670"),
            ("databar", true, "0103312345678903", "03312345678903"),
            ("code_128", true, "0103312345678903" + "21A", "03312345678903"),
            ("code_128", true, "0103312345678903" + "21A\u{1D}", "03312345678903"),
        ])
    func composite(symbology: String, isGS1: Bool, text: String, number: String) {
        var message = Self.message(text, isGS1: isGS1, symbology: symbology)
        message.composite = Array("10AB\u{1D}98C".utf8)
        let content = SymbolContent.parse(message)
        let fields = Dictionary(uniqueKeysWithValues: (content?.fields ?? []).map { ($0.name, $0.value) })
        #expect(content?.kind == .gs1)
        #expect(fields["01"] == number && fields["10"] == "AB" && fields["98"] == "C")
        #expect(fields["21"] == (symbology == "code_128" ? "A" : nil))
        // If the composite component is not an element string, only the linear message counts.
        message.composite = Array("nothing".utf8)
        #expect(SymbolContent.parse(message)?.kind == (isGS1 ? .gs1 : .gtin))
    }

    @Test("HIBC in a symbology whose reader removed the check character")
    func removedCheck() {
        let content = SymbolContent.parse(Self.message("+A123BJC5D6E71", symbology: "code_39_mod43"))
        #expect(content?.kind == .healthIndustry)
        #expect(["labeler", "product", "unit"].map { content?[$0] } == ["A123", "BJC5D6E7", "1"])
        let second = SymbolContent.parse(Self.message("+28123LOT7G", symbology: "code_39_mod43"))
        #expect(["expiry", "lot", "link"].map { second?[$0] } == ["28123", "LOT7", "G"])
    }

    @Test(
        "HIBC without a date where one may stand",
        arguments: [("$$824", ["24", nil]), ("$$ABCDEF", [nil, "ABCDEF"]), ("$$2AB", [nil, "2AB"])])
    func noDate(part: String, expected: [String?]) {
        let content = SymbolContent.parse(Self.message("+A99912345/" + part, symbology: "code_39_mod43"))
        #expect(content?.kind == .healthIndustry)
        #expect(["quantity", "data", "expiry", "lot"].map { content?[$0] } == expected + [nil, nil])
    }

    @Test("A label in ISO 8859-1 keeps its letters")
    func latin1() {
        var message = Self.message("", symbology: "data_matrix")
        message.bytes = Array("[)>\u{1E}06\u{1D}1PAB".utf8) + [0xB5] + Array("C\u{1D}Q3\u{1E}\u{04}".utf8)
        #expect(SymbolContent.parse(message)?["1P"] == "AB\u{B5}C")
    }

    @Test("A link with a password is personal as a whole")
    func password() {
        let fields = SymbolContent.parse(Self.message("https://user:secret@example.com/"))?.fields ?? []
        #expect(fields.filter(\.isPersonal).map(\.name) == ["url", "user"])
    }

    @Test("A UPC has a GTIN of fourteen digits, also as a UPC-E")
    func upc() {
        for (symbology, text) in [("upc_a", "0312345678906"), ("upc_a", "312345678906"), ("upc_e", "0012000001239")] {
            let fields = SymbolContent.parse(Self.message(text, symbology: symbology))?.fields ?? []
            #expect(fields.first?.value == String(repeating: "0", count: 14 - text.count) + text)
        }
    }
}
