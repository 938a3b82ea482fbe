import CFuzzer
import Glibc
import SymbolContent

/// Fuzzes the parsers that split messages into fields.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }

    static let symbologies = ["qr_code", "ean_13", "ean_8", "code_128", "code_39", "pdf417", "aztec", "data_matrix"]
}

/// Parses a message; the first byte chooses the symbology, and whether the symbol is marked as GS1.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 1, let start else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let text = String(decoding: bytes, as: UTF8.self)
    let message = ContentMessage(
        text: text, bytes: bytes, isGS1: start[0] & 0x80 != 0,
        symbology: Fuzz.symbologies[Int(start[0]) % Fuzz.symbologies.count], currentYear: 2026)
    if let content = SymbolContent.parse(message) {
        precondition(!content.fields.isEmpty, "a content that says nothing")
        precondition(content.fields.allSatisfy { !$0.name.isEmpty }, "a field without a name")
        precondition(SymbolContent.parse(message) == content, "another content, the second time")
    }
    // A parsed GS1 message must survive encoding and parsing unchanged.
    for parsed in [
        try? GS1Message.parse(bytes), try? GS1Message.parse(bracketed: text),
        try? GS1Message.parse(link: text, allowsShortGTIN: true),
    ] {
        guard let parsed else { continue }
        let written = try? GS1Message.parse(parsed.elementString)
        precondition(written?.elements == parsed.elements, "element strings that change")
        let bracketed = try? GS1Message.parse(bracketed: parsed.bracketed)
        precondition(bracketed?.elements == parsed.elements, "brackets that change")
        do throws(GS1Failure) { try parsed.checkPairs() } catch {
            precondition(!error.message.isEmpty, "an error without a sentence")
        }
    }
    return 0
}
