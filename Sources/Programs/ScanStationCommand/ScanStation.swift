import ArgumentParser
import BarcodeCore
import DecodeWorkers
import Delivery
import Glibc
import Logging
import Metrics
import ProgramSupport
import PrometheusMetrics
import ScanDevices
import ScanOutbox
import ServiceLifecycle
import ServiceSupport
import StationApps
import StationCamera
import StationDevices
import StationServer
import UnixSignals

struct ScanStation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan-station",
        abstract: "Read codes from a camera and from pictures, store and deliver them, and answer web pages.",
        discussion: """
            It shows its page at http://127.0.0.1:6079/ to whoever has its token, and needs neither a configuration
            nor a camera. docs/station.md has the routes, the configuration and how it is kept safe.
            """,
        version: "scan-station \(Quietzone.version)",
        subcommands: [AppsCommand.self, Doctor.self])

    @OptionGroup var common: OutboxOptions
    @OptionGroup var options: StationOptions
    @OptionGroup var check: CheckOption

    /// What comes before anything that suspends, see ``prepareStreams()``.
    static func prepare() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // A picture can wait a little; a person who looks at the page, and the camera, cannot.
        if WorkerMode.isAsked(arguments) { _ = nice(5) }
        WorkerMode.runIfAsked(arguments) { (image, _, path) throws(DecodeError) in
            try PagePicture.write(image, to: path)
        }
        prepareStreams()
    }

    /// The configuration, without what the command line says of the station.
    static func load(
        _ common: OutboxOptions
    ) async throws(ConfigurationError) -> (DeliveryConfiguration, StationConfiguration) {
        try await common.load(
            "scan-station", databaseName: "station.sqlite", keys: StationConfiguration.keys,
            collections: DeviceKeys.collections, own: StationConfiguration.init)
    }

    func run() async throws {
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let (configuration, own) = try await Self.load(common)
        let station = try options.applied(to: own, database: configuration.database)
        if check.isWanted { _ = try station.selection() }
        if try await check.run("scan-station", common, configuration) { return }
        var logger = Logger(label: "scan-station") { PrintableLog(label: $0) }
        logger.logLevel = options.logLevel
        // The outbox, the camera, the page's connections and the pictures that it sends.
        try DescriptorCheck.run(
            needed: 512 + 8 * station.jobs + station.devices.count + configuration.descriptorsNeeded, logger)
        let commands = StationCommands()
        let clients = SharedClients(commands: commands)
        let sinks = try configuration.makeSinks(clients)
        let outbox = try await common.open(configuration, mayCreate: true)

        let token = try StationFiles.token(station.tokenFile)
        var settings = BridgeSettings(token: token, uploadFolder: station.uploadFolder)
        try station.fill(&settings)
        // Files and pipes of the station itself have the rest.
        settings.maximumConnections = min(settings.maximumConnections, DescriptorLimit.raise() / 2)
        let pool = WorkerPool(
            settings: WorkerMode.pool(workers: station.jobs, memoryMegabytes: 1024, timeout: .seconds(20)),
            logger: logger)
        let desktop = DesktopNotices(logger: logger)
        let showsNotices = station.notifiesDesktop
        let scanService = try ScanService(
            outbox: outbox, station: configuration.station, destinations: configuration.destinations,
            policy: station.deduplication ?? configuration.deduplication,
            withholdsPersonal: configuration.retention.personalAge != nil, workplace: station.workplace,
            notices: station.notices, onNotice: { if showsNotices { desktop.show($0) } }, logger: logger)
        try await scanService.resume()
        ProcessLimits.keepFreedMemory()
        let camera = StationCamera(
            source: station.source, mode: StationCamera.Mode(rawValue: station.mode) ?? .continuous,
            onReading: { await scanService.accept($0) }, logger: logger)
        let selection = try station.selection()
        let devices = DeviceRegistry(selection.devices)
        let (scheme, address, tokenFile) = (settings.scheme, settings.address, station.tokenFile)
        let notifier = ServiceNotifier()
        let server = try BridgeServer(
            settings: settings, scanService: scanService, camera: camera, devices: devices,
            keyboards: clients.keyboardGate, decode: { await pool.decode($0) },
            metrics: { registry.text() },
            logger: logger
        ) {
            Welcome.show(scheme: scheme, address: address, port: $0, token: token, tokenFile: tokenFile)
            notifier.ready()
        }
        let persistence = Persistence(logger: logger)
        let reader = DeviceReader(selection.source, logger: logger) { event in
            devices.take(event)
            guard case .scan(let scan) = event.kind else { return }
            let sighting = devices.sighting(of: scan, event)
            await persistence.store(event.device) { try await server.accept(scanned: sighting) }
        }
        devices.searches(by: reader)
        let delivery = DeliveryService(
            outbox: outbox, destinations: sinks, options: Self.deliveryOptions(configuration), logger: logger)
        let apps = AppStore(folder: station.appFolder)
        let updates = AppUpdates(
            store: apps, updater: AppUpdater(store: apps, fetcher: AppSources()), logger: logger,
            pause: { try await Task.sleep(for: $0) })
        // In the order of their ends, the last first: the server, then those it leans on.
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: delivery, successTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: PoolService(pool), successTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: UntilShutdown(camera), successTerminationBehavior: .ignore),
                .init(
                    service: ServiceManagerReports(notifier: notifier, outbox: outbox),
                    successTerminationBehavior: .ignore),
                .init(service: server, successTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: reader, successTerminationBehavior: .ignore),
                .init(service: updates, successTerminationBehavior: .ignore),
                .init(
                    service: CommandService(commands: commands, camera: camera, server: server, logger: logger),
                    successTerminationBehavior: .ignore),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        if showsNotices { group.services.append(.init(service: desktop, successTerminationBehavior: .ignore)) }
        group.maximumGracefulShutdownDuration =
            (configuration.destinations.map(\.timeout).max() ?? .zero) + .seconds(30)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch {
            throw StationFiles.listening(error, address: address, port: settings.port)
        }
        await clients.close()
        try outbox.close()
    }

    private static func deliveryOptions(_ configuration: DeliveryConfiguration) -> DeliveryService.Options {
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        // A page or an upload that asks once more for what it was answered gets the same again.
        if configuration.retention.personalAge != nil { options.retention.personalAge = .seconds(3600) }
        // What no destination gets has been shown on the page.
        options.retention.withholdsUnsent = true
        return options
    }
}
