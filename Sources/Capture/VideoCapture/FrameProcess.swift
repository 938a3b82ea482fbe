internal import BarcodeCore
internal import CLinux
internal import Glibc
internal import ImageCodecs

/// A running command whose output is read without waiting; ended when its owner releases it.
///
/// It is killed with the thread that starts it, so that thread must be the one that reads.
final class FrameProcess {
    /// The outcome of a read.
    enum ReadOutcome: Sendable, Hashable {
        case bytes(Int)
        case nothing
        case end
    }

    /// The time in milliseconds between SIGTERM and SIGKILL, and for a program to end after its output has ended.
    private static let grace: CInt = 1000
    /// The memory limit in bytes of a program that reads an address.
    private static let memory = 2 << 30
    /// The longest message that is kept, in bytes.
    private static let maximumMessage = 400

    private var process = qz_process()
    private var isRunning = false
    private var hasErrors = true
    private var message: [UInt8] = []
    private var isLineComplete = false

    /// Starts the command.
    ///
    /// - Throws: ``CaptureError`` with the code `not_found` or `program_failed`.
    init(_ command: CaptureCommand) throws(CaptureError) {
        var document: CInt = -1
        if let input = command.input {
            do throws(DecodeError) {
                document = try Self.open(input)
            } catch {
                throw CaptureError(.programFailed, error.message, subject: command.name)
            }
        }
        defer { if document >= 0 { close(document) } }
        var copies = command.arguments.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        let failure =
            if var limits = command.host.map(Self.limits) {
                qz_process_start(&process, &copies, document, -1, &limits)
            } else {
                qz_process_start(&process, &copies, document, -1, nil)
            }
        guard failure == 0 else { throw command.notStarted(failure) }
        isRunning = true
        for pipe in [process.output, process.errors] { _ = fcntl(pipe, F_SETFL, O_NONBLOCK) }
    }

    /// Returns the limits of a program that reads from a host for as long as its camera is used.
    private static func limits(host: String) -> qz_process_limits {
        let isLocal = host.hasSuffix(".local") || host.hasSuffix(".local.")
        return qz_process_limits(
            kind: isLocal ? QZ_RECEIVES_LOCAL : QZ_RECEIVES, memory: memory, seconds: .max, output: 0)
    }

    deinit { stop() }

    /// Ends the command, and returns its status as waitpid(2) has it; 0 if it was ended before.
    @discardableResult private func stop() -> CInt {
        guard isRunning else { return 0 }
        isRunning = false
        return qz_process_stop(&process, Self.grace)
    }

    /// The descriptor of its output, to wait for.
    var output: CInt { process.output }

    /// The descriptor of its messages, to wait for; -1 after their end.
    var errors: CInt { hasErrors ? process.errors : -1 }

    /// Reads output into a buffer.
    func read(into buffer: inout [UInt8]) -> ReadOutcome {
        let count = Glibc.read(process.output, &buffer, buffer.count)
        if count > 0 { return .bytes(count) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    /// Reads up to a megabyte of its standard error, and keeps the last line.
    func readErrors() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<256 where hasErrors {
            let count = Glibc.read(process.errors, &chunk, chunk.count)
            guard count > 0 else {
                hasErrors = count < 0 && (errno == EAGAIN || errno == EINTR)
                return
            }
            for byte in chunk[..<count] {
                if byte == 0x0A || byte == 0x0D {
                    isLineComplete = true
                } else {
                    // A line is kept until the next one begins, so that an empty last line does not hide it.
                    if isLineComplete { message = [] }
                    isLineComplete = false
                    if message.count < Self.maximumMessage { message.append(byte) }
                }
            }
        }
    }

    /// Returns the error for a command whose output has ended.
    ///
    /// - Parameter fault: the fault of its output, for a command that gives no reason; `nil` if there is none.
    func ending(of command: CaptureCommand, fault: String?) -> CaptureError {
        qz_process_wait(&process, Self.grace)
        readErrors()
        let status = stop()
        let text = String(decoding: message, as: UTF8.self)
        let how =
            switch status & 0x7F {
            case 0: "ended with exit status \(status >> 8 & 0xFF)"
            case SIGSYS where command.host != nil:
                "made a system call that its sandbox forbids; if the camera needs it, start \(command.arguments[0]) by exec:"
            case let signal: "was ended by signal \(signal)"
            }
        let reason =
            text.isEmpty ? fault.map { " and \($0)" } ?? "" : ": \(CaptureCommand.withoutSecrets(text))"
        return CaptureError(.programFailed, "\(command.arguments[0]) \(how)\(reason)", subject: command.name)
    }

    private static func open(_ input: String) throws(DecodeError) -> CInt {
        var input = input
        let file: Result<CInt, DecodeError> = input.withUTF8 { bytes in
            do throws(DecodeError) {
                return .success(try MemoryFile.open(holding: UnsafeRawBufferPointer(bytes)))
            } catch {
                return .failure(error)
            }
        }
        let descriptor = try file.get()
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }
}
