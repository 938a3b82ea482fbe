import Foundation
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// `decode-image --worker` and `--pool`, as programs in other languages use them.
    @Suite struct PoolModeTests {
        struct Reply: Decodable {
            var schema: Int
            var id: Int
            var report: Answer
        }

        private let qr = Samples.path("qr.png")

        private func bytes(_ path: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }

        private func request(_ id: Int, _ fields: String, _ bytes: [UInt8]? = nil) -> [UInt8] {
            let count = bytes.map { #","bytes":\#($0.count)"# } ?? ""
            return Array(#"{"schema":2,"id":\#(id),\#(fields)\#(count)}"#.utf8) + [0x0A] + (bytes ?? [])
        }

        private func path(_ path: String) -> String { #""path":"\#(Data(path.utf8).base64EncodedString())""# }

        private func replies(_ result: ProgramResult) throws -> [Int: Reply] {
            let replies = try result.lines.map { try JSONDecoder().decode(Reply.self, from: Data($0.utf8)) }
            #expect(replies.count == Set(replies.map(\.id)).count)
            return Dictionary(replies.map { ($0.id, $0) }) { one, _ in one }
        }

        static let modes: [[String]] = [["--worker"], ["--pool", "--jobs", "2"]]

        @Test(arguments: modes) func bytesPixelsAndPaths(_ mode: [String]) async throws {
            let picture = try bytes(qr)
            // "P5 96 58 255" and the pixels.
            let gray = try bytes(Samples.path("ean8.pgm"))
            let header = try #require(String(bytes: gray.prefix(20), encoding: .isoLatin1))
            let numbers = header.split(whereSeparator: \.isWhitespace).dropFirst().prefix(3).compactMap { Int($0) }
            let pixels = Array(gray.suffix(numbers[0] * numbers[1]))
            let shape = #""name":"ZnJhbWU=","gray":{"width":\#(numbers[0]),"height":\#(numbers[1])}"#
            let input =
                request(1, path(qr)) + request(2, #""effort":"fast""#, picture) + request(3, shape, pixels)
                + request(4, #""effort":"heroic""#, picture) + request(5, shape, Array(pixels.dropLast()))
                + request(6, #""maximumFileBytes":9"#, picture) + request(7, #""effort":"normal""#, picture)
                + request(8, #""effort":"normal""#, [])
            let result = try await ProgramTests.decodeImage(mode, input: input)
            let replies = try replies(result)
            #expect(
                replies.mapValues(\.report.outcome) == [
                    1: "https://example.org/quietzone", 2: "https://example.org/quietzone", 3: "96385074",
                    4: "invalid_request", 5: "invalid_request", 6: "too_large", 7: "https://example.org/quietzone",
                    8: "empty_file",
                ])
            #expect(replies[3]?.report.source == "frame")
            #expect(replies.values.allSatisfy { $0.schema == 1 })
            #expect(result.ending == .exit(0))
        }

        /// A frame that is sent in pieces wakes both sides for each of them.
        @Test func thePipeOfAWorkerHoldsAFrame() async throws {
            let request = request(1, path(qr)).text
            let capacity = try await onThread {
                let running = try ProgramTests.decodeImage.start(["--worker"])
                try running.send(request)
                _ = running.line()
                defer { _ = try? running.end() }
                return running.inputCapacity
            }
            #expect(capacity == 1 << 20)
        }

        /// If root runs the program, its threads have priorities of their own, which a worker inherits.
        @Test func workersHaveThePriorityOfTheirProgram() async throws {
            let request = request(1, path(qr)).text
            var program = ProgramTests.decodeImage
            program.leading = ["-n", "7", program.executable]
            program.executable = "/usr/bin/nice"
            let (own, ofWorkers) = try await onThread { [program] in
                let running = try program.start(["--pool", "--jobs", "1"])
                try running.send(request)
                _ = running.line()
                let processes = [running.process] + running.children
                let priorities = processes.map { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t($0)) }
                _ = try running.end()
                return (priorities[0], Array(priorities[1...]))
            }
            #expect(own > 0)
            #expect(!ofWorkers.isEmpty && ofWorkers.allSatisfy { $0 == own })
        }

        @Test(arguments: modes) func whatIsNoRequestEndsIt(_ mode: [String]) async throws {
            let result = try await ProgramTests.decodeImage(
                mode, input: request(1, path(qr)) + Array("nonsense\n".utf8))
            #expect(try replies(result).mapValues(\.report.outcome) == [1: "https://example.org/quietzone"])
            #expect(result.ending == .exit(1))
            #expect(!result.messages.isEmpty)
        }

        /// Invalid numbers are an error of the request, not of its picture.
        @Test(arguments: modes) func requestsForNothing(_ mode: [String]) async throws {
            let input =
                request(1, path(qr) + #","maximumCount":-1"#) + request(2, path(qr) + #","maximumCount":0"#)
                + request(3, path(qr) + #","formats":[]"#) + request(4, path(qr) + #","maximumCount":1"#)
            let result = try await ProgramTests.decodeImage(mode, input: input)
            #expect(
                try replies(result).mapValues(\.report.outcome) == [
                    1: "invalid_request", 2: "invalid_request", 3: "invalid_request",
                    4: "https://example.org/quietzone",
                ])
            #expect(result.ending == .exit(0))
        }

        @Test(arguments: modes) func theLastLineNeedsNoLineFeed(_ mode: [String]) async throws {
            let input = (request(1, path(qr)) + request(2, path(qr))).dropLast()
            let result = try await ProgramTests.decodeImage(mode, input: Array(input))
            #expect(try replies(result).keys.sorted() == [1, 2])
            #expect(result.ending == .exit(0))
            // Half of a request is not a request.
            let half = try await ProgramTests.decodeImage(mode, input: Array(input.dropLast(5)))
            #expect(try replies(half).keys.sorted() == [1])
            #expect(half.ending == .exit(1) && !half.messages.isEmpty)
        }

        @Test(arguments: modes) func bytesThatDoNotCome(_ mode: [String]) async throws {
            let frame = request(2, #""effort":"normal""#, try bytes(qr))
            let result = try await ProgramTests.decodeImage(mode, input: request(1, path(qr)) + frame.dropLast(9))
            #expect(try replies(result).mapValues(\.report.outcome) == [1: "https://example.org/quietzone"])
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("the input ends after"))
        }

        /// A picture that kills a worker only costs itself, whether sent as a path or as bytes.
        @Test func poison() async throws {
            let folder = try TemporaryFolder()
            let silent = try folder.fifo("silent")
            let large = Pictures.pngBomb(width: 10_000, height: 10_000)
            var input: [UInt8] = []
            for id in 0..<20 { input += request(id, #""effort":"normal""#, try bytes(qr)) }
            input += request(20, path(silent)) + request(21, #""effort":"normal""#, large)
            for id in 22..<42 { input += request(id, #""effort":"normal""#, try bytes(qr)) }
            let result = try await ProgramTests.decodeImage(
                ["--pool", "--jobs", "2", "--worker-megabytes", "64", "--timeout", "10"], input: input)
            let outcomes = try replies(result).mapValues(\.report.outcome)
            #expect(outcomes.count == 42)
            for (id, outcome) in outcomes {
                #expect(outcome == ([20: "timed_out", 21: "out_of_memory"][id] ?? "https://example.org/quietzone"))
            }
            #expect(result.ending == .exit(0))
        }

        @Test func theMessagesContent() async throws {
            let sample = Samples.path("data-matrix-gs1.png")
            let result = try await ProgramTests.decodeImage(["--pool", "--content"], input: request(1, path(sample)))
            #expect(result.lines.count == 1 && result.text.contains(#""kind":"gs1""#), "\(result.text)")
        }

        @Test(
            arguments: modes,
            [
                ("junk", "it is not a JSON object"), ("[]", "it is not a JSON object"),
                (#"{"id":1}"#, "the field path is missing"), (#"{"id":"one"}"#, "the field id has an invalid value"),
                (#"{"id":1,"path":"","formats":[3]}"#, "the field formats has an invalid value"),
            ])
        func linesThatAreNotRequests(_ mode: [String], _ test: (line: String, fault: String)) async throws {
            let result = try await ProgramTests.decodeImage(mode, input: Array((test.line + "\n").utf8))
            #expect(result.ending == .exit(1) && result.output.isEmpty)
            #expect(
                result.messages.hasSuffix(": a line is not a valid request: \(test.fault)\n"), "\(result.messages)")
        }

        @Test(arguments: ["--worker", "--pool"]) func unknownOptions(_ mode: String) async throws {
            let result = try await ProgramTests.decodeImage([mode, "--foo"])
            #expect(result.ending == .exit(64))
            #expect(result.messages.contains("Usage: decode-image \(mode) "), "\(result.messages)")
        }

        @Test func aReaderThatGoesAwayEndsIt() async throws {
            let input = request(1, path(qr))
            let result = try await onThread {
                let running = try ProgramTests.decodeImage.start(["--pool", "--jobs", "1"])
                running.closeOutput()
                return try running.end(input: input)
            }
            #expect(result.ending == .exit(1))
        }
    }
}
