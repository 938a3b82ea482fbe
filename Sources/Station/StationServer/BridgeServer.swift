internal import BridgeDialects
public import DecodeReports
public import DecodeWorkers
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
public import Logging
internal import NIOCore
internal import NIOSSL
public import ScanDevices
public import ScanEvents
public import ServiceLifecycle
internal import StationApps
public import StationDevices

/// The station's HTTP server: its page, its routes and its events, see `docs/reference/http-api.md`.
public final class BridgeServer: Service {
    private let settings: BridgeSettings
    private let scanService: ScanService
    private let accessControl: AccessControl
    private let decode: @Sendable (WorkerRequest) async -> DecodeReport
    private let cameraPublisher: CameraPublisher
    private let devices: DeviceRegistry
    private let keyboards: TypingControl
    private let search = DeviceSearch()
    private let viewers = PreviewViewers()
    private let requests: RequestCoordinator
    private let connections: ConnectionLimiter
    private let uploadFolder: UploadFolder
    private let now: @Sendable () -> Duration
    private let metrics: @Sendable () -> String
    private let onListening: @Sendable (Int) -> Void
    private let logger: Logger

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - settings: the address, the limits and the authorized callers.
    ///   - scanService: stores scans and publishes them.
    ///   - camera: the camera for the preview, which also answers requests.
    ///   - devices: the scan guns and scales of the station; scans of guns come by ``accept(scanned:)``.
    ///   - keyboards: the switch for keyboard destinations; the page turns it on and off.
    ///   - decode: decodes a picture, in a worker process.
    ///   - metrics: returns all metrics in the Prometheus text format.
    ///   - logger: the log, which never contains the token.
    ///   - onListening: gets the port once the server listens.
    /// - Throws: ``UploadFolderError``.
    public init(
        settings: BridgeSettings, scanService: ScanService, camera: StationCamera,
        devices: DeviceRegistry = DeviceRegistry([]), keyboards: TypingControl = TypingControl(),
        decode: @escaping @Sendable (WorkerRequest) async -> DecodeReport,
        metrics: @escaping @Sendable () -> String = { "" }, logger: Logger,
        onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(UploadFolderError) {
        uploadFolder = try UploadFolder(settings.uploadFolder, maximumBytes: settings.maximumBodyBytes)
        self.settings = settings
        self.scanService = scanService
        self.devices = devices
        self.keyboards = keyboards
        self.decode = decode
        let start = ContinuousClock.now
        now = { start.duration(to: .now) }
        cameraPublisher = CameraPublisher(camera: camera, scanService: scanService)
        requests = RequestCoordinator(scanService: scanService, camera: camera, now: now)
        connections = ConnectionLimiter(
            ConnectionTable.Limits(
                maximum: settings.maximumConnections, maximumOfAddress: settings.maximumConnectionsOfAddress),
            now: now)
        self.logger = logger
        self.onListening = onListening
        self.metrics = metrics
        accessControl = AccessControl(
            token: settings.token, policy: settings.policy(port: settings.port),
            apps: settings.appFolder.map { AppFiles(AppStore(folder: $0)) }, now: { Date() },
            uptime: now)
    }

    /// Stores a scan of a gun and sends it to the page that waits for it.
    ///
    /// The scan is on disk when this returns.
    ///
    /// - Throws: an error if it could not be stored; no page gets the scan then.
    public func accept(scanned submission: ScanSubmission) async throws { try await requests.take(scanned: submission) }

    /// Reads a code with the camera now, and stores it, like the page's button.
    ///
    /// - Returns: a sentence with the reason if no code was read; `nil` on success.
    public func trigger() async -> String? {
        await CameraRoutes(scanService: scanService, cameraPublisher: cameraPublisher, requests: requests).readNow()
    }

    /// Serves until a graceful shutdown, which disconnects event clients and lets active requests finish.
    public func run() async throws {
        let application = try application()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.scanService.follow() }
            group.addTask { await self.scanService.lookups?.run() }
            group.addTask { await self.heartbeat() }
            group.addTask { await self.cameraPublisher.follow() }
            group.addTask { await DevicePublisher(devices: self.devices, scanService: self.scanService).follow() }
            group.addTask { await KeyboardPublisher(keyboards: self.keyboards, scanService: self.scanService).follow() }
            group.addTask {
                try await withGracefulShutdownHandler {
                    try await application.run()
                } onGracefulShutdown: {
                    self.search.stop()
                    self.requests.close()
                    self.viewers.close()
                    self.scanService.hub.close()
                }
                throw Finished()
            }
            // waitForAll() would be wrong here: the other tasks go on until the server has ended or one of them has
            // failed.
            do {
                while try await group.next() != nil {}
            } catch is Finished {}
            group.cancelAll()
        }
    }

    private struct Finished: Error {}

    /// Sends heartbeats, which keep idle connections open and detect broken ones.
    private func heartbeat() async {
        while (try? await Task.sleep(for: settings.heartbeat)) != nil {
            scanService.hub.heartbeat()
            endAbandonedRequests()
        }
    }

    /// Cancels the requests of pages that have disappeared: they neither listen to events nor send requests.
    private func endAbandonedRequests() {
        let listening = Set(scanService.hub.clients.compactMap(\.session))
        requests.cancel { session in
            !listening.contains(session) && accessControl.isSilent(session, for: settings.abandonment)
        }
    }

    func application() throws -> some ApplicationProtocol {
        let limiter = connections
        let timeout = TimeAmount(settings.headerTimeout)
        let http = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [ConnectionHandler(limiter: limiter, timeout: timeout)],
                idleTimeout: .seconds(75),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
        return Application(
            router: router(), server: try settings.tls.map { try .tls(http, tlsConfiguration: $0) } ?? http,
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address, port: settings.port)),
            onServerRunning: { [accessControl, settings, onListening] channel in
                let port = channel.localAddress?.port ?? settings.port
                accessControl.policy = settings.policy(port: port)
                onListening(port)
            },
            logger: logger)
    }

    /// Returns the routes, whose descriptions are added to `table`.
    func router(describedIn table: RouteTable = RouteTable()) -> Router<StationContext> {
        let router = Router(context: StationContext.self, options: [.autoGenerateHeadEndpoints])
        router.addMiddleware {
            ResponseMiddleware()
            AppMiddleware(accessControl: accessControl, dialects: settings.dialects)
            HostMiddleware(accessControl: accessControl)
            AuthenticationMiddleware(accessControl: accessControl)
        }
        func group(_ access: RouteAccess) -> RouteGroup { RouteGroup(router, access, accessControl, table) }
        let (forAnybody, forPages, forStation) = (group(.anybody), group(.pages), group(.station))
        let open = OpenRoutes(accessControl: accessControl, dialects: settings.dialects)
        open.addPageFiles(to: router)
        open.add(to: forAnybody)
        let uploads = UploadLimiter(maximum: settings.maximumUploads)
        PictureRoutes(
            scanService: scanService,
            receiver: UploadReceiver(
                folder: uploadFolder, maximumBytes: settings.maximumBodyBytes, timeout: settings.bodyTimeout),
            uploads: uploads, turns: DecodeTurns(workers: settings.workers), requests: requests, decode: decode
        ).add(to: group(.pictures))
        EventRoutes(scanService: scanService, keyboards: keyboards).add(to: forPages)
        let keyboardRoutes = KeyboardRoutes(keyboards: keyboards)
        keyboardRoutes.add(to: forStation)
        keyboardRoutes.addText(to: forPages)
        ScanRoutes(scanService: scanService).add(to: forStation)
        TypingRoutes(scanService: scanService).add(to: forStation)
        DeliveryRoutes(scanService: scanService).add(to: forStation)
        CountRoutes(scanService: scanService).add(to: forStation)
        WorkplaceRoutes(scanService: scanService).add(to: forStation)
        LookupRoutes(scanService: scanService).add(to: forStation)
        AppRoutes(accessControl: accessControl).add(to: forStation)
        PhoneRoutes(settings: settings, accessControl: accessControl).add(to: forStation)
        let bridge = BridgeRoutes(requests: requests, dialects: settings.dialects.filter(\.takesRequests))
        bridge.add(to: forPages)
        bridge.addList(to: forStation)
        CameraRoutes(scanService: scanService, cameraPublisher: cameraPublisher, requests: requests).add(to: forStation)
        let deviceRoutes = DeviceRoutes(devices: devices)
        deviceRoutes.add(to: forStation)
        deviceRoutes.addWeight(to: forPages)
        DeviceSetupRoutes(devices: devices, search: search, settings: settings.settingCodes).add(to: forStation)
        deviceRoutes.addConnection(to: group(.listedPages))
        let previews = PreviewRoutes(camera: cameraPublisher.camera, viewers: viewers, requests: requests)
        previews.addFrame(to: forPages)
        previews.addStream(to: forStation)
        let status = StatusRoutes(
            scanService: scanService, camera: cameraPublisher.camera, requests: requests, uploads: uploads,
            uploadFolder: uploadFolder,
            connections: connections,
            metrics: metrics)
        status.addHealth(to: forAnybody)
        status.addMetrics(to: group(.stationOrLocal))
        forAnybody.addDescription(for: settings.dialects)
        return router
    }
}
