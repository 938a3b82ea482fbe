internal import BarcodeCore
internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import ScanEvents
internal import ScanOutbox

/// `/typed`: codes that a person, or a scan gun, typed into the station's page.
struct TypingRoutes: Sendable {
    let scanService: ScanService
    private let keys = UploadKeys()

    init(scanService: ScanService) {
        self.scanService = scanService
    }

    private struct Message: Decodable {
        var text: String
        /// The symbology, if one was chosen.
        var format: String?
        /// Indicates whether an invalid code is stored all the same.
        var isConfirmed: Bool?
        /// Indicates whether a scan gun typed it.
        var isGun: Bool?
        /// The time since it was typed, in seconds, if it is sent later.
        var age: Double?

        enum CodingKeys: String, CodingKey {
            case text
            case format
            case isConfirmed = "confirmed"
            case isGun = "gun"
            case age
        }
    }

    /// The maximum age of a code that is sent later, in seconds; an older one counts as read now.
    private static let longestAge = 366.0 * 86400

    private struct CodeProblem: Encodable {
        var reason: String
        var expected: OrNull<String>
    }

    private struct Stored: Encodable {
        /// The stored scan; null for a badge or a place code, which create no event.
        var scan: OrNull<ScanRecord>
    }

    func add(to group: RouteGroup) {
        group.post(
            "typed",
            RouteDescription(
                "typedCode", "Stores a code that was typed",
                parameters: [
                    .header("Idempotency-Key", "An idempotency key for retries.", ["type": "string"])
                ],
                body: .json(
                    .fields(
                        ["text": ["type": "string"]],
                        optional: [
                            "format": .schema("Format"),
                            "confirmed": [
                                "type": "boolean", "description": "Keeps a code whose check digit is wrong.",
                            ], "gun": ["type": "boolean", "description": "A scan gun has typed it."],
                            "age": [
                                "type": "number", "minimum": .integer(0),
                                "description": "The age in seconds of a code that is sent later.",
                            ],
                        ])), answer: .data(.fields(["scan": ["oneOf": [["type": "null"], .schema("Record")]]])),
                failures: [.badRequest, .conflict, .tooLarge, .unreadable, .notNow])
        ) { request, _ in
            let key = try request.idempotencyKey
            let body = try await SmallBody.read(request, upTo: 8 * TypedCode.maximumBytes)
            return try await self.take(try JSONText.decode(Message.self, from: body), key: key)
        }
    }

    private func take(_ message: Message, key: String?) async throws -> Response {
        guard message.text.utf8.count <= TypedCode.maximumBytes else {
            throw HTTPFailure(
                .contentTooLarge, "too_large", "The code is longer than \(TypedCode.maximumBytes) bytes.")
        }
        let symbology = try message.format.map { try Symbology.symbologies(named: [$0]) }?.first
        let isGun = message.isGun == true
        let code = TypedCode(message.text, symbology: symbology)
        guard !code.symbol.text.isEmpty else {
            throw HTTPFailure.badRequest("empty_text", "Nothing was typed.")
        }
        // A gun has already verified the check digit.
        if !isGun, message.isConfirmed != true, let problem = code.problem {
            return Envelope.answer(
                status: .unprocessableContent, isSuccess: false, sentence: problem.sentence,
                data: CodeProblem(reason: problem.code.rawValue, expected: OrNull(problem.expected)))
        }
        let symbol =
            isGun
            ? ScannedSymbol(scanned: Array(message.text.utf8), symbologyIdentifier: nil) : code.symbol
        return try await keys.enter(key) {
            // A retry of an upload that was stored, but whose response was lost.
            var event = try await key.asyncMap { try await scanService.events(ofUpload: $0) }?.first
            if event == nil {
                // The page sends an age instead of a time, because its clock may differ.
                let age = message.age.flatMap { (0...Self.longestAge).contains($0) ? $0 : nil }
                let time = age.map { Date(timeIntervalSinceNow: -$0) }
                event = try await scanService.store(typed: symbol, isGun: isGun, key: key, time: time)
            }
            guard let event else { return Envelope.answer(data: Stored(scan: OrNull(nil))) }
            // The code is on disk, even if its record cannot be read now.
            let record = try? await scanService.outbox.event(event.id)
            return Envelope.answer(data: Stored(scan: OrNull(record.map(ScanRecord.init))))
        }
    }
}

extension Optional {
    /// Maps the value with an asynchronous transformation; `nil` stays `nil`.
    fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
