import DecodeReports
import DecodeWorkers
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Requests of another program, answered by workers that are shell scripts.
@Suite(.timeLimit(.minutes(10))) struct RequestServerTests {
    private struct Reply: Decodable {
        var id: Int
        var report: DecodeReport
    }

    private static func line(_ id: Int, name: String, _ behavior: Behavior) -> String {
        let encoded = Data(name.utf8).base64EncodedString()
        return #"{"id":\#(id),"name":"\#(encoded)","path":"\#(encoded)","maximumSide":\#(behavior.rawValue)}"#
    }

    /// Returns the replies to `lines`, ordered by number.
    private func replies(
        to lines: [String], workers: Int, timeout: Duration = .seconds(60), contentYear: Int? = nil
    ) async throws -> [Reply] {
        try await replyLines(to: lines, workers: workers, timeout: timeout, contentYear: contentYear)
            .map { try JSONLine.decode(Reply.self, from: $0) }
            .sorted { $0.id < $1.id }
    }

    /// Returns the lines of the replies to `lines`, in any order.
    private func replyLines(
        to lines: [String], workers: Int, timeout: Duration = .seconds(60), contentYear: Int? = nil
    ) async throws -> [ArraySlice<UInt8>] {
        // Files instead of pipes: programs that other tests start at the same time would inherit pipes.
        let folder = try TemporaryFolder()
        let input = try FileDescriptor.open(
            FilePath(try folder.file("requests", Array(lines.map { $0 + "\n" }.joined().utf8))), .readOnly)
        let output = try FileDescriptor.open(
            FilePath(folder["replies"]), .writeOnly, options: .create, permissions: .ownerReadWrite)
        defer { for descriptor in [input, output] { try? descriptor.close() } }
        let server = RequestServer(
            pool: FakeWorker.pool(workers: workers, timeout: timeout), window: 4, contentYear: contentYear)
        try await server.run(input: input.rawValue, output: output.rawValue)
        return try #require(readFile(folder["replies"])).split(separator: 0x0A)
    }

    /// Each request gets one reply with its own number, whether the worker's answer is forwarded or parsed.
    @Test(arguments: [nil, 2026]) func everyRequestIsAnsweredUnderItsNumber(contentYear: Int?) async throws {
        let behaviors = Behavior.allCases.filter { $0 != .answersNothing }
        // The client's numbers, counted down from 900, differ from the pool's own.
        let lines = behaviors.map { behavior in
            Self.line(900 - behavior.rawValue, name: "\(behavior)", behavior)
        }
        let replies = try await replies(to: lines, workers: 2, contentYear: contentYear)
        #expect(replies.map(\.id) == behaviors.map { 900 - $0.rawValue }.sorted())
        for reply in replies {
            let behavior = try #require(Behavior(rawValue: 900 - reply.id))
            #expect(reply.report.error?.code.rawValue == behavior.code, "\(behavior)")
            // The scripts name a picture by the base64 of its name.
            let name = "\(behavior)"
            #expect(reply.report.source == (behavior.code == nil ? Data(name.utf8).base64EncodedString() : name))
        }
    }

    /// Of two numbers in a worker's answer, another parser may take the other one, which is that of another picture.
    @Test func aReplyHasOneNumber() async throws {
        let lines = try await replyLines(to: [Self.line(7, name: "a", .answersUnderTwoNumbers)], workers: 1)
        #expect(lines.map { String(decoding: $0, as: UTF8.self).contains("999") } == [false])
    }

    @Test func whatHangsIsAnsweredAfterItsTime() async throws {
        let replies = try await replies(
            to: [Self.line(7, name: "a", .answersNothing)], workers: 1, timeout: .seconds(1))
        #expect(replies.map(\.id) == [7])
        #expect(replies.first?.report.error?.code == .timedOut)
    }
}
