internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Writes the body of a request to files, with limits of size and time.
struct UploadReceiver: Sendable {
    var folder: UploadFolder
    /// The maximum size of a body, in bytes.
    var maximumBytes: Int
    /// The timeout for a body.
    var timeout: Duration

    /// Returns the pictures of a request: its body, or the parts of a form named `file`.
    ///
    /// - Throws: ``HTTPFailure`` 400 for a malformed form, 408, 413 or 415.
    func receive(_ request: Request, _ context: StationContext) async throws -> [UploadFile] {
        let outcome: Outcome = try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { try await self.read(request) }
            group.addTask {
                try await Task.sleep(for: timeout)
                let seconds = timeout.components.seconds
                return .unfinished(
                    HTTPFailure(
                        .requestTimeout, "too_slow", "The body took longer than \(seconds) s to arrive.",
                        headers: [.connection: "close"]))
            }
            defer { group.cancelAll() }
            // The forced unwrap is safe: the group has two tasks.
            return try await group.next()!
        }
        switch outcome {
        case .files(let files): return files
        case .refused(let failure): throw failure
        case .unfinished(var failure):
            // The rest of the body is ignored. The short delay keeps the response from being lost with it.
            let channel = context.channel
            channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
            failure.headers[.connection] = "close"
            throw failure
        }
    }

    private enum Outcome: Sendable {
        case files([UploadFile])
        /// The body is invalid and was read to its end; otherwise a browser would not show the response.
        case refused(HTTPFailure)
        /// The body is invalid and has not ended.
        case unfinished(HTTPFailure)
    }

    private func read(_ request: Request) async throws -> Outcome {
        var body = Body(iterator: request.body.makeAsyncIterator(), maximum: maximumBytes)
        do {
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBytes {
                throw tooLarge
            }
            let type = request.headers[.contentType] ?? "application/octet-stream"
            let value = HeaderValue(type).value
            if value == "multipart/form-data" { return .files(try await readForm(&body, type: type)) }
            guard value.hasPrefix("image/") || ["application/pdf", "application/octet-stream"].contains(value) else {
                throw HTTPFailure(
                    .unsupportedMediaType, "media_type",
                    "Send a picture or document: image/..., application/pdf, application/octet-stream, or "
                        + "multipart/form-data with parts named file.")
            }
            let name = request.query["name"].map { String($0.prefix(255)) }
            return .files([try await readPicture(&body, name: name)])
        } catch let failure as HTTPFailure {
            return try await body.drain() ? .refused(failure) : .unfinished(failure)
        }
    }

    private func readPicture(_ body: inout Body, name: String?) async throws -> UploadFile {
        let file = try UploadFile(folder: folder, name: name)
        while let buffer = try await body.next() {
            if body.total > maximumBytes { throw tooLarge }
            try await file.append(Array(buffer.readableBytesView))
        }
        if body.total == 0 {
            throw HTTPFailure.badRequest("empty_body", "The body is empty; send the bytes of a picture.")
        }
        return file
    }

    private func readForm(_ body: inout Body, type: String) async throws -> [UploadFile] {
        var files: [UploadFile] = []
        do {
            var parser = try MultipartParser(contentType: type)
            var current: UploadFile?
            while let buffer = try await body.next() {
                if body.total > maximumBytes { throw tooLarge }
                for output in try parser.feed(buffer.readableBytesView) {
                    switch output {
                    case .begin("file", let filename):
                        current = try UploadFile(folder: folder, name: filename.map { String($0.prefix(255)) })
                    case .begin: current = nil
                    case .bytes(let bytes): try await current?.append(bytes)
                    case .end:
                        if let current { files.append(current) }
                        current = nil
                    }
                }
            }
            try parser.finish()
        } catch let failure as MultipartParser.Failure {
            throw HTTPFailure.badRequest("bad_form", failure.sentence)
        }
        if files.isEmpty { throw HTTPFailure.badRequest("no_file", "The form has no part named file.") }
        return files
    }

    /// A body as it arrives; the rest can be read and discarded.
    private struct Body {
        var iterator: RequestBody.AsyncIterator
        let maximum: Int
        var total = 0

        /// The discarded size limit, as a multiple of the maximum size.
        private static let maximumExcess = 8

        mutating func next() async throws -> ByteBuffer? {
            guard let buffer = try await iterator.next() else { return nil }
            total += buffer.readableBytes
            return buffer
        }

        /// Reads and discards the rest; false if it is too long.
        mutating func drain() async throws -> Bool {
            while try await next() != nil { if total > maximum * Self.maximumExcess { return false } }
            return true
        }
    }

    private var tooLarge: HTTPFailure {
        HTTPFailure(.contentTooLarge, "too_large", "The body is larger than \(maximumBytes >> 20) MiB.")
    }
}

extension MultipartParser.Failure {
    fileprivate var sentence: String {
        switch self {
        case .noBoundary: "The form's Content-Type has no boundary."
        case .tooManyParts: "The form has more than \(MultipartParser.maximumParts) parts; send fewer at once."
        case .headTooLarge: "The head of a part is longer than \(MultipartParser.maximumHeadBytes) bytes."
        case .badHead: "The form cannot be read: a boundary or the head of a part is malformed."
        case .cutOff: "The form ends before its last boundary."
        }
    }
}
