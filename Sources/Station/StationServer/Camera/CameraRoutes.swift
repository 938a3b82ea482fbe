internal import BarcodeCore
internal import BridgeDialects
internal import DecodeReports
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import StationDevices
internal import VideoCapture

/// `/camera`: its state, its settings, and readings on request.
struct CameraRoutes: Sendable {
    let scanService: ScanService
    let cameraPublisher: CameraPublisher
    let requests: RequestCoordinator

    private struct Change: Decodable {
        var path: String?
        var mode: String?
        var region: CameraDetails.Region?
        var controls: [String: Int]?
        /// Indicates whether the region is present: `null` resets it to the whole frame.
        var hasRegion: Bool

        enum Key: String, CodingKey, CaseIterable { case path, mode, region, controls }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            path = try object.decodeIfPresent(String.self, forKey: .path)
            mode = try object.decodeIfPresent(String.self, forKey: .mode)
            hasRegion = object.contains(.region)
            region = try object.decodeIfPresent(CameraDetails.Region.self, forKey: .region)
            controls = try object.decodeIfPresent([String: Int].self, forKey: .controls)
        }
    }

    private struct Trigger: Decodable {
        var timeout: Double?
        var formats: [String]?
    }

    func add(to group: RouteGroup) {
        group.get("camera", RouteDescription("camera", "The camera", answer: .data(.schema("Camera")))) { _, _ in
            Envelope.answer(data: await self.cameraPublisher.refreshed())
        }
        group.post(
            "camera",
            RouteDescription(
                "setCamera", "Sets the camera",
                body: .json(
                    .fields(optional: [
                        "path": ["type": "string"], "mode": ["enum": ["continuous", "trigger"]],
                        "region": ["oneOf": [["type": "null"], .schema("Region")]],
                        "controls": ["type": "object", "additionalProperties": ["type": "integer"]],
                    ])), answer: .data(.schema("Camera")),
                failures: [.badRequest, .notFound, .tooSlow, .tooLarge, .unreadable])
        ) { request, _ in
            let change = try JSONText.decode(Change.self, from: try await SmallBody.read(request, upTo: 16 << 10))
            try await self.apply(change)
            return Envelope.answer(data: await self.cameraPublisher.refreshed())
        }
        group.post(
            "camera/trigger",
            RouteDescription(
                "trigger", "Reads once",
                body: .json(
                    .fields(optional: [
                        "timeout": ["type": "number", "exclusiveMinimum": .integer(0), "maximum": .integer(300)],
                        "formats": .list(of: .schema("Format")),
                    ]), isRequired: false),
                answer: .data(.list(of: .schema("Symbol")), "What was read, perhaps nothing."),
                failures: [.badRequest, .tooSlow, .conflict, .tooLarge, .notNow])
        ) { request, _ in
            let body = try await SmallBody.read(request, upTo: 16 << 10)
            let trigger =
                body.isEmpty ? Trigger() : try JSONText.decode(Trigger.self, from: body)
            return Envelope.answer(data: try await self.read(trigger))
        }
    }

    /// Applies a change; everything is checked before anything is changed.
    private func apply(_ change: Change) async throws {
        let camera = cameraPublisher.camera
        var mode: StationCamera.Mode?
        if let name = change.mode {
            guard let known = StationCamera.Mode(rawValue: name) else {
                throw HTTPFailure.badRequest("bad_mode", "The mode must be continuous or trigger.")
            }
            mode = known
        }
        if let region = change.region {
            let values = [region.x, region.y, region.width, region.height]
            guard values.allSatisfy({ (0...1).contains($0) }), region.width > 0, region.height > 0,
                region.x + region.width <= 1.000_001, region.y + region.height <= 1.000_001
            else {
                throw HTTPFailure.badRequest(
                    "bad_region", "The region must be null or x, y, width and height as fractions of the frame, 0 to 1."
                )
            }
        }
        do throws(CaptureError) {
            if let path = change.path { try await camera.select(path: path) }
            for (name, value) in (change.controls ?? [:]).sorted(by: { $0.key < $1.key }) {
                try await camera.set(name, to: value)
            }
        } catch {
            throw HTTPFailure(
                error.code == .notFound ? .notFound : .unprocessableContent, error.code.rawValue,
                "The camera could not be configured: \(error.description).")
        }
        if let mode { camera.set(mode: mode) }
        if change.hasRegion {
            camera.set(
                region: change.region.map { Rectangle(x: $0.x, y: $0.y, width: $0.width, height: $0.height) })
        }
    }

    /// Reads a code like the page's button.
    ///
    /// Returns the reason if there is none; `nil` on success.
    func readNow() async -> String? {
        do {
            return try await read(Trigger()).isEmpty ? "no code was seen within 10 s" : nil
        } catch let failure as HTTPFailure {
            return failure.sentence
        } catch {
            return "\(error)"
        }
    }

    private func read(_ trigger: Trigger) async throws -> [SymbolRecord] {
        let timeout = trigger.timeout ?? 10
        guard timeout > 0, timeout <= 300 else {
            throw HTTPFailure.badRequest("bad_timeout", "The timeout must be greater than 0 and at most 300 seconds.")
        }
        let symbologies = try Symbology.symbologies(named: trigger.formats ?? [])
        guard cameraPublisher.camera.state.status != .none else {
            throw HTTPFailure(.conflict, "no_camera", "The station has no camera.")
        }
        guard let reading = try await requests.readNow(symbologies: symbologies, timeout: .seconds(timeout)) else {
            return []
        }
        _ = try await scanService.store(reading, answering: nil)
        return reading.symbols.map(SymbolRecord.init)
    }
}
