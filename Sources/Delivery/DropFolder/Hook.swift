internal import BarcodeCore
internal import CLinux
internal import Delivery
internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A user command that runs for one file.
struct Hook: Sendable {
    /// The program (a path or a name in `PATH`) and its arguments; the file's path is appended.
    var command: [String]
    /// The timeout.
    var timeout: Duration

    /// The reason why a command did not succeed.
    enum Fault: Error, CustomStringConvertible {
        /// It failed or timed out.
        case failure(String)
        /// It could not be run, such as because it does not exist or is not a program.
        case notRun(String)
        /// It was not run, because this machine lacks a resource.
        case shortage(ResourceShortage)

        /// A clause for people.
        var description: String {
            switch self {
            case .failure(let text), .notRun(let text): text
            case .shortage(let shortage): "the command could not be run: \(shortage)"
            }
        }
    }

    /// Runs the command.
    ///
    /// If this machine lacks a resource, waits for it, at most for the timeout.
    func runPatiently(_ file: [UInt8], _ variables: [String: [UInt8]] = [:]) async -> Fault? {
        let deadline = ContinuousClock.now + timeout
        var failures = 0
        while true {
            let fault = await run(file, variables)
            guard case .shortage = fault, ContinuousClock.now < deadline, !Task.isCancelled else { return fault }
            failures += 1
            try? await Task.sleep(for: RetryPlan.patient.wait(after: failures) ?? .seconds(1))
        }
    }

    /// The environment of this process with additional variables, byte for byte: a path need not be UTF-8.
    private static func environment(_ variables: [String: [UInt8]]) -> Environment {
        var entries: [[UInt8]] = []
        var next = qz_environment()
        while let entry = next?.pointee {
            let bytes = UnsafeBufferPointer(start: entry, count: strlen(entry)).map(UInt8.init(bitPattern:))
            if !variables.keys.contains(where: { bytes.starts(with: Array($0.utf8) + [0x3D]) }) {
                entries.append(bytes + [0])
            }
            next = next?.advanced(by: 1)
        }
        return .custom(entries + variables.map { Array($0.key.utf8) + [0x3D] + $0.value + [0] })
    }

    /// Runs the command without a shell.
    ///
    /// After the timeout it is terminated with all processes that it has started.
    ///
    /// - Parameters:
    ///   - file: the absolute path of the file, passed as the last argument and as `QUIETZONE_FILE`.
    ///   - variables: additional environment variables.
    /// - Returns: the fault; `nil` if it ended with status 0.
    func run(_ file: [UInt8], _ variables: [String: [UInt8]] = [:]) async -> Fault? {
        guard let program = command.first else { return nil }
        let start: ProcessStart
        do throws(ResourceShortage) { start = try ProcessStart.begin() } catch { return .shortage(error) }
        // An argument is bytes terminated by NUL; a path that is not UTF-8 cannot be passed as a string.
        let arguments = (command.dropFirst().map { Array($0.utf8) } + [file]).map { $0 + [0] }
        let environment = Self.environment(variables.merging(["QUIETZONE_FILE": file]) { $1 })
        return await withTaskGroup(of: Fault?.self) { group in
            group.addTask {
                do {
                    // Subprocess traps if it cannot open this itself after it has opened the output.
                    let nothing = try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec)
                    defer { try? nothing.close() }
                    let result = try await Subprocess.run(
                        program.contains("/") ? .path(FilePath(program)) : .name(program),
                        arguments: Arguments(arguments),
                        environment: environment, platformOptions: CommandGroup.options,
                        input: .fileDescriptor(nothing, closeAfterSpawningProcess: false), output: .discarded,
                        error: .currentStandardError
                    ) { _ in start.end() }
                    CommandGroup.endRest(of: result.processIdentifier)
                    switch result.terminationStatus {
                    case .exited(0): return nil
                    case .exited(let status): return .failure("the command \(program) ended with status \(status)")
                    case .signaled(let signal): return .failure("the command \(program) was killed by signal \(signal)")
                    }
                } catch {
                    let code = (error as? SubprocessError)?.underlyingError ?? error as? Errno
                    if let shortage = code.flatMap({ ResourceShortage(errno: $0.rawValue, startsProcess: true) }) {
                        return .shortage(shortage)
                    }
                    return .notRun(CommandGroup.reason(for: error, command: program))
                }
            }
            group.addTask { [timeout] in
                do { try await Task.sleep(for: timeout) } catch { return nil }
                return .failure("the command \(program) took longer than \(timeout.words)")
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
