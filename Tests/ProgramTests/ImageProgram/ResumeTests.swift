import Foundation
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// `--resume` continues an interrupted run; also lists that are too long to keep in memory.
    @Suite struct ResumeTests {
        private let folder: TemporaryFolder
        private let results: String
        private let samples = ["qr.png", "ean8.png", "no-code.jpg", "ean13.png"].map { Samples.path($0) }

        init() throws {
            folder = try TemporaryFolder()
            results = folder["results.jsonl"]
        }

        private func run(_ pictures: [String], _ options: [String] = []) async throws -> ProgramResult {
            try await ProgramTests.decodeImage(
                ["--json", "--resume", results, "--files-from", "-"] + options,
                input: Array(pictures.map { $0 + "\n" }.joined().utf8))
        }

        private var text: String { get throws { try String(contentsOfFile: results, encoding: .utf8) } }

        private func answers() throws -> [Answer] {
            try text.split(separator: "\n").map { try Answer(String($0)) }
        }

        private func write(_ text: String) throws {
            try text.write(toFile: results, atomically: false, encoding: .utf8)
        }

        @Test func aSecondRunHasNothingToDo() async throws {
            let first = try await run(samples)
            #expect(first.ending == .exit(4) && first.output.isEmpty, "\(first.messages)")
            let before = try text
            #expect(try answers().map(\.source).sorted() == samples.sorted())
            let second = try await run(samples)
            #expect(try text == before)
            #expect(second.messages == "decode-image: 4 pictures skipped: answered before\n")
            // Same as the first: the content of the file counts, whichever run wrote it.
            #expect(second.ending == .exit(4))
        }

        @Test func theExitStatusIsThatOfAllAnswers() async throws {
            for pictures in [[samples[0], "/nowhere"], [samples[0], samples[2]], [samples[0]]] {
                _ = try? FileManager.default.removeItem(atPath: results)
                let first = try await run(pictures)
                #expect(try await run(pictures).ending == first.ending)
                #expect(try await run(pictures + [samples[1]]).ending == first.ending)
            }
            // The results of another list do not count.
            _ = try await run(["/nowhere"])
            #expect(try await run([samples[0]]).ending == .exit(0))
        }

        @Test func aSymbolicLinkStaysOne() async throws {
            let file = try folder.file("far.jsonl", [])
            #expect(symlink(file, results) == 0 && chmod(file, 0o600) == 0)
            _ = try await run([samples[0]])
            try write(try text.replacing(#""error":null"#, with: #""error":{"code":"no_worker","message":"none"}"#))
            _ = try await run([samples[0]])
            #expect(try answers().map { $0.error?.code } == [nil])
            var status = stat()
            #expect(lstat(results, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }

        /// For a file truncated anywhere, each picture ends up with one answer.
        @Test func aFileThatIsCutOffAnywhere() async throws {
            _ = try await run(samples + ["/nowhere"])
            let whole = Array(try text.utf8)
            let lines = whole.indices.filter { whole[$0] == 0x0A }
            for cut in [0, 1, lines[0] - 1, lines[0], lines[0] + 1, lines[2] + 40, whole.count - 1, whole.count] {
                try folder.file("results.jsonl", Array(whole[..<cut]))
                _ = try await run(samples + ["/nowhere"])
                #expect(try answers().map(\.source).sorted() == (samples + ["/nowhere"]).sorted(), "cut at \(cut)")
            }
        }

        @Test func aPictureThatIsNamedTwiceIsAnsweredTwice() async throws {
            _ = try await run([samples[0]])
            _ = try await run([samples[0], samples[1], samples[0]])
            #expect(try answers().map(\.source).sorted() == [samples[0], samples[0], samples[1]].sorted())
        }

        @Test func whatNobodyLookedAtIsReadAgain() async throws {
            _ = try await run([samples[0]])
            let line = try text
            let lost = line.replacing(#""error":null"#, with: #""error":{"code":"no_worker","message":"none"}"#)
            try write(lost + line.replacing("qr.png", with: "other.png"))
            _ = try await run([samples[0]])
            #expect(try answers().map { $0.error?.code } == [nil, nil])
            #expect(try answers().map { $0.source.hasSuffix("other.png") } == [true, false])
        }

        @Test(arguments: [
            ("notes\nof mine", "line 1 is not an answer of --json"),
            ("a line without an end", "does not end with an answer of --json"),
        ])
        func aFileOfAnotherKindIsLeftAlone(_ notes: String, _ problem: String) async throws {
            try write(notes)
            let result = try await run(samples)
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains(problem + "; the file was not changed"), "\(result.messages)")
            #expect(try text == notes)
        }

        /// These are refused at once, instead of read until memory is short.
        @Test(arguments: ["/dev/zero", "/dev/full", "pipe", "folder"])
        func whatIsNotARegularFileIsRefused(_ name: String) async throws {
            _ = try folder.fifo("pipe")
            try folder.folder("folder")
            let path = name.hasPrefix("/") ? name : folder[name]
            let result = try await ProgramTests.decodeImage(["--json", "--resume", path, samples[0]])
            #expect(result.ending == .exit(1) && result.output.isEmpty)
            #expect(result.messages == "decode-image: \(path): is not a regular file, which --resume needs\n")
        }

        @Test func aLineWithoutAnEnd() async throws {
            try folder.file("results.jsonl", [UInt8](repeating: 0x20, count: 65 << 20))
            let result = try await run(samples)
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("line 1 is too long for an answer of --json; the file was not changed"))
        }

        @Test func aFileThatCannotGrow() async throws {
            let shell = ProgramRunner(
                executable: "/bin/bash",
                leading: ["-c", "ulimit -f 0; exec \"$0\" \"$@\"", ProgramTests.decodeImage.executable])
            let result = try await shell(["--json", "--resume", results, samples[0]])
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("decode-image: \(results): cannot be written: File too large"))
        }

        @Test func aNameThatIsNoUTF8() async throws {
            let name = Array("/tmp/".utf8) + [0xFF, 0xFE]
            for _ in 0..<2 {
                let result = try await ProgramTests.decodeImage(
                    ["--json", "--resume", results, "--files-from", "-"], input: name + [0x0A])
                #expect(result.ending == .exit(1) || result.messages.contains("1 picture skipped"))
            }
            #expect(try answers().count == 1)
        }

        @Test func pagesOfADocument() async throws {
            let path = try folder.file("pages.pdf", PDFDocument([.init(), .init(), .init()]).bytes)
            _ = try await run([path, samples[0]])
            let lines = try text.split(separator: "\n").map { $0 + "\n" }
            #expect(lines.count == 4)
            // One page is missing: all of its document's pages are decoded again, but not the picture.
            let pages = lines.filter { $0.contains("pages.pdf") }
            try write(lines.filter { !$0.contains("pages.pdf") }.joined() + pages[0] + pages[1])
            let result = try await run([path, samples[0]])
            #expect(result.messages.contains("1 picture skipped"))
            #expect(try text.split(separator: "\n").count == 4)
            #expect(try text.split(separator: "\n").count { $0.contains(#""page":2,"#) } == 1)
        }

        @Test func itGoesWithJSONOnly() async throws {
            let result = try await ProgramTests.decodeImage(["--resume", results, samples[0]])
            #expect(result.ending == .exit(64))
        }

        /// A list is not read ahead of its pictures: the program does not store the names.
        @Test func aListWithoutAnEnd() async throws {
            let silent = try folder.fifo("silent")
            let program = ProgramTests.decodeImage
            let name = String(repeating: "n", count: 99) + "\n"
            let result = try await onThread {
                let running = try program.start(["--json", "--jobs", "1", "--files-from", "-"])
                // There is no answer while this one is being read, so the following names wait.
                try running.send(silent + "\n")
                let writer = open(silent, O_WRONLY | O_CLOEXEC)
                var names = 0
                // Only as many as the pipe and the program can hold.
                while names < 100_000, running.takesInput(within: 500) {
                    try running.send(name)
                    names += 1
                }
                close(writer)
                return (names, try running.end())
            }
            #expect(result.0 < 100_000)
            #expect(result.1.lines.count == result.0 + 1)
        }
    }
}
