import BarcodeCore
import ScanEvents
import Testing

/// Codes that people type: their symbology, and the reported problems.
@Suite struct TypedCodeTests {
    @Test(
        "Typed codes",
        arguments: [
            ("an EAN-13", "4006381333931", nil, "4006381333931", "ean_13", nil, nil),
            ("as it is printed", " 4 006381 333931 ", nil, "4006381333931", "ean_13", nil, nil),
            ("by an input method", "４００６３８１３３３９３１", nil, "4006381333931", "ean_13", nil, nil),
            ("a wrong digit", "4006381333932", nil, "4006381333932", "unknown", "check_digit", "1"),
            ("two digits exchanged", "4006381339331", nil, "4006381339331", "unknown", "check_digit", "9"),
            ("an EAN-8", "96385074", nil, "96385074", "ean_8", nil, nil),
            ("a UPC-E of 0", "04252614", nil, "042100005264", "upc_e", nil, nil),
            ("a UPC-E of 3", "01234531", nil, "012300000451", "upc_e", nil, nil),
            ("a UPC-E of 4", "01234543", .upcE, "012340000053", "upc_e", nil, nil),
            ("a UPC-E of 9", "01234596", .upcE, "012345000096", "upc_e", nil, nil),
            ("a wrong UPC-E", "04252615", nil, "04252615", "unknown", "check_digit", "4"),
            ("a UPC-E in full", "042100005264", .upcE, "042100005264", "upc_e", nil, nil),
            ("no UPC-E", "24252614", .upcE, "24252614", "upc_e", "bad_length", nil),
            ("a UPC-A", "036000291452", nil, "036000291452", "upc_a", nil, nil),
            ("a carton", "00012345600012", nil, "00012345600012", "unknown", nil, nil),
            ("a wrong carton", "00012345600013", nil, "00012345600013", "unknown", "check_digit", "2"),
            ("another length", "400638133393", .ean13, "400638133393", "ean_13", "bad_length", nil),
            ("no number", "ORDER-1", .ean13, "ORDER1", "ean_13", "bad_length", nil),
            ("an ISBN with hyphens", "978-3-16-148410-0", .isbn13, "9783161484100", "isbn_13", nil, nil),
            ("an old ISBN", "0-8044-2957-X", .isbn10, "080442957X", "isbn_10", nil, nil),
            ("a wrong old ISBN", "0-8044-2957-1", .isbn10, "0804429571", "isbn_10", "check_digit", "X"),
            ("an order", "ORDER 2024-08", nil, "ORDER 2024-08", "unknown", nil, nil),
            ("a telephone number", "1234-5678", nil, "1234-5678", "unknown", nil, nil),
            ("ten digits", "1234567890", nil, "1234567890", "unknown", nil, nil),
            ("GS1 data", "(01)09501101530003(10)AB-1", nil, "(01)09501101530003(10)AB-1", "unknown", nil, nil),
            (
                "wrong GS1 data", "(01)09501101530004(10)AB-1", nil, "(01)09501101530004(10)AB-1", "unknown",
                "bad_elements", nil
            ),
            ("a bracket", "(a) note", nil, "(a) note", "unknown", nil, nil),
            ("a symbology without a check", "abc", .code128, "abc", "code_128", nil, nil),
            ("nothing", "  ", nil, "", "unknown", nil, nil), ("one digit", "5", nil, "5", "unknown", nil, nil),
        ] as [(String, String, Symbology?, String, String, String?, String?)])
    func table(
        _ label: String, _ typed: String, _ symbology: Symbology?, _ text: String, _ format: String, _ problem: String?,
        _ expected: String?
    ) {
        let code = TypedCode(typed, symbology: symbology)
        #expect(code.symbol.text == text)
        #expect(code.symbol.bytes == Array(text.utf8))
        #expect(code.symbol.symbology.rawValue == format)
        #expect(code.problem?.code.rawValue == problem)
        #expect(code.problem?.expected == expected)
    }

    /// One of ten last digits is correct, and the others report it as the expected one.
    @Test(arguments: ["400638133393", "9638507", "03600029145", "0001234560001"])
    func oneCheckDigitIsRight(_ digits: String) {
        let problems = (0...9).map { TypedCode(digits + String($0)).problem }
        let right = problems.indices.filter { problems[$0] == nil }
        #expect(right.count == 1)
        #expect(problems.compactMap { $0?.expected } == Array(repeating: String(right.first ?? -1), count: 9))
    }
}
