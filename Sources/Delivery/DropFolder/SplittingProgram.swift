internal import BarcodeCore
internal import CLinux
internal import Delivery
internal import Glibc
internal import SystemPackage

/// A program that writes pages of an untrusted document to a file.
///
/// It has limits and a filter of system calls. With Landlock it reads only the document and libraries, and writes only
/// the file.
struct SplittingProgram: Sendable {
    /// The path of the document inside the program.
    static let document = "/dev/fd/\(QZ_DOCUMENT_DESCRIPTOR)"
    /// The path of the file inside the program.
    static let output = "/dev/stdout"
    /// The memory limit in bytes: a document of some kilobytes may unpack to gigabytes.
    private static let memory = 1 << 30
    /// The bytes that a part may have beyond twice the size of its document, such as for resources that pages share.
    private static let spareOutput = 64 << 20
    private static let maximumWords = 2048
    /// The time in milliseconds between two looks at the flag that stops it.
    private static let interval: CInt = 200

    /// The program's name, which is looked for in `PATH`, and its arguments.
    var arguments: [String]
    /// The timeout.
    var timeout: Duration
    /// The largest file that it may write in bytes, apart from a spare.
    var maximumOutput: Int

    /// Runs the program on the thread that calls this.
    ///
    /// - Returns: the fault; `nil` if it ended with status 0.
    /// - Throws: `canceled` once the flag is set.
    func run(document: CInt, output: CInt, until stop: StopFlag) throws(Errno) -> Hook.Fault? {
        var copies = arguments.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var limits = qz_process_limits(
            kind: QZ_WRITES, memory: Self.memory, seconds: UInt32(clamping: max(1, timeout.components.seconds)),
            output: maximumOutput + Self.spareOutput)
        var process = qz_process()
        do throws(ResourceShortage) {
            let start = try ProcessStart.begin()
            defer { start.end() }
            let failure = qz_process_start(&process, &copies, document, output, &limits)
            if let shortage = ResourceShortage(errno: failure, startsProcess: true) { throw shortage }
            if failure != 0 {
                return .notRun("the command \(arguments[0]) could not be started: \(Errno(rawValue: failure))")
            }
        } catch {
            return .shortage(error)
        }
        return try wait(for: &process, until: stop)
    }

    private func wait(for process: inout qz_process, until stop: StopFlag) throws(Errno) -> Hook.Fault? {
        let deadline = ContinuousClock.now + timeout
        var words: [UInt8] = []
        var hasWords = true
        while true {
            do throws(Errno) {
                try stop.check(at: .max)
            } catch {
                qz_process_end(&process)
                throw error
            }
            if ContinuousClock.now >= deadline {
                qz_process_end(&process)
                return .failure("the command \(arguments[0]) took longer than \(timeout.words)")
            }
            if hasWords {
                hasWords = listen(process.errors, &words)
            } else if qz_process_wait(&process, Self.interval) != 0 {
                break
            }
        }
        let status = qz_process_end(&process)
        if status == 0 { return nil }
        let ending =
            status & 0x7F == 0 ? "ended with status \(status >> 8 & 0xFF)" : "was killed by signal \(status & 0x7F)"
        let lines = words.split(separator: 0x0A).prefix(2).map { line in
            String(decoding: line.filter { (0x20..<0x7F).contains($0) }.prefix(200), as: UTF8.self)
        }
        let complaint = lines.isEmpty ? "" : ": \(lines.joined(separator: "; "))"
        return .failure("the command \(arguments[0]) \(ending)\(complaint)")
    }

    /// Waits for messages of the program and keeps the first of them; `false` at their end.
    private func listen(_ errors: CInt, _ words: inout [UInt8]) -> Bool {
        var source = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
        guard poll(&source, 1, Self.interval) > 0 else { return true }
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(errors, &chunk, chunk.count)
        if count > 0 { words += chunk[..<min(count, Self.maximumWords - words.count)] }
        return count > 0 || (count < 0 && errno == EINTR)
    }
}
