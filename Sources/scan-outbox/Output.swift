import Dispatch
import Glibc
import OutboxProgram

/// Standard output, whose end is noticed.
enum Output {
    /// Writes the text now, all of it.
    static func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// Writes the text, all of it, without blocking a thread of Swift's tasks while nobody reads.
    static func writeElsewhere(_ text: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try write(text) })
            }
        }
    }

    /// Writes the bytes now, all of them.
    static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                // As shells show a program that a closed pipe ended.
                let status: Int32 = errno == EPIPE ? 141 : Failure.general
                throw Failure(message: "standard output: \(String(cString: strerror(errno)))", status: status)
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
