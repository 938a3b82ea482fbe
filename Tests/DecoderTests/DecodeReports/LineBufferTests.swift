import Testing

@testable import DecodeReports

/// Splitting streams of bytes into lines.
@Suite struct LineBufferTests {
    @Test(
        arguments: [
            ([], []), ([""], []), (["a"], []), (["a\n"], ["a"]), (["a\nb\n"], ["a", "b"]),
            (["a", "b\nc", "\n"], ["ab", "c"]),
            (["\n\n", "\n"], ["", "", ""]), (["a\r\n"], ["a\r"]), (["ab", "", "cd", "\n"], ["abcd"]),
        ] as [([String], [String])])
    func lines(_ chunks: [String], _ expected: [String]) {
        var buffer = LineBuffer()
        var lines: [String] = []
        for chunk in chunks {
            buffer.append(chunk.utf8)
            while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        #expect(lines == expected)
        #expect(buffer.pending == chunks.joined().utf8.count - expected.reduce(0) { $0 + $1.utf8.count + 1 })
    }

    /// For a single endless line and for many short lines, the work is linear in the number of bytes.
    @Test(arguments: [("one line", 0), ("short lines", 20)])
    func theWorkOfLinesIsLinear(_ name: String, _ every: Int) {
        let work = [1 << 20, 1 << 24].map { size in
            var buffer = LineBuffer()
            var chunk = [UInt8](repeating: 0x20, count: 1 << 12)
            if every > 0 { for index in stride(from: 0, to: chunk.count, by: every) { chunk[index] = 0x0A } }
            for _ in 0..<(size / chunk.count) {
                buffer.append(chunk)
                while buffer.nextLine() != nil {}
            }
            _ = buffer.lastLine()
            return Double(buffer.handled) / Double(size)
        }
        // Each byte is stored, inspected, returned, and moved at most once or twice.
        #expect(work[0] < 5 && work[1] < 5, "\(name): \(work) times the bytes")
    }

    @Test(
        arguments: [
            (["abcde\n", "ab\n"], [.tooLong(5), .whole([0x61, 0x62])]),
            (["abc", "de", "f\nab", "cd\nabcdefg"], [.tooLong(6), .whole(Array("abcd".utf8)), .tooLong(7)]),
            (["ab\nabcdefgh", "ijk", "\n"], [.whole([0x61, 0x62]), .tooLong(11)]),
            (["abcd\n", "abcdefgh\n\n"], [.whole(Array("abcd".utf8)), .tooLong(8), .whole([])]),
        ] as [([String], [LineBuffer.Line])])
    func linesThatAreTooLong(_ chunks: [String], _ expected: [LineBuffer.Line]) {
        var buffer = LineBuffer(limit: 4)
        var lines: [LineBuffer.Line] = []
        for chunk in chunks {
            buffer.append(chunk.utf8)
            while let line = buffer.nextLine() { lines.append(line) }
            #expect(buffer.pending <= 4)
        }
        if let line = buffer.lastLine() { lines.append(line) }
        #expect(lines == expected)
    }
}
