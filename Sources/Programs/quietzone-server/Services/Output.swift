import BarcodeCore
import Delivery
import Glibc
import ServiceLifecycle

/// Standard output of a command, where a closed reader or a full disk is a failure.
enum Output {
    /// Writes all of the text.
    static func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// The time for pending output to be read after a shutdown has begun.
    private static let shutdownTimeout: Duration = .seconds(5)

    /// Writes all lines, without blocking a thread of Swift's tasks while they are not read.
    ///
    /// - Returns: `false` if they were not read before a shutdown.
    static func writeElsewhere(_ lines: [String]) async throws -> Bool {
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

    /// Writes a line without interleaving it with those of other tasks, and waits until the system has accepted it.
    static func writeLine(_ line: String) async throws {
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

    /// Writes all of the bytes.
    static func write(_ bytes: [UInt8]) throws {
        let number = bytes.withUnsafeBytes { $0.write(to: STDOUT_FILENO) }
        if number == EPIPE { throw Failure.outputClosed }
        if number != 0 { throw failure(number) }
    }

    /// Formats rows of text in columns; the last column has any width.
    static func table(_ rows: [[String]]) -> String {
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
