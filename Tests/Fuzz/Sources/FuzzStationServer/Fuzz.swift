import CFuzzer
import Glibc

// The parsers are symbolic links to the server's files, because the server itself has too many dependencies.

/// Fuzzes multipart forms, header parameters, and queries.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }
}

/// Parses a form.
///
/// The first byte determines the chunk size; the rest of the line is the `Content-Type` and also a query; the other
/// bytes are the body.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 2, let start else { return 0 }
    let size = Int(start[0] % 31) + 1
    let rest = UnsafeBufferPointer(start: start + 1, count: count - 1)
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    let line = String(decoding: rest[..<end], as: UTF8.self)
    let body = Array(rest[end...].dropFirst())
    _ = RequestQuery(line)["file"]
    // The chunks must not affect the result.
    let whole = read(body, cut: max(body.count, 1), contentType: line)
    let cut = read(body, cut: size, contentType: line)
    precondition(whole.failure == cut.failure, "\(whole.failure as Any), in pieces \(cut.failure as Any)")
    precondition(whole.failure != nil || whole.parts == cut.parts, "other parts, in pieces")
    return 0
}

private struct Part: Equatable {
    var name: String?
    var filename: String?
    var content: [UInt8] = []
    var isComplete = false
}

private func read(
    _ body: [UInt8], cut size: Int, contentType: String
) -> (parts: [Part], failure: MultipartParser.Failure?) {
    var parts: [Part] = []
    do throws(MultipartParser.Failure) {
        var parser = try MultipartParser(contentType: contentType)
        var place = 0
        while place < body.count {
            let next = min(place + size, body.count)
            for output in try parser.feed(body[place..<next]) {
                switch output {
                case .begin(let name, let filename): parts.append(Part(name: name, filename: filename))
                case .bytes(let bytes): parts[parts.count - 1].content += bytes
                case .end: parts[parts.count - 1].isComplete = true
                }
            }
            place = next
        }
        try parser.finish()
    } catch {
        return (parts, error)
    }
    precondition(parts.count <= MultipartParser.maximumParts && parts.allSatisfy(\.isComplete), "too many, or cut off")
    return (parts, nil)
}
