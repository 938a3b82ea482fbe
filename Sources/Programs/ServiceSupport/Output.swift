internal import Delivery
internal import Glibc
internal import ServiceLifecycle

/// Standard output of a command: a reader that is gone, and a disk that is full, are failures.
public enum Output {
    /// Writes the text now, all of it.
    public static func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// How long what is written meanwhile may wait for its reader once a shutdown has begun.
    private static let shutdownTimeout: Duration = .seconds(5)

    /// Writes lines, all of them, without blocking a thread of Swift's tasks while nobody reads.
    ///
    /// - Returns: false where nobody read them before a shutdown.
    public static func writeElsewhere(_ lines: [String]) async throws -> Bool {
        if lines.isEmpty { return true }
        let outcome = await withTaskGroup(of: LineWriter.Outcome.self) { group in
            group.addTask { await LineWriter.standardOutput.write(Array(lines.joined(separator: "\n").utf8)) }
            group.addTask {
                try? await gracefulShutdown()
                try? await Task.sleep(for: shutdownTimeout)
                return .abandoned
            }
            defer { group.cancelAll() }
            return await group.next() ?? .abandoned
        }
        if outcome == .abandoned { return false }
        try check(outcome)
        return true
    }

    /// Writes a line and its end among those of other tasks, and waits until the system has it.
    public static func writeLine(_ line: String) async throws {
        try check(await LineWriter.standardOutput.write(Array(line.utf8)))
    }

    private static func check(_ outcome: LineWriter.Outcome) throws {
        switch outcome {
        case .written: break
        case .abandoned: throw CancellationError()
        case .closed: throw Failure.outputClosed
        case .failed(let code): throw failure(code)
        }
    }

    private static func failure(_ code: Int32) -> Failure {
        Failure(message: "standard output: \(String(cString: strerror(code)))")
    }

    /// Writes the bytes now, all of them.
    public static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EPIPE { throw Failure.outputClosed }
                throw failure(errno)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Rows of text in columns; the last column is as long as it likes.
    public static func table(_ rows: [[String]]) -> String {
        var widths: [Int] = []
        for row in rows {
            for (column, text) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], text.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, text in
                column == row.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}
