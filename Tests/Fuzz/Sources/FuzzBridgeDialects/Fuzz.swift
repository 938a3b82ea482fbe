import BarcodeCore
import BridgeDialects
import CFuzzer
import Glibc

/// Fuzzes the JSON parser and the messages of web pages, in every dialect.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }

    static let dialects = BridgeDialect.all.filter(\.takesRequests)
}

/// Parses a message in the dialect chosen by the first byte; the other bytes are the message, and also the scanned
/// text.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 1, let start else { return 0 }
    let dialect = Fuzz.dialects[Int(start[0]) % Fuzz.dialects.count]
    let message = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    do {
        let json = try JSON(parsing: message)
        let text = json.text
        precondition(text.utf8.allSatisfy { (0x20..<0x80).contains($0) }, "JSON beyond ASCII")
        // The output can be parsed again, and is stable once 1.0 has become 1. Escapes may make it longer than the
        // limit.
        if text.utf8.count <= JSON.Limits().bytes {
            let again = try? JSON(parsing: Array(text.utf8))
            precondition(again != nil, "JSON that is not read again")
            let third = again.flatMap { try? JSON(parsing: Array($0.text.utf8)) }
            precondition(again == third, "JSON that changes")
        }
        let request = try BridgeRequest(dialect: dialect, id: "r1", message: json)
        precondition(request.timeout > .zero && request.timeout <= BridgeRequest.maximumTimeout, "a wrong timeout")
        let symbol = BridgeSymbol(symbology: .qrCode, text: String(decoding: message, as: UTF8.self), bytes: message)
        for outcome in [.symbols([symbol]), .symbols([]), .failed(code: "failed", sentence: "No."), .cancelled]
            as [BridgeOutcome]
        {
            for call in request.calls(for: outcome) {
                let script = call.script.utf8
                precondition(script.allSatisfy { (0x20..<0x7F).contains($0) }, "a script beyond ASCII")
                precondition(script.count { $0 == UInt8(ascii: "\"") } == 2, "a script with more than one literal")
            }
        }
    } catch {
        precondition((error as? BridgeError)?.sentence.isEmpty == false, "an error without a sentence")
    }
    return 0
}
