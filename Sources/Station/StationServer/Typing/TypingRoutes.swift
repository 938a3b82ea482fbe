internal import BarcodeCore
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import ScanEvents
internal import ScanOutbox

/// `/typed`: codes that a person has typed into the station's page, and those that a scan gun typed there.
struct TypingRoutes: Sendable {
    let scanService: ScanService
    private let keys = UploadKeys()

    init(scanService: ScanService) {
        self.scanService = scanService
    }

    private struct Message: Decodable {
        var text: String
        /// The symbology, where it was chosen.
        var format: String?
        /// Whether a code that is wrong is kept all the same.
        var isConfirmed: Bool?
        /// Whether a scan gun has typed it.
        var isGun: Bool?
        /// The seconds since it was typed, if it is sent later.
        var age: Double?

        enum CodingKeys: String, CodingKey {
            case text
            case format
            case isConfirmed = "confirmed"
            case isGun = "gun"
            case age
        }
    }

    /// The greatest age of a code that is sent later, in seconds; an older one counts as read now.
    private static let longestAge = 366.0 * 86400

    private struct Wrong: Encodable {
        var reason: String
        var expected: OrNull<String>
    }

    private struct Stored: Encodable {
        /// Null of a badge or the code of a place, which make no event.
        var scan: OrNull<ScanRecord>
    }

    func add(to group: RouterGroup<StationContext>) {
        group.post("typed") { request, _ in
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
        // A gun has checked what it has read.
        if !isGun, message.isConfirmed != true, let problem = code.problem {
            return Envelope.answer(
                status: .unprocessableContent, isSuccess: false, sentence: problem.sentence,
                data: Wrong(reason: problem.code.rawValue, expected: OrNull(problem.expected)))
        }
        let symbol =
            isGun
            ? ScannedSymbol(scanned: Array(message.text.utf8), symbologyIdentifier: nil) : code.symbol
        return try await keys.enter(key) {
            // Sent before, and stored; the answer was lost on its way.
            var event = try await key.asyncMap { try await scanService.events(ofUpload: $0) }?.first
            if event == nil {
                // By its age, since the page's clock may be another one.
                let age = message.age.flatMap { (0...Self.longestAge).contains($0) ? $0 : nil }
                let time = age.map { Date(timeIntervalSinceNow: -$0) }
                event = try await scanService.store(typed: symbol, isGun: isGun, key: key, time: time)
            }
            guard let event else { return Envelope.answer(data: Stored(scan: OrNull(nil))) }
            // It is on the disk, also where its record cannot be read now.
            let record = try? await scanService.outbox.event(event.id)
            return Envelope.answer(data: Stored(scan: OrNull(record.map(ScanRecord.init))))
        }
    }
}

extension Optional {
    /// The value that an asynchronous transformation makes; nil of nil.
    fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
