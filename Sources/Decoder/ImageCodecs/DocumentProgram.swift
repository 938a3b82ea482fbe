internal import BarcodeCore
internal import CLinux
internal import Glibc

/// The programs of poppler-utils that are started for documents.
package enum DocumentPrograms {
    /// The names of the programs.
    package static let names = ["pdfimages", "pdfinfo", "pdftoppm"]
}

/// A running program of poppler-utils on a document, killed when its owner releases it.
///
/// It reads the document from descriptor 3, and writes to a pipe that is read here.
struct DocumentProgram: ~Copyable {
    /// The path of the document inside the program.
    static let document = "/dev/fd/\(QZ_DOCUMENT_DESCRIPTOR)"
    /// The memory limit in bytes besides the image: fonts, and color images within the page.
    private static let memory = 1 << 30
    private static let maximumWords = 2048

    private var process: qz_process
    private let timeout: Duration
    private let deadline: ContinuousClock.Instant
    private var words: [UInt8] = []
    private var hasWords = true

    /// Starts a program with its arguments.
    init(_ arguments: [String], document: CInt, timeout: Duration) throws(DecodeError) {
        process = qz_process()
        self.timeout = timeout
        deadline = .now + timeout
        var copies = arguments.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var limits = qz_process_limits(
            kind: QZ_READS, memory: Self.memory, seconds: UInt32(clamping: timeout.components.seconds + 1), output: 0)
        let failure = qz_process_start(&process, &copies, document, -1, &limits)
        guard failure == 0 else {
            if failure == ENOENT {
                throw .missingCodec(arguments[0], for: "a PDF", package: PDFDecoder.package)
            }
            throw DecodeError(
                .resourceShortage, "could not be rendered: \(arguments[0]) could not be started",
                cause: SystemError("execvp", errno: failure))
        }
    }

    deinit {
        var process = process
        qz_process_end(&process)
    }

    /// The first two different lines of the program's error messages; empty if there are none.
    var complaint: String {
        let text = String(decoding: words, as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.filter { $0.isASCII && !$0.isNewline } }
        let others = lines.filter { $0 != lines.first }
        return (lines.prefix(1) + others.prefix(1)).joined(separator: "; ")
    }

    /// Indicates whether the program reports that it ran out of memory; its limit is below that of this process.
    ///
    /// The first text is that of C++, the other that of Poppler.
    var isOutOfMemory: Bool {
        ["bad_alloc", "Out of memory"].contains(where: String(decoding: words, as: UTF8.self).contains)
    }

    /// Fills `target` with output of the program.
    ///
    /// - Returns: the number of bytes, less than the size of `target` only at the end of the output.
    mutating func fill(_ target: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int {
        var count = 0
        while count < target.count {
            let got = try read(into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
            if got == 0 { break }
            count += got
        }
        return count
    }

    /// Reads the program's output to its end, at most `limit` bytes.
    mutating func text(atMost limit: Int) throws(DecodeError) -> String {
        var bytes = [UInt8](repeating: 0, count: limit)
        let result: Result<Int, DecodeError> = bytes.withUnsafeMutableBytes { buffer in
            do throws(DecodeError) { return .success(try fill(buffer)) } catch { return .failure(error) }
        }
        return String(decoding: bytes[..<(try result.get())], as: UTF8.self)
    }

    private mutating func read(into target: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int {
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else {
                throw DecodeError(.timedOut, "took longer than \(timeout) to be rendered")
            }
            var sources = [
                pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
                // poll(2) ignores a negative descriptor.
                pollfd(fd: hasWords ? process.errors : -1, events: Int16(POLLIN), revents: 0),
            ]
            let found = poll(&sources, 2, CInt(clamping: Int(min(left, 60_000)) + 1))
            if found < 0 && errno != EINTR { throw .readFailure(errno) }
            guard found > 0 else { continue }
            // Error messages first, since they explain the end of the output.
            if sources[1].revents != 0 {
                listen()
                continue
            }
            let got = Glibc.read(process.output, target.baseAddress, target.count)
            if got >= 0 { return got }
            guard errno == EINTR || errno == EAGAIN else { throw .readFailure(errno) }
        }
    }

    private mutating func listen() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let got = Glibc.read(process.errors, &chunk, chunk.count)
        if got == 0 || (got < 0 && errno != EINTR) { hasWords = false }
        if got > 0 { words += chunk[..<min(got, max(0, Self.maximumWords - words.count))] }
    }
}
