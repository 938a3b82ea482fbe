import Delivery
import Glibc
import ServiceLifecycle
import ServiceSupport

/// Standard output, whose end is noticed.
enum Output {
    /// Writes the text now, all of it.
    static func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// How long what is written meanwhile may wait for its reader once a shutdown has begun.
    private static let shutdownTimeout: Duration = .seconds(5)

    /// Writes lines, all of them, without blocking a thread of Swift's tasks while nobody reads.
    ///
    /// - Returns: false where nobody read them before a shutdown.
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
        switch outcome {
        case .written: return true
        case .abandoned: return false
        case .closed: throw Failure.outputClosed
        case .failed(let code): throw Failure(message: "standard output: \(String(cString: strerror(code)))")
        }
    }

    /// Writes the bytes now, all of them.
    static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EPIPE { throw Failure.outputClosed }
                throw Failure(message: "standard output: \(String(cString: strerror(errno)))")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Rows of text in columns; the last column is as long as it likes.
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
