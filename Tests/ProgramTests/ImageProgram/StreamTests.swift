import Foundation
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Slow, closed or full streams, and signals.
    @Suite struct StreamTests {
        let qr = Samples.path("qr.png")
        let ean = Samples.path("ean8.png")

        @Test func anAnswerIsThereBeforeTheNextName() async throws {
            let program = decodeImage
            let names = [qr, ean, "/nowhere", qr]
            let (lines, result) = try await onThread {
                let running = try program.start(["--json", "--files-from", "-"])
                var lines: [String] = []
                for name in names {
                    try running.send(name + "\n")
                    lines.append(running.line() ?? "")
                }
                return (lines, try running.end())
            }
            #expect(try lines.map { try Answer($0).source } == names)
            #expect(result.ending == .exit(1))
            #expect(result.output.isEmpty)
        }

        /// While one picture hangs, all others are decoded, in any order of the reports.
        @Test func nothingWaitsForAPictureThatHangs() async throws {
            let program = decodeImage
            let folder = try TemporaryFolder()
            let (first, last) = (try folder.fifo("first"), try folder.fifo("last"))
            let picture = try Data(contentsOf: URL(fileURLWithPath: ean))
            let running = try program.start(
                ["--raw", "--jobs", "2", "--timeout", "3600", first] + [String](repeating: qr, count: 100) + [last])
            // It has a reader once its turn has come: all pictures between are done, or with the other worker.
            var descriptors: [Int32] = []
            for path in [last, first] {
                let opens = await eventually {
                    let descriptor = open(path, O_WRONLY | O_NONBLOCK)
                    if descriptor >= 0 { descriptors.append(descriptor) }
                    return descriptor >= 0
                }
                #expect(opens, "\(path)")
            }
            for descriptor in descriptors {
                #expect(picture.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == picture.count)
                close(descriptor)
            }
            let expected = [ean] + [String](repeating: qr, count: 100) + [ean]
            let texts = [qr: "https://example.org/quietzone", ean: "96385074"]
            #expect(try running.end().output.text == expected.compactMap { texts[$0] }.joined())
        }

        @Test(arguments: [["--json"], [], ["--raw", "--null"], ["--xml"]])
        func aReaderThatGoesAwayEndsTheProgram(_ form: [String]) async throws {
            let program = decodeImage
            let folder = try TemporaryFolder()
            // The last one has no writer: the batch cannot end by itself.
            let files = (0..<200).map { _ in Samples.path("qr-sheet.png") } + [try folder.fifo("silent")]
            let (result, children) = try await onThread {
                let running = try program.start(["--timeout", "3600"] + form + files)
                // A NUL is not a line; the first bytes are enough.
                if form.first != "--raw" { _ = running.line() }
                let children = running.children
                running.closeOutput()
                return (try running.end(), children)
            }
            #expect(result.ending == .signal(SIGPIPE))
            #expect(result.messages == "")
            #expect(try await onThread { remaining(of: children) } == [])
        }

        @Test(arguments: ["--json", "--table", "--xml", "--raw"])
        func aFullDiskIsReported(_ form: String) async throws {
            var program = decodeImage
            program.streams.output = .file("/dev/full")
            let message =
                "decode-image: standard output: cannot be written: No space left on device; "
                + "the answers from here on are lost\n"
            for files in [[qr], [qr, ean, qr]] {
                let result = try await program([form] + files)
                #expect(result.ending == .exit(1))
                #expect(result.messages.hasPrefix(message))
            }
        }

        struct Closed: CustomTestStringConvertible, Sendable {
            var label: String
            var streams: ProgramRunner.Streams
            var arguments: [String]
            var status: Int32
            var testDescription: String { label }
        }

        static let one = [Samples.path("qr.png")]
        static let three = [Samples.path("qr.png"), Samples.path("ean8.png"), Samples.path("qr.png")]
        static let closed: [Closed] = [
            .init(label: "input, one", streams: .init(input: .closed), arguments: one, status: 0),
            .init(label: "input, several", streams: .init(input: .closed), arguments: three, status: 0),
            .init(label: "standard input is the picture", streams: .init(input: .closed), arguments: ["-"], status: 1),
            .init(
                label: "standard input is the list", streams: .init(input: .closed), arguments: ["--files-from", "-"],
                status: 1),
            .init(
                label: "standard input is one of several", streams: .init(input: .closed), arguments: ["-"] + one,
                status: 1),
            .init(label: "output, one", streams: .init(output: .closed), arguments: one, status: 1),
            .init(label: "output, several", streams: .init(output: .closed), arguments: three, status: 1),
            .init(label: "messages, one", streams: .init(error: .closed), arguments: one, status: 0),
            .init(label: "messages, several", streams: .init(error: .closed), arguments: three, status: 0),
            .init(
                label: "all, several", streams: .init(input: .closed, output: .closed, error: .closed),
                arguments: three, status: 1),
        ]

        @Test(arguments: closed) func closedStreams(_ test: Closed) async throws {
            var program = decodeImage
            program.streams = test.streams
            let result = try await program(test.arguments)
            #expect(result.ending == .exit(test.status), "\(result.messages)")
            if test.status == 0 { #expect(result.lines.count == test.arguments.count) }
            if test.streams.output == .closed, test.streams.error == .pipe {
                #expect(result.messages.contains("standard output: cannot be written: Bad file descriptor"))
            }
        }

        @Test(arguments: [SIGTERM, SIGINT]) func aSignalEndsABatchInOrder(_ signal: Int32) async throws {
            let folder = try TemporaryFolder()
            let silent = try folder.fifo("silent")
            let program = decodeImage
            let (lines, result, children) = try await onThread {
                // The FIFO has no writer: the batch cannot end by itself.
                let running = try program.start(["--json", qr, ean, silent] + (0..<50).map { _ in silent })
                let lines = [running.line() ?? "", running.line() ?? ""]
                let children = running.children
                running.signal(signal)
                return (lines, try running.end(), children)
            }
            #expect(result.ending == .signal(signal))
            #expect(try Set(lines.map { try Answer($0).source }) == [qr, ean])
            #expect(result.output.isEmpty || result.output.last == 0x0A)
            #expect(result.messages.hasPrefix("decode-image: stopped by signal \(signal): 2 pictures answered, "))
            #expect(!children.isEmpty)
            #expect(try await onThread { remaining(of: children) } == [])
        }

        /// Lower effort is no remedy for a silent pipe.
        @Test func aSilentPipe() async throws {
            let folder = try TemporaryFolder()
            let pipe = try folder.fifo("pipe")
            let result = try await decodeImage(["--timeout", "1", pipe])
            #expect(result.messages.contains("did not end within 1.0 seconds"), "\(result.messages)")
            #expect(!result.messages.contains("--effort"))
            #expect(result.ending == .exit(1))
        }

        @Test func aSignalEndsASinglePicture() async throws {
            let folder = try TemporaryFolder()
            let silent = try folder.fifo("silent")
            let program = decodeImage
            let result = try await onThread {
                let running = try program.start(["--json", silent])
                let writer = open(silent, O_WRONLY | O_CLOEXEC)
                defer { close(writer) }
                running.signal(SIGTERM)
                return try running.end()
            }
            #expect(result.ending == .signal(SIGTERM))
            #expect(result.output.isEmpty)
        }

        @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE])
        func aCrashOverASinglePictureIsAnAnswer(_ signal: Int32) async throws {
            let folder = try TemporaryFolder()
            let silent = try folder.fifo("silent")
            let program = decodeImage
            for form in ["--json", "--xml", "--raw"] {
                let result = try await onThread {
                    let running = try program.start([form, silent])
                    // Waits until the program has opened its end, when its crash protection is already in place.
                    let writer = open(silent, O_WRONLY | O_CLOEXEC)
                    defer { close(writer) }
                    running.signal(signal)
                    return try running.end()
                }
                #expect(result.ending == .exit(1))
                if form == "--json" {
                    #expect(try result.answer().error?.code == "reader_crashed")
                    #expect(try result.answer().source == silent)
                    #expect(result.messages == "")
                } else {
                    #expect(result.messages.hasPrefix("decode-image: \(silent): crashed the library"))
                    #expect(result.messages.filter { $0 == "\n" }.count == 1)
                }
                if form == "--xml" { #expect(XMLReader(result.output).isWellFormed) }
            }
        }
    }
}
