import BarcodeCore
import DecodeReports
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import DecodeWorkers

/// Pictures whose bytes are sent with the request.
@Suite struct SentBytesTests {
    /// Calls `body` with a reader for bytes that were written to a pipe, whose writing end is then closed.
    private func withReader<Result>(
        of bytes: [UInt8], _ body: (inout WorkerInputReader) throws -> Result
    ) throws -> Result {
        let folder = try TemporaryFolder()
        let path = try folder.file("input", bytes)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var reader = WorkerInputReader(descriptor: descriptor)
        return try body(&reader)
    }

    @Test func linesAndBytesInTurn() throws {
        // Longer than one read, and with line feeds inside.
        let picture = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let input = Array("one\n".utf8) + picture + Array("two\n".utf8) + picture + Array("three\nrest".utf8)
        try withReader(of: input) { reader in
            #expect(try reader.line() == Array("one".utf8))
            #expect(try reader.bytes(picture.count) == picture)
            #expect(try reader.line() == Array("two".utf8))
            try reader.skip(picture.count)
            #expect(try reader.line() == Array("three".utf8))
            #expect(try reader.line() == Array("rest".utf8))
            #expect(try reader.line() == nil)
        }
    }

    @Test func anOpenFileThatComesWithALine() async throws {
        let folder = try TemporaryFolder()
        let (channel, input) = try RequestChannel.open()
        defer {
            channel.close()
            close(input.rawValue)
        }
        var reader = WorkerInputReader(descriptor: input.rawValue)
        for content in ["first", "second"] {
            let path = PictureName(try folder.file("file", Array(content.utf8)))
            try await channel.send(Array("line\n".utf8), nil, file: path)
            #expect(try reader.line() == Array("line".utf8))
            let passed = reader.takePassedFile()
            let file = try #require(passed)
            defer { close(file) }
            #expect(fcntl(file, F_GETFD) == FD_CLOEXEC)
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = read(file, &bytes, bytes.count)
            #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == content)
            let more = reader.takePassedFile()
            #expect(more == nil)
        }
        let error = await #expect(throws: DecodeError.self) {
            try await channel.send(Array("not sent\n".utf8), nil, file: PictureName(folder["missing"]))
        }
        #expect(error?.code == .notFound && error?.subject == folder["missing"])
        try await channel.send(Array("bytes\n".utf8), [1, 2, 3], file: nil)
        #expect(try reader.line() == Array("bytes".utf8))
        let none = reader.takePassedFile()
        #expect(none == nil)
        #expect(try reader.bytes(3) == [1, 2, 3])
        channel.close()
        #expect(try reader.line() == nil)
    }

    @Test func anInputThatEndsTooEarly() throws {
        let message = "the input ends after 5 of the 9 bytes of a picture"
        for isSkipped in [false, true] {
            let error = #expect(throws: DecodeError.self) {
                try withReader(of: Array("12345".utf8)) { reader in
                    if isSkipped { try reader.skip(9) } else { _ = try reader.bytes(9) }
                }
            }
            #expect(error?.code == .invalidRequest && error?.message == message)
        }
    }

    @Test func aLineWithoutAnEnd() throws {
        let error = #expect(throws: DecodeError.self) {
            try withReader(of: [UInt8](repeating: 0x20, count: WorkerInputReader.maximumLineBytes + 100_000)) {
                reader in
                _ = try reader.line()
            }
        }
        #expect(error?.message == "the input has a line of more than 1048576 bytes, which is not a valid request")
    }

    struct Layout: CustomTestStringConvertible, Sendable {
        var layout: GrayLayout
        var bytes: Int
        var code: DecodeError.Code?
        var testDescription: String { "\(layout) in \(bytes)" }
    }

    static let layouts: [Layout] = [
        .init(layout: GrayLayout(width: 3, height: 2), bytes: 6),
        .init(layout: GrayLayout(width: 3, height: 2, bytesPerRow: 5), bytes: 8),
        .init(layout: GrayLayout(width: 3, height: 2, bytesPerRow: 5), bytes: 7, code: .invalidRequest),
        .init(layout: GrayLayout(width: 3, height: 2, bytesPerRow: 2), bytes: 100, code: .invalidRequest),
        .init(layout: GrayLayout(width: 3, height: 2, bytesPerRow: .max), bytes: 100, code: .invalidRequest),
        .init(layout: GrayLayout(width: 3, height: 2, bytesPerRow: -1), bytes: 100, code: .invalidRequest),
        .init(layout: GrayLayout(width: 0, height: 2), bytes: 100, code: .corrupt),
        .init(layout: GrayLayout(width: 3, height: -2), bytes: 100, code: .corrupt),
        .init(layout: GrayLayout(width: 70_000, height: 1), bytes: 70_000, code: .tooLarge),
        .init(layout: GrayLayout(width: .max, height: .max), bytes: 0, code: .tooLarge),
    ]

    @Test(arguments: layouts) func pixelsAsTheyStand(_ test: Layout) throws {
        let bytes = (0..<test.bytes).map { UInt8(truncatingIfNeeded: $0) }
        let image = bytes.withUnsafeBytes { bytes in
            Result { () throws(DecodeError) in try test.layout.image(in: bytes, limits: Limits()) }
        }
        switch image {
        case .success(let image):
            #expect(test.code == nil)
            let last = (test.layout.height - 1) * test.layout.bytesPerRow + test.layout.width - 1
            #expect(image[x: test.layout.width - 1, y: test.layout.height - 1] == UInt8(last))
        case .failure(let error): #expect(error.code == test.code)
        }
    }

    @Test func aRequestWithBytesComesBackAsItWas() throws {
        var request = WorkerRequest(
            bytes: [1, 2, 3], gray: GrayLayout(width: 1, height: 3), name: PictureName("frame 7"),
            options: DecodeOptions(symbologies: [.qrCode]))
        let line = try JSONLine.encode(WorkerRequestLine(id: 12, request))
        #expect(
            String(decoding: line, as: UTF8.self) == """
                {"bytes":3,"effort":"normal","formats":["qr_code"],"gray":{"height":3,"stride":1,"width":1},"id":12,\
                "maximumFileBytes":268435456,"maximumPixels":200000000,"maximumSide":65535,"name":"ZnJhbWUgNw==",\
                "schema":2}

                """)
        guard case .request(12, let back, 3) = try WorkerProtocol.parse(line) else {
            Issue.record("it is refused")
            return
        }
        request.bytes = nil
        #expect(back == request)
    }

    /// Omitted fields have the defaults of `decode-image`.
    @Test func theShortestRequests() throws {
        for line in [#"{"id":1,"path":"YQ=="}"#, #"{"schema":2,"id":1,"path":"YQ=="}"#] {
            guard case .request(1, let request, nil) = try WorkerProtocol.parse(Array(line.utf8)) else {
                Issue.record("it is refused")
                continue
            }
            #expect(request == WorkerRequest(path: PictureName("a")))
        }
    }

    @Test(arguments: [
        (#"{"schema":2,"id":1,"bytes":-5}"#, "was sent with the invalid length of -5 bytes", 0),
        (
            #"{"schema":2,"id":1,"bytes":9,"maximumFileBytes":8}"#, "the file has 9 bytes; the limit is 8 bytes",
            9
        ),
        (
            #"{"schema":2,"id":1,"bytes":9,"effort":"heroic"}"#,
            "was requested with the unknown effort 'heroic'; the efforts are fast, normal, thorough", 9
        ),
        (
            #"{"schema":9,"id":1,"bytes":7}"#,
            "was requested by version 9 of the worker protocol; this worker supports versions 1 and 2: start a "
                + "worker of the same program", 7
        ),
    ])
    func bytesThatArePassedOver(_ line: String, _ message: String, _ bytes: Int) throws {
        guard case .refusal(let reply, let skipped) = try WorkerProtocol.parse(Array(line.utf8)) else {
            Issue.record("it is not refused")
            return
        }
        #expect(reply.id == 1 && reply.report.error?.message == message && skipped == bytes)
    }

    /// A worker of version 1 would read the bytes as lines, so version 1 requests must not have any.
    @Test func bytesAreOfTheSecondVersion() {
        #expect(throws: DecodeError(.invalidRequest, "a line is not a valid request: the field path is missing")) {
            try WorkerProtocol.parse(Array(#"{"schema":1,"id":1,"bytes":5}"#.utf8))
        }
    }
}
