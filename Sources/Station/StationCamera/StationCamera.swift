package import BarcodeCore
public import FrameDecoding
public import Logging
public import ServiceLifecycle
internal import Synchronization
public import VideoCapture

/// A camera that is there for as long as the station is: it reads codes, and shows itself to whoever looks.
///
/// It survives a device that is unplugged and comes back, and a change of the device. Nothing is encoded while nobody
/// looks. Codes are read in the process itself: what crashes zbar ends it, so a supervisor has to start it again.
public final class StationCamera: Service {
    let devices: DeviceController
    let calls: any V4L2Calls
    let request: CaptureRequest
    let symbologies: Set<Symbology>
    let decoder: LiveDecoder
    let hub: PreviewHub
    /// Whole frames, for whoever freezes one to have it read.
    let stills: PreviewHub
    let onReading: @Sendable (Reading) async -> Void
    let logger: Logger
    let store: Mutex<Store>

    /// What is to be played, whenever that changes.
    private let sources: AsyncStream<Source>
    private let change: AsyncStream<Source>.Continuation

    /// A camera.
    ///
    /// - Parameters:
    ///   - source: where the frames come from.
    ///   - mode: when codes are read.
    ///   - request: what to come close to in size and rate.
    ///   - controls: what a device is set to whenever it starts.
    ///   - settings: how frames are read and when a code is news; the region of the settings is not used, see
    ///     ``set(region:)``.
    ///   - onReading: hears of each reading, one after the other; frames are dropped while it works.
    ///   - logger: says what becomes of the device.
    public convenience init(
        source: Source, mode: Mode = .continuous, request: CaptureRequest = .init(), controls: [ControlSetting] = [],
        settings: FrameDecoder.Settings = .init(), onReading: @escaping @Sendable (Reading) async -> Void,
        logger: Logger
    ) {
        self.init(
            source: source, mode: mode, request: request, controls: controls, decoder: FrameDecoder(settings: settings),
            symbologies: settings.options.symbologies, calls: KernelCalls(), onReading: onReading, logger: logger)
    }

    /// A camera on the given calls, read by the given decoder.
    ///
    /// - Parameter symbologies: what the decoder was made to look for.
    package init(
        source: Source, mode: Mode = .continuous, request: CaptureRequest = .init(), controls: [ControlSetting] = [],
        decoder: FrameDecoder = .init(), symbologies: Set<Symbology> = Symbology.standard, calls: any V4L2Calls,
        onReading: @escaping @Sendable (Reading) async -> Void, logger: Logger
    ) {
        devices = DeviceController(calls: calls)
        self.calls = calls
        self.request = request
        self.symbologies = symbologies
        self.decoder = LiveDecoder(decoder, now: { calls.now() })
        hub = PreviewHub(quality: 75)
        stills = PreviewHub(quality: 95, maximumSide: .max)
        self.onReading = onReading
        self.logger = logger
        store = Mutex(Store(state: State(mode: mode), controls: controls, symbologies: symbologies))
        // Of several choices the last one counts.
        (sources, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        change.yield(source)
    }

    /// Plays until a graceful shutdown; called once.
    public func run() async throws {
        await cancelWhenGracefulShutdown { await self.play() }
        let (states, views, waits) = store.withLock { store in
            store.hasEnded = true
            defer { (store.stateWatchers, store.viewWatchers, store.waits) = ([:], [:], [:]) }
            return (store.stateWatchers.values, store.viewWatchers.values, store.waits.values)
        }
        for output in states { output.finish() }
        for output in views { output.finish() }
        for wait in waits { wait.finish(.success(nil)) }
        hub.end()
        stills.end()
    }

    private func play() async {
        await withTaskGroup(of: Void.self) { group in
            for hub in [self.hub, self.stills] {
                group.addTask {
                    await hub.run { error in
                        self.logger.warning("A preview could not be packed", metadata: ["error": "\(error)"])
                    }
                }
            }
            var session: Task<Void, Never>?
            for await source in sources {
                session?.cancel()
                await session?.value
                let number = store.withLock { $0.beginSession() }
                session = Task { await self.play(source, session: number) }
            }
            session?.cancel()
            await session?.value
            group.cancelAll()
        }
    }

    /// The cameras that there are; one that may not be looked at is left out and logged.
    public func cameras() async -> [CameraDescription] {
        var found: [CameraDescription] = []
        for camera in await devices.cameras() {
            switch camera {
            case .success(let description): found.append(description)
            case .failure(let error): logger.warning("A camera cannot be used", metadata: ["error": "\(error)"])
            }
        }
        return found
    }

    /// Goes on with another device, in place of a recording too.
    ///
    /// - Parameter path: the path or a stable name of one of ``cameras()``; nothing else is opened.
    /// - Throws: ``VideoCapture/CaptureError`` with the code `not_found`.
    public func select(path: String) async throws(CaptureError) {
        let nodes = await cameras().map(\.node)
        guard let node = nodes.first(where: { $0.path == path || $0.stablePaths.contains(path) }) else {
            let known = nodes.map(\.path).joined(separator: ", ")
            throw CaptureError(
                .notFound, "is none of the cameras, which are: \(known.isEmpty ? "none" : known)", subject: path)
        }
        let path = node.stablePaths.first ?? node.path
        guard store.withLock({ $0.device != path }) else { return }
        change.yield(.device(path: path))
    }
}
