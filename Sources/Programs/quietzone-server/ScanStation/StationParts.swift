import DecodeWorkers
import Delivery
import FrameDecoding
import Logging
import ProgramSupport
import ScanDevices
import ScanOutbox
import ServiceLifecycle
import StationApps
import StationDevices
import StationServer
import UnixSignals

/// The services of a station, each created from earlier ones.
struct StationParts {
    let settings: BridgeSettings
    let scanService: ScanService
    private let configuration: DeliveryConfiguration
    private let outbox: Outbox
    private let logger: Logger
    private let notifier = ServiceNotifier()
    private let pool: WorkerPool
    private let framePool: WorkerPool
    private let camera: StationCamera
    private let server: BridgeServer
    private let reader: DeviceReader
    private let delivery: DeliveryService
    private let updates: AppUpdates
    /// Shows notices on the desktop; `nil` if they are not wanted.
    private let desktop: DesktopNotices?

    init(
        _ station: StationConfiguration, _ configuration: DeliveryConfiguration, outbox: Outbox,
        sinks: [(Destination, any Sink)], clients: SharedClients, metrics: @escaping @Sendable () -> String,
        logger: Logger
    ) throws {
        self.configuration = configuration
        self.outbox = outbox
        self.logger = logger
        let token = try StationFiles.token(station.tokenFile)
        settings = try Self.settings(station, token)
        let pool = WorkerPool(
            settings: WorkerMode.pool(
                workers: station.jobs, memoryMegabytes: 1024, timeout: .seconds(20),
                folders: Sandbox.Folders(pictures: station.uploadFolder, annotations: station.uploadFolder)),
            logger: logger)
        self.pool = pool
        framePool = WorkerPool(settings: WorkerMode.framePool, logger: logger)
        let desktop = station.notifiesDesktop ? DesktopNotices(logger: logger) : nil
        self.desktop = desktop
        let scanService = try ScanService(
            outbox: outbox, station: configuration.station, destinations: configuration.destinations,
            policy: station.deduplication ?? configuration.deduplication, signingKeys: configuration.signingKeys,
            withholdsPersonal: configuration.retention.personalAge != nil, workplace: station.workplace,
            lookup: try Self.lookup(station.lookup, clients), notices: station.notices, onNotice: { desktop?.show($0) },
            logger: logger)
        self.scanService = scanService
        camera = StationCamera(
            source: station.source, mode: StationCamera.Mode(rawValue: station.mode) ?? .continuous,
            decoder: FrameDecoder(pool: framePool),
            onReading: { await scanService.accept($0) }, logger: logger)
        let selection = try station.selection()
        let devices = DeviceRegistry(selection.devices)
        let (scheme, address, tokenFile) = (settings.scheme, settings.address, station.tokenFile)
        server = try BridgeServer(
            settings: settings, scanService: scanService, camera: camera, devices: devices,
            keyboards: clients.typingControl, decode: { await pool.decode($0) }, metrics: metrics, logger: logger
        ) { [notifier] in
            StartMessage.show(scheme: scheme, address: address, port: $0, token: token, tokenFile: tokenFile)
            notifier.ready()
        }
        reader = Self.reader(selection, devices, server, logger)
        delivery = DeliveryService(
            outbox: outbox, destinations: sinks, options: Self.deliveryOptions(configuration), logger: logger)
        let apps = AppStore(folder: station.appFolder)
        updates = AppUpdates(
            store: apps, updater: AppUpdater(store: apps, fetcher: AppSources()), logger: logger,
            pause: { try await Task.sleep(for: $0) })
    }

    /// The service group.
    ///
    /// Services stop from the last to the first: the server stops before the services it uses.
    func group(_ commands: StationCommands) -> ServiceGroupConfiguration {
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: delivery, successTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: PoolService(pool), successTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: PoolService(framePool), successTerminationBehavior: .gracefullyShutdownGroup),
                .auxiliary(camera),
                .auxiliary(ServiceManagerReports(notifier: notifier, outbox: outbox)),
                .init(service: server, successTerminationBehavior: .gracefullyShutdownGroup),
                .auxiliary(reader), .auxiliary(updates),
                .auxiliary(CommandService(commands: commands, camera: camera, server: server, logger: logger)),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        if let desktop { group.services.append(.auxiliary(desktop)) }
        group.maximumGracefulShutdownDuration =
            (configuration.destinations.map(\.timeout).max() ?? .zero) + .seconds(30)
        return group
    }

    private static func settings(_ station: StationConfiguration, _ token: AccessToken) throws -> BridgeSettings {
        var settings = BridgeSettings(token: token, uploadFolder: station.uploadFolder)
        try station.fill(&settings)
        // The rest is for files and pipes of the station itself.
        settings.maximumConnections = min(settings.maximumConnections, DescriptorLimit.raise() / 2)
        return settings
    }

    private static func lookup(_ settings: LookupSettings?, _ clients: SharedClients) throws -> Lookup? {
        do throws(ConfigurationError) {
            return try settings.map { settings throws(ConfigurationError) in try Lookup(settings, clients: clients) }
        } catch {
            throw Failure(message: "lookup.certificateAuthorities: \(error)", status: Failure.configuration)
        }
    }

    /// Creates the reader of scan guns and scales, which passes their scans to the server.
    private static func reader(
        _ selection: DeviceSelection, _ devices: DeviceRegistry, _ server: BridgeServer, _ logger: Logger
    ) -> DeviceReader {
        let retry = StorageRetry(logger: logger)
        let reader = DeviceReader(selection.source, logger: logger) { event in
            devices.take(event)
            guard case .scan(let scan) = event.kind else { return }
            let submission = devices.submission(of: scan, event)
            await retry.store(event.device) { try await server.accept(scanned: submission) }
        }
        devices.searches(by: reader)
        return reader
    }

    private static func deliveryOptions(_ configuration: DeliveryConfiguration) -> DeliveryService.Options {
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        // A page or an upload that repeats a request must get the same response again.
        if configuration.retention.personalAge != nil { options.retention.personalAge = .seconds(3600) }
        // An event without a destination has been shown on the page.
        options.retention.withholdsUnsent = true
        return options
    }
}
