internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Takes the body of a request into files, within limits of size and time.
struct UploadReceiver: Sendable {
    /// The folder of the files.
    var folder: String
    /// The most bytes of a body.
    var mostBytes: Int
    /// How long a body may take to arrive.
    var patience: Duration

    /// The pictures of a request: its body, or the parts of it that are called `file`.
    ///
    /// - Throws: ``HTTPFailure``: 400 for a form that is none, 408, 413, 415.
    func receive(_ request: Request, _ context: StationContext) async throws -> [UploadFile] {
        do {
            return try await receiveOrThrow(request)
        } catch let failure as HTTPFailure {
            // Whoever goes on sending is not listened to; a moment, so that the answer is not lost with the rest.
            let channel = context.channel
            channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
            throw failure.closing
        }
    }

    private func receiveOrThrow(_ request: Request) async throws -> [UploadFile] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > mostBytes { throw tooLarge }
        return try await withThrowingTaskGroup(of: [UploadFile]?.self) { group in
            group.addTask { try await self.read(request) }
            group.addTask {
                try await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let files = try await group.next() ?? nil else {
                throw HTTPFailure(
                    .requestTimeout, "too_slow", "The body took longer than \(patience.components.seconds) s to arrive."
                )
            }
            return files
        }
    }

    private func read(_ request: Request) async throws -> [UploadFile] {
        let type = request.headers[.contentType] ?? "application/octet-stream"
        let value = HeaderValue(type).value
        if value == "multipart/form-data" { return try await readForm(request, type: type) }
        guard value.hasPrefix("image/") || value == "application/octet-stream" else {
            throw HTTPFailure(
                .unsupportedMediaType, "media_type",
                "Send a picture: image/..., application/octet-stream, or multipart/form-data with parts named file.")
        }
        let file = try UploadFile(folder: folder, name: request.query["name"].map { String($0.prefix(255)) })
        var total = 0
        for try await buffer in request.body {
            total += buffer.readableBytes
            if total > mostBytes { throw tooLarge }
            try await file.append(Array(buffer.readableBytesView))
        }
        if total == 0 { throw HTTPFailure.badRequest("empty_body", "The body is empty; send the bytes of a picture.") }
        return [file]
    }

    private func readForm(_ request: Request, type: String) async throws -> [UploadFile] {
        var files: [UploadFile] = []
        var total = 0
        do {
            var parser = try MultipartParser(contentType: type)
            var current: UploadFile?
            for try await buffer in request.body {
                total += buffer.readableBytes
                if total > mostBytes { throw tooLarge }
                for output in try parser.feed(buffer.readableBytesView) {
                    switch output {
                    case .begin(let name, let filename):
                        let isFile = name == "file"
                        current =
                            isFile ? try UploadFile(folder: folder, name: filename.map { String($0.prefix(255)) }) : nil
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
        if files.isEmpty { throw HTTPFailure.badRequest("no_file", "The form has no part that is called file.") }
        return files
    }

    private var tooLarge: HTTPFailure {
        HTTPFailure(.contentTooLarge, "too_large", "The body is larger than \(mostBytes >> 20) MiB.")
    }
}

extension HTTPFailure {
    /// The failure, after which the connection is closed.
    fileprivate var closing: HTTPFailure {
        var failure = self
        failure.headers[.connection] = "close"
        return failure
    }
}

extension MultipartParser.Failure {
    fileprivate var sentence: String {
        switch self {
        case .noBoundary: "The form's Content-Type names no boundary."
        case .tooManyParts: "The form has more than \(MultipartParser.mostParts) parts; send fewer at once."
        case .headTooLarge: "The head of a part is longer than \(MultipartParser.mostHeadBytes) bytes."
        case .badHead: "The form cannot be read: a boundary or the head of a part is malformed."
        case .cutOff: "The form ends before its last boundary."
        }
    }
}
