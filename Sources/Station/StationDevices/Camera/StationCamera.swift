internal import BarcodeCore
public import FrameDecoding
public import Logging
public import ServiceLifecycle
internal import Synchronization
public import VideoCapture

/// The station's camera: it decodes codes, and shows its picture to viewers.
///
/// It handles a device that is unplugged and comes back (hot-plug), and a change of the device. Without viewers,
/// nothing is encoded.
public final class StationCamera: Service {
    /// The command that it was created with, which can be selected like a device; `nil` for any other source.
    public let command: CaptureCommand?
    let devices: DeviceController
    let calls: any V4L2Calls
    let request: CaptureRequest
    let symbologies: Set<Symbology>
    let decoder: LiveDecoder
    let hub: PreviewHub
    /// Full-resolution frames, for a viewer that freezes one to have it decoded.
    let stills: PreviewHub
    let onReading: @Sendable (Reading) async -> Void
    let logger: Logger
    let store: Mutex<Store>

    /// The source to play, whenever it changes.
    private let sources: AsyncStream<Source>
    private let change: AsyncStream<Source>.Continuation

    /// Creates a camera.
    ///
    /// - Parameters:
    ///   - source: the source of the frames.
    ///   - mode: determines when frames are decoded.
    ///   - request: the preferred size and frame rate.
    ///   - controls: the settings of a device, applied whenever it starts.
    ///   - decoder: decodes the frames; the region of its settings is ignored, see ``set(region:)``.
    ///   - onReading: gets each reading, one after the other; frames are dropped while it runs.
    ///   - logger: logs the events of the device.
    public convenience init(
        source: Source, mode: Mode = .continuous, request: CaptureRequest = .init(), controls: [ControlSetting] = [],
        decoder: FrameDecoder = .init(), onReading: @escaping @Sendable (Reading) async -> Void, logger: Logger
    ) {
        self.init(
            source: source, mode: mode, request: request, controls: controls, decoder: decoder, calls: KernelCalls(),
            onReading: onReading, logger: logger)
    }

    /// Creates a camera with the given calls.
    package init(
        source: Source, mode: Mode = .continuous, request: CaptureRequest = .init(), controls: [ControlSetting] = [],
        decoder: FrameDecoder = .init(), calls: any V4L2Calls, onReading: @escaping @Sendable (Reading) async -> Void,
        logger: Logger
    ) {
        command = if case .command(let command) = source { command } else { nil }
        devices = DeviceController(calls: calls)
        self.calls = calls
        self.request = request
        symbologies = decoder.symbologies
        self.decoder = LiveDecoder(decoder, now: { calls.now() })
        hub = PreviewHub(quality: 75)
        stills = PreviewHub(quality: 95, maximumSide: .max)
        self.onReading = onReading
        self.logger = logger
        store = Mutex(Store(state: State(mode: mode), controls: controls, symbologies: symbologies))
        // Only the last of several choices counts.
        (sources, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        change.yield(source)
    }

    /// Plays until a graceful shutdown; may be called once.
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
                        self.logger.warning("Could not encode a preview", metadata: ["error": "\(error)"])
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

    /// Returns the available cameras; one that cannot be inspected is logged and left out.
    public func cameras() async -> [CameraDescription] {
        var found: [CameraDescription] = []
        for camera in await devices.cameras() {
            switch camera {
            case .success(let description): found.append(description)
            case .failure(let error): logger.warning("Cannot use a camera", metadata: ["error": "\(error)"])
            }
        }
        return found
    }

    /// Switches to another device; this also replaces a recording.
    ///
    /// - Parameter path: the path or a stable name of one of ``cameras()``, or the name of ``command``; nothing else is
    ///   opened.
    /// - Throws: ``VideoCapture/CaptureError`` with the code `not_found`.
    public func select(path: String) async throws(CaptureError) {
        if let command, path == command.name {
            if state.path != command.name { change.yield(.command(command)) }
            return
        }
        let nodes = await cameras().map(\.node)
        guard let node = nodes.first(where: { $0.path == path || $0.stablePaths.contains(path) }) else {
            let known = nodes.map(\.path).joined(separator: ", ")
            throw CaptureError(
                .notFound, "is not one of the cameras: \(known.isEmpty ? "none" : known)", subject: path)
        }
        let path = node.stablePaths.first ?? node.path
        guard store.withLock({ $0.device != path }) else { return }
        change.yield(.device(path: path))
    }
}
