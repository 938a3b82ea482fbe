import FoundationEssentials
import Glibc
import ScanEvents
import ScanOutbox
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Files to which a line is appended for each event.
@Suite(.timeLimit(.minutes(10))) struct FileSinkTests {
    private let folder: TemporaryFolder
    private let destination: Destination

    init() throws {
        folder = try TemporaryFolder()
        destination = Destination(name: "log", form: .template(try BodyTemplate("\"{{symbol.text}}\"")))
    }

    private func sink(
        _ name: String, _ lines: FileSink.Lines = .json, calls: LineFile.Calls = LineFile.Calls(),
        timeout: Duration = .seconds(60)
    ) -> FileSink {
        FileSink(path: folder[name], lines: lines, timeout: timeout, calls: calls)
    }

    private func message(_ text: String, id: EventID = EventID()) throws -> OutgoingMessage {
        try OutgoingMessage(.test(text, id: id), to: destination)
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: folder[name])), as: UTF8.self)
    }

    @Test func linesOfJSON() async throws {
        let sink = sink("a.jsonl")
        for text in ["one", "two\nlines"] { #expect(await sink.deliver(try message(text)) == .delivered()) }
        await sink.close()
        #expect(try text("a.jsonl") == "\"one\"\n\"two\\nlines\"\n")
    }

    @Test func rowsAreSafeForSpreadsheets() async throws {
        let sink = sink("a.csv", .csv(columns: ["format", "text", "content.gs1.01"]))
        for text in ["=1+1", "say \"a\"\r\nb", "4006381333931"] {
            #expect(await sink.deliver(try message(text)) == .delivered())
        }
        #expect(
            try text("a.csv") == "\u{FEFF}\"format\",\"text\",\"content.gs1.01\"\r\n\"ean_13\",\"'=1+1\",\"\"\r\n"
                + "\"ean_13\",\"say \"\"a\"\" b\",\"\"\r\n\"ean_13\",\"4006381333931\",\"\"\r\n")
    }

    @Test func aFileADay() async throws {
        let sink = sink("{{date}}.jsonl")
        let times = [1_800_000_000_000, 1_800_172_800_000].map(Date.init(milliseconds:))
        for time in times { _ = await sink.deliver(try OutgoingMessage(.test("x", at: time), to: destination)) }
        for time in times { #expect(try text("\(time.localDay).jsonl") == "\"x\"\n") }
    }

    /// The content of the file, its content after one more line, and the part that was removed.
    @Test(
        arguments: [
            ("", "\"x\"\n", nil), ("\"a\"\n", "\"a\"\n\"x\"\n", nil),
            ("\"a\"\n\"b", "\"a\"\n\"x\"\n", "\"b\n"), ("\"ha", "\"x\"\n", "\"ha\n"),
            ("\"a\"\n\0\0\0", "\"a\"\n\"x\"\n", "\0\0\0\n"),
            // Complete, but without its line ending.
            ("\"a\"\n\"b\"", "\"a\"\n\"b\"\n\"x\"\n", nil), ("{\"a\":1}", "{\"a\":1}\n\"x\"\n", nil),
            ("\"a\"\r", "\"a\"\r\n\"x\"\n", nil), ("{\"a\":1", "\"x\"\n", "{\"a\":1\n"), ("12", "\"x\"\n", "12\n"),
        ] as [(String, String, String?)])
    func halfLines(_ before: String, _ after: String, _ half: String?) async throws {
        try folder.file("a.jsonl", before)
        #expect(await sink("a.jsonl").deliver(try message("x")) == .delivered())
        #expect(try text("a.jsonl") == after)
        #expect((try? text("a.jsonl.half")) == half)
    }

    /// The last row of a table of two columns, and true if it is complete.
    @Test(
        arguments: [
            ("\"a\",\"b", false), ("\"a\",\"b\"\"", false), ("\"a\",", false), ("\"", false), ("\0\0,\0", false),
            // Half of a cell with quotation marks, which looks complete.
            ("\"a\",\"{\"", false), ("\"a\",\"b\"", false), ("\"a\",\"b\"\r", false),
            // Written by a spreadsheet, which omits quotation marks.
            ("a,b", true), ("a,\"b,c\"", true), ("a,b\r", true), ("a", true),
        ])
    func lastRows(_ last: String, _ isWhole: Bool) async throws {
        let before = "text,format\r\none,qr_code\r\n"
        try folder.file("a.csv", before + last)
        let outcome = await sink("a.csv", .csv(columns: ["text", "format"])).deliver(try message("x"))
        #expect(outcome == .delivered())
        let kept = isWhole ? (last.hasSuffix("\r") ? last + "\n" : last + "\r\n") : ""
        #expect(try text("a.csv") == before + kept + "\"x\",\"ean_13\"\r\n")
        #expect((try? text("a.csv.half")) == (isWhole ? nil : last + "\n"))
    }

    @Test func halfOfTheHeaderIsWrittenAnew() async throws {
        try folder.file("a.csv", "\u{FEFF}\"te")
        #expect(await sink("a.csv", .csv(columns: ["text"])).deliver(try message("x")) == .delivered())
        #expect(try text("a.csv") == "\u{FEFF}\"text\"\r\n\"x\"\r\n")
    }

    @Test func otherColumns() async throws {
        try folder.file("saved.csv", "text,format\r\nx,y\r\n")
        let columns = FileSink.Lines.csv(columns: ["text", "format"])
        #expect(await sink("saved.csv", columns).deliver(try message("x")) == .delivered())
        let outcome = await sink("saved.csv", .csv(columns: ["text"])).deliver(try message("x"))
        #expect(outcome.kind == .failed)
        #expect(outcome.reason?.contains("has other columns (text,format); move it away") == true, "\(outcome)")
    }

    @Test func aMovedFileBeginsAnew() async throws {
        let sink = sink("a.csv", .csv(columns: ["text"]))
        _ = await sink.deliver(try message("one"))
        try FileManager.default.moveItem(atPath: folder["a.csv"], toPath: folder["b.csv"])
        _ = await sink.deliver(try message("two"))
        #expect(try text("b.csv") == "\u{FEFF}\"text\"\r\n\"one\"\r\n")
        #expect(try text("a.csv") == "\u{FEFF}\"text\"\r\n\"two\"\r\n")
    }

    @Test func faults() async throws {
        let missing = await sink("share/a.jsonl").deliver(try message("x"))
        #expect(missing == .failed("the folder \(folder["share"]) does not exist; create it, or mount its share"))
        try folder.file("blob", String(repeating: "x", count: 2 << 20))
        #expect(await sink("blob").deliver(try message("x")).reason?.contains("does not consist of lines") == true)
        try FileManager.default.createDirectory(atPath: folder["d"], withIntermediateDirectories: true)
        #expect(await sink("d").deliver(try message("x")).kind == .failed)
        let unknown = OutgoingMessage(id: "i", body: Data(), mediaType: "", attemptedAt: Date())
        #expect(await sink("a").deliver(unknown).kind == .refused)
    }

    /// Lines go only to a regular file, possibly through a link; other files are not touched.
    @Test func onlyARegularFileIsAppendedTo() async throws {
        #expect(mkfifo(folder["pipe"], 0o600) == 0 && symlink("/dev/null", folder["device"]) == 0)
        for name in ["pipe", "device"] {
            let outcome = await sink(name).deliver(try message("x"))
            #expect(outcome == .failed("\(folder[name]) is not a regular file"))
        }
        try folder.file("target", "\"mine\"\n")
        #expect(symlink("target", folder["link"]) == 0)
        #expect(await sink("link").deliver(try message("x")) == .delivered())
        #expect(try text("target") == "\"mine\"\n\"x\"\n")
        var status = stat()
        #expect(lstat(folder["link"], &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func aLockedFileIsTriedAgain() async throws {
        let path = try folder.file("a.jsonl", "")
        let other = open(path, O_RDWR | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        let locked = LineFile(path: path).append(Array("\"y\"\n".utf8), timeout: .zero)
        #expect(locked.kind == .failed)
        close(other)
        #expect(await sink("a.jsonl").deliver(try message("x")) == .delivered())
        #expect(try text("a.jsonl") == "\"x\"\n")
    }

    @Test(arguments: [ENOSPC, EDQUOT])
    func aFullDisk(_ number: Int32) async throws {
        try folder.file("a.jsonl", "\"a\"\n")
        let calls = LineFile.Calls(write: { descriptor, bytes, count in
            // There is only room for half of it.
            if count > 2 { return write(descriptor, bytes, 2) }
            errno = number
            return -1
        })
        let full = await sink("a.jsonl", calls: calls).deliver(try message("x"))
        #expect(full.kind == .postponed, "\(full)")
        #expect(full.reason?.hasSuffix("; free some space") == true, "\(full)")
        #expect(try text("a.jsonl") == "\"a\"\n")
        let unsynced = LineFile.Calls(sync: { _ in
            errno = EIO
            return -1
        })
        #expect(await sink("a.jsonl", calls: unsynced).deliver(try message("x")).kind == .failed)
        #expect(try text("a.jsonl") == "\"a\"\n")
        #expect(await sink("a.jsonl").deliver(try message("x")) == .delivered())
        #expect(try text("a.jsonl") == "\"a\"\n\"x\"\n")
    }

    /// A network share that hangs: the attempt fails, and the line is written once.
    @Test func aLineThatComesLateIsNotWrittenTwice() async throws {
        let gate = DispatchGate()
        let calls = LineFile.Calls(sync: { descriptor in
            gate.wait()
            return fsync(descriptor)
        })
        let sink = sink("a.jsonl", calls: calls, timeout: .milliseconds(50))
        let first = try message("x")
        #expect(await sink.deliver(first).kind == .failed)
        #expect(await sink.deliver(first).kind == .failed)
        gate.open()
        #expect(await eventually { await sink.deliver(first) == .delivered() })
        #expect(try text("a.jsonl") == "\"x\"\n")
    }

    @Test func anOutboxDelivers() async throws {
        let box = try TestOutbox()
        let events = (0..<20).map { ScanEvent.test("\($0)") }
        try await box.outbox.store(events, for: [destination])
        var options = DeliveryService.Options()
        options.stopsWhenIdle = { true }
        let sink = sink("a.csv", .csv(columns: ["id", "text"]))
        try await DeliveryService(
            outbox: box.outbox, destinations: [(destination, sink)], options: options, logger: .silent
        ).run()
        let rows = try text("a.csv").split(separator: "\r\n").dropFirst()
        #expect(rows.sorted() == events.map { "\"\($0.id)\",\"\($0.symbol.text)\"" }.sorted())
    }
}

/// Blocks threads until it is opened.
private final class DispatchGate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }
    func wait() { while !isOpen.withLock({ $0 }) { usleep(1000) } }
}
