internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import Metrics
internal import NIOCore
internal import ScanEvents
internal import ScanOutbox
internal import StationDevices

/// `/health` and `/metrics`: the station's health, in numbers without any content of codes.
struct StatusRoutes: Sendable {
    let scanService: ScanService
    let camera: StationCamera
    let requests: RequestCoordinator
    let uploads: UploadLimiter
    let uploadFolder: UploadFolder
    let connections: ConnectionLimiter
    /// All metrics in the Prometheus text format.
    let metrics: @Sendable () -> String

    private struct Health: Encodable {
        struct Outbox: Encodable {
            struct Destination: Encodable {
                var pending: Int
                var delivered: Int
                var dead: Int
                var disabledDeliveries: Int
                var oldestPending: OrNull<String>
                var disabled: Bool
            }

            var events: Int
            var destinations: [String: Destination]
            var writable: Bool
        }

        var status: String
        var outbox: OrNull<Outbox>
        var camera: String
        var uploads: Int
        var uploadsWritable: Bool
        var requests: Int
        var listeners: Int
    }

    func addHealth(to group: RouteGroup) {
        group.get(
            "health",
            RouteDescription(
                "health", "Whether the station is well", answer: .data(.schema("Health")),
                otherAnswers: [
                    .data(
                        .schema("Health"), status: .serviceUnavailable,
                        "Scans cannot be saved, or pictures cannot be taken.")
                ])
        ) { _, _ in await self.health() }
    }

    func addMetrics(to group: RouteGroup) {
        group.get(
            "metrics",
            RouteDescription(
                "metrics", "Counts for Prometheus; from this machine without a token",
                answer: .file("Prometheus' text format 0.0.4.", ["text/plain": ["type": "string"]]))
        ) { request, context in
            let isLocal = context.isLoopback && request.headers[.origin] == nil
            guard isLocal || context.caller == .station else {
                throw HTTPFailure(
                    .unauthorized, "no_token", "Send the station's token as \"Authorization: Bearer\".",
                    headers: [.wwwAuthenticate: "Bearer"])
            }
            self.record()
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: self.metrics())))
        }
    }

    private func health() async -> Response {
        let status = try? await scanService.health.status(of: scanService.outbox)
        // A failure to store counts until the next success.
        let isWritable = status != nil && scanService.storeFailure == nil
        let cameraStatus = camera.state.status
        let takesPictures = uploadFolder.isWritable
        let isWell = isWritable && takesPictures && cameraStatus != .lost
        let health = Health(
            status: isWell ? "ok" : "degraded",
            outbox: OrNull(
                status.map { status in
                    Health.Outbox(
                        events: status.events,
                        destinations: status.destinations.mapValues { destination in
                            Health.Outbox.Destination(
                                pending: destination.counts[.pending] ?? 0,
                                delivered: destination.counts[.delivered] ?? 0,
                                dead: destination.counts[.dead] ?? 0,
                                disabledDeliveries: destination.counts[.disabled] ?? 0,
                                oldestPending: OrNull(destination.oldestPending?.rfc3339),
                                disabled: destination.disabled != nil)
                        }, writable: isWritable)
                }),
            camera: cameraStatus.rawValue, uploads: uploads.current, uploadsWritable: takesPictures,
            requests: requests.openCount, listeners: scanService.hub.clients.count)
        guard isWritable && takesPictures else {
            let sentence =
                isWritable
                ? "The station cannot accept pictures: the temporary folder is full or not writable."
                : "The station cannot save scans."
            return Envelope.answer(
                status: .serviceUnavailable, isSuccess: false, sentence: sentence, data: health)
        }
        return Envelope.answer(data: health)
    }

    /// Records the gauges, which are sampled whenever `/metrics` is requested.
    private func record() {
        let counts = camera.counts
        for (name, value) in [
            ("scan_station_listeners", scanService.hub.clients.count),
            ("scan_station_uploads_under_way", uploads.current),
            ("scan_station_connections", connections.count), ("scan_station_requests_open", requests.openCount),
            ("scan_station_camera_frames", counts.frames),
            ("scan_station_camera_frames_decoded", counts.decoded),
            ("scan_station_camera_frames_failed", counts.failed),
            ("scan_station_camera_lost", counts.lost), ("scan_station_previews_encoded", counts.encoded),
            ("scan_station_camera_running", camera.state.status == .running ? 1 : 0),
        ] {
            Gauge(label: name).record(value)
        }
    }
}

/// A cache of the outbox's counts, refreshed at most once a second because the query reads the whole outbox.
actor HealthCache {
    private var last: (status: OutboxStatus, at: ContinuousClock.Instant)?
    /// The query that is under way, for which callers wait meanwhile.
    private var query: Task<OutboxStatus, any Error>?

    func status(of outbox: Outbox) async throws -> OutboxStatus {
        if let query { return try await query.value }
        if let last, last.at.duration(to: .now) < .seconds(1) { return last.status }
        let query = Task { try await outbox.status() }
        self.query = query
        defer { self.query = nil }
        let status = try await query.value
        last = (status, .now)
        return status
    }
}
