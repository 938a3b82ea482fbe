import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Guns that send invalid data: the program reports it, stores nothing of it, and reads the next code correctly.
///
/// `QUIETZONE_DEVICE_FLOOD` is the number of megabytes sent without an end; the default is 1.
@Suite(.timeLimit(.minutes(20))) struct InvalidDeviceInputTests {
    private static let megabytes = Int(ProcessInfo.processInfo.environment["QUIETZONE_DEVICE_FLOOD"] ?? "") ?? 1

    /// Returns the peak memory of a process, in bytes.
    private func mostMemory(_ process: pid_t) throws -> Int {
        let text = try #require(readFile("/proc/\(process)/status")).text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
    }

    @Test func whatHasNoEnd() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        let ports = [try run.port(), try run.port()]
        // The timeout for the end is long enough for a busy machine to read all data.
        try run.configure([
            ("flood", ports[0].path, ["endSeconds: 60"]), ("half", ports[1].path, ["endSeconds: 0.05"]),
        ])
        let program = try run.start("run")
        try #require(await run.connects(2), "\(run.log)")
        try ports[0].send("before\r".utf8)
        try #require(await run.reports(["before"]))
        let before = try mostMemory(program.process)
        let rubbish = [UInt8](repeating: 0x41, count: 1 << 20)
        for _ in 0..<Self.megabytes { try ports[0].send(rubbish) }
        try ports[0].send("\rafter\r".utf8)
        try #require(await run.reports(["before", "after"]))
        let grown = try mostMemory(program.process) - before
        #expect(grown < 24 << 20, "\(grown) bytes for \(Self.megabytes) MB")
        print("whatHasNoEnd: \(grown >> 10) KiB more for \(Self.megabytes) MB without an end")
        #expect(await eventually { run.log.contains("It was longer than the limit for a message") }, "\(run.log)")
        #expect(run.log.contains("\(Self.megabytes << 20)"))
        // An incomplete code is discarded, and is not a prefix of the next one.
        try ports[1].send("4006381".utf8)
        #expect(await eventually { run.log.contains("did not come in time") }, "\(run.log)")
        try ports[1].send("whole\r".utf8)
        #expect(await run.reports(["before", "after", "whole"]))
        program.signal(SIGTERM)
        #expect(try program.end().ending == .exit(0))
    }

    /// Half of a character, control characters, only line ends, and all byte values arrive unchanged.
    @Test func whatIsNoText() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        let port = try run.port()
        try run.configure([("gun", port.path, [])])
        let program = try run.start("run")
        try #require(await run.connects(1), "\(run.log)")
        let codes: [[UInt8]] = [
            Array("caf".utf8) + [0xC3], [0xE6, 0x9D], [0xFF, 0xFE], Array(0...9) + [11, 12] + Array(14...31),
            Array(0x7F...0xFF), [0], Array("\u{1B}]0;title\u{7}\u{1B}[2J".utf8), [0x20], Array("条码".utf8),
        ]
        for code in codes { try port.send([0x0D, 0x0A, 0x0A] + code + [0x0D, 0x0A]) }
        try port.send("next\r".utf8)
        let expected = codes + [Array("next".utf8)]
        let isTold = await eventually { run.lines.count >= expected.count }
        #expect(isTold, "\(run.log)")
        // Several are delivered at once, in any order.
        let told = run.lines.map { $0.symbol?.bytes ?? "none" }.sorted()
        #expect(told == expected.map { Data($0).base64EncodedString() }.sorted())
        let output = readFile(run.folder["lines"]) ?? []
        #expect(output.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "a terminal is safe from what is scanned")
        program.signal(SIGTERM)
        #expect(try program.end().ending == .exit(0))
    }

    /// Two guns whose codes arrive interleaved, in pieces.
    @Test func oneTypesWhileAnotherDoes() async throws {
        let run = try DeviceRun()
        defer { withExtendedLifetime(run) {} }
        let ports = [try run.port(), try run.port()]
        try run.configure(ports.enumerated().map { ("gun\($0.offset)", $0.element.path, ["endSeconds: 60"]) })
        let program = try run.start("run")
        try #require(await run.connects(2), "\(run.log)")
        var expected: [String] = []
        for number in 0..<50 {
            let codes = ["left-\(number)-ABCDEF", "right-\(number)-123456"]
            expected += codes
            for (left, right) in zip(codes[0].utf8, codes[1].utf8) {
                try ports[0].send([left])
                try ports[1].send([right])
            }
            try ports[1].send(Array(codes[1].utf8.dropFirst(codes[0].utf8.count)) + [0x0D])
            try ports[0].send([0x0D])
        }
        #expect(await run.reports(expected))
        program.signal(SIGTERM)
        #expect(try program.end().ending == .exit(0))
    }
}
