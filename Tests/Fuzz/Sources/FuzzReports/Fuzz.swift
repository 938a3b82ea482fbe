import CFuzzer
import Glibc

@testable import DecodeReports
@testable import DecodeWorkers

/// Fuzzes the lines of other programs: reports, and both sides of the worker protocol.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }
}

/// Splits a stream into lines and parses each as every kind; a thrown error is a correct result.
///
/// The first byte determines the chunk size of the stream, in bytes.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let size = input.first.map({ Int($0) + 1 }) else { return 0 }
    let stream = Array(input.dropFirst())
    var buffer = LineBuffer(limit: 4096)
    var bytes = 0
    for begin in stride(from: 0, to: stream.count, by: size) {
        buffer.append(stream[begin..<min(begin + size, stream.count)])
        while let line = buffer.nextLine() { bytes += read(line) + 1 }
    }
    if let line = buffer.lastLine() { bytes += read(line) }
    precondition(bytes == stream.count, "bytes were lost or made up")
    return 0
}

/// Parses a line and returns its length.
private func read(_ line: LineBuffer.Line) -> Int {
    guard case .whole(let bytes) = line else {
        guard case .tooLong(let length) = line else { return 0 }
        precondition(length > 4096, "a line within the limit was dropped")
        return length
    }
    if let report = try? JSONLine.decode(DecodeReport.self, from: bytes) { check(report) }
    if let reply = try? JSONLine.decode(WorkerReplyLine.self, from: bytes) { check(reply.report) }
    if let question = try? WorkerProtocol.parse(bytes) {
        switch question {
        case .request(let id, let request, _):
            guard let line = try? JSONLine.encode(WorkerRequestLine(id: id, request)) else {
                preconditionFailure("a request that was read cannot be written")
            }
            let again = try? JSONLine.decode(WorkerRequestLine.self, from: line)
            precondition(again?.id == id && again?.request == request, "a request came back as another")
        case .refusal(let reply, _): precondition(reply.report.error?.message.isEmpty == false, "the reason is missing")
        }
    }
    return bytes.count
}

/// Checks that a report survives encoding and decoding unchanged; numbers are rounded once.
private func check(_ report: DecodeReport) {
    // Corners without a finite value cannot be written as JSON.
    guard let line = try? JSONLine.encode(report) else { return }
    guard let rounded = try? JSONLine.decode(DecodeReport.self, from: line) else {
        preconditionFailure("a report that was written cannot be read")
    }
    guard let again = try? JSONLine.encode(rounded) else { preconditionFailure("it cannot be written twice") }
    precondition(line.count(where: { $0 == 0x0A }) == 1, "a report is one line")
    precondition(again == line, "a report came back as another")
}
