import Foundation
import TestSupport
import Testing

extension ProgramTests {
    /// Every sample gives the result that `expected.json` lists.
    @Suite struct SampleTests {
        @Test func thereAreSamples() {
            #expect(Samples.all.count > 50)
        }

        @Test(arguments: Samples.all) func alone(_ sample: Sample) async throws {
            let result = try await decodeImage(["--json", Samples.path(sample.file)])
            let answer = try result.answer()
            #expect(answer.contents == sample.contents)
            #expect(answer.symbols.count == sample.symbols.count)
            #expect(answer.error == nil && !answer.truncated)
            for symbol in sample.symbols {
                guard let bytes = symbol.bytesBase64 else { continue }
                #expect(answer.symbols.map(\.rawBytes).contains(bytes))
            }
            #expect(result.ending == .exit(sample.symbols.isEmpty ? 4 : 0))
            #expect(result.messages == "")
        }

        @Test func allInOneRun() async throws {
            let result = try await decodeImage(["--json"] + Samples.all.map { Samples.path($0.file) })
            let answers = try result.answers()
            #expect(answers.count == Samples.all.count)
            #expect(result.lines.count == Samples.all.count)
            for sample in Samples.all {
                let answer = try #require(answers[Samples.path(sample.file)])
                #expect(answer.contents == sample.contents, "\(sample.file)")
                for symbol in sample.symbols {
                    guard let bytes = symbol.bytesBase64 else { continue }
                    #expect(answer.symbols.map(\.rawBytes).contains(bytes), "\(sample.file)")
                }
            }
            #expect(result.ending == .exit(4))
        }

        struct StatusCase: CustomTestStringConvertible, Sendable {
            var label: String
            var arguments: [String]
            var status: Int32
            var testDescription: String { label }
        }

        static let good = Samples.path("qr.png")
        static let none = Samples.path("no-code.jpg")

        static let statusCases: [StatusCase] = [
            .init(label: "a symbol", arguments: [good], status: 0),
            .init(label: "a symbol in each", arguments: [good, Samples.path("ean8.png")], status: 0),
            .init(label: "no symbol", arguments: [none], status: 4),
            .init(label: "no symbol in one", arguments: [good, none], status: 4),
            .init(label: "unreadable", arguments: ["/nowhere"], status: 1),
            .init(label: "one unreadable", arguments: [good, "/nowhere"], status: 1),
            .init(label: "one unreadable, one without", arguments: ["/nowhere", none], status: 1),
            .init(label: "list missing", arguments: ["--files-from", "/nowhere"], status: 1),
            .init(label: "list missing, picture there", arguments: ["--files-from", "/nowhere", good], status: 1),
            .init(label: "nothing named", arguments: [], status: 64),
            .init(label: "options only", arguments: ["--json"], status: 64),
            .init(label: "unknown option", arguments: ["--frobnicate", good], status: 64),
            .init(label: "two forms", arguments: ["--json", "--xml", good], status: 64),
            .init(label: "NUL in JSON", arguments: ["--json", "--null", good], status: 64),
            .init(label: "two lists", arguments: ["--files-from", "a", "--files0-from", "b"], status: 64),
            .init(label: "standard input twice", arguments: ["-", "--files-from", "-"], status: 64),
            .init(label: "two pictures on standard input", arguments: ["-", "-"], status: 64),
            .init(label: "no time", arguments: ["--timeout", "0", good], status: 64),
            .init(label: "time that is not a number", arguments: ["--timeout", "soon", good], status: 64),
            .init(label: "no jobs", arguments: ["--jobs", "0", good], status: 64),
            .init(label: "too many jobs", arguments: ["--jobs", "1025", good], status: 64),
            .init(label: "unknown format", arguments: ["--formats", "rm4scc", good], status: 64),
            .init(label: "no format", arguments: ["--formats", ",", good], status: 64),
            .init(label: "unknown effort", arguments: ["--effort", "heroic", good], status: 64),
            .init(label: "tiny workers", arguments: ["--worker-megabytes", "63", good], status: 64),
            .init(label: "no pixels", arguments: ["--max-megapixels", "0", good], status: 64),
        ]

        @Test(arguments: statusCases) func exitStatus(_ test: StatusCase) async throws {
            let result = try await decodeImage(test.arguments)
            #expect(result.ending == .exit(test.status), "\(result.messages)")
            #expect(result.messages.isEmpty == (result.ending == .exit(0)) || test.arguments.count > 1)
        }

        @Test("A picture in which nothing is read is named, and what may help") func nothingRead() async throws {
            let name = ProgramRunner.samplesFolder + "no-code.jpg"
            let said = "decode-image: \(name): no symbol was read"
            #expect(try await decodeImage([name]).messages == "\(said); --explain FOLDER shows why\n")
            #expect(try await decodeImage(["--quiet", name]).messages.isEmpty)
            let folder = try TemporaryFolder()
            #expect(try await decodeImage(["--explain", folder.path + "/why", name]).messages == "\(said)\n")
            let part = folder.path + "/part.png"
            let whole = try Data(contentsOf: URL(filePath: ProgramRunner.samplesFolder + "qr.png"))
            try whole.prefix(whole.count * 2 / 3).write(to: URL(filePath: part))
            let result = try await decodeImage([part])
            #expect(result.ending == .exit(4))
            #expect(result.messages.contains("the file is cut off, and no symbol was read"))
        }
    }
}
