internal import DeviceAccess
internal import Glibc
internal import Synchronization

/// Identifies a scanner by a known code that the user scans, and finds its keyboard layout.
///
/// Devices are not grabbed: a keyboard also types into windows during the search.
public final class DeviceLearner: Sendable {
    /// The device that has scanned the code.
    public struct Finding: Sendable, Hashable {
        /// The identity of the device.
        public var identity: DeviceIdentity
        /// The layouts that decode the code correctly, if the device is a keyboard; otherwise empty.
        public var layouts: [String]
    }

    /// A code with letters and signs that differ between most layouts, so that it also reveals the layout.
    public static let standardCode = "Quietzone-WAZY/1_2+3;m"

    /// A progress notice of the search.
    public enum Notice: Sendable, Hashable {
        /// A device is listened to.
        case listening(DeviceIdentity)
        /// A device cannot be listened to: a sentence.
        case fault(String)

        /// The notice as a sentence.
        public var sentence: String {
            switch self {
            case .listening(let device): "Listening to \(device.path) \(device.name)"
            case .fault(let sentence): sentence
            }
        }
    }

    private let code: [UInt8]
    private let ports: [String]
    private let excluded: Set<String>
    private let patience: Duration?
    private let wakeup = WakeupEvent()
    private let isEnding = Mutex(false)

    /// Creates a search; ``run(_:)`` starts it.
    ///
    /// - Parameters:
    ///   - code: the code that the user scans, in UTF-8.
    ///   - ports: serial ports besides those of USB, such as `/dev/ttyS0`.
    ///   - excluded: the paths of devices to ignore.
    ///   - patience: the timeout; `nil` for none.
    public init(code: [UInt8], ports: [String] = [], except excluded: Set<String> = [], patience: Duration? = nil) {
        self.code = code
        self.ports = ports
        self.excluded = excluded
        self.patience = patience
    }

    /// Ends ``run(_:)``.
    public func stop() {
        isEnding.withLock { $0 = true }
        wakeup.wake()
    }

    /// Blocks the calling thread until the code is scanned; `nil` after ``stop()`` or the timeout.
    ///
    /// - Parameter tell: receives each device that is listened to, and the reasons why others are not.
    public func run(_ tell: (Notice) -> Void) -> Finding? {
        let end = patience.map { DeviceMonitor.now() + $0 }
        var listeners: [Listener] = []
        var faults: Set<String> = []
        let watch = FolderWatch(DeviceList.folders(in: DeviceList.Root()))
        while !isEnding.withLock({ $0 }), end.map({ DeviceMonitor.now() < $0 }) ?? true {
            open(&listeners, &faults, tell)
            let descriptors = [wakeup.descriptor, watch.descriptor] + listeners.map(\.descriptor)
            var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // Retries devices that could not be opened, because another program may have released them.
            let wait = min(.seconds(2), end.map { $0 - DeviceMonitor.now() } ?? .seconds(2)) / .milliseconds(1)
            _ = poll(&polls, nfds_t(polls.count), Int32(max(0, wait.rounded(.up))))
            _ = watch.take()
            let ready = Set(polls.dropFirst(2).filter { $0.revents != 0 }.map(\.fd))
            for listener in listeners where ready.contains(listener.descriptor) {
                guard let layouts = listener.layouts(scanning: code, at: DeviceMonitor.now()) else { continue }
                return Finding(identity: listener.identity, layouts: layouts)
            }
            listeners.removeAll(where: \.isGone)
        }
        return nil
    }

    private func open(_ listeners: inout [Listener], _ faults: inout Set<String>, _ tell: (Notice) -> Void) {
        let (devices, problems) = DeviceList.all()
        for problem in problems where faults.insert(problem).inserted { tell(.fault(problem)) }
        let others = ports.map { DeviceIdentity(connection: .serial, path: $0) }
        for device in devices + others
        where !excluded.contains(device.path) && !listeners.contains(where: { $0.identity.path == device.path }) {
            do throws(DeviceError) {
                listeners.append(try Listener(device))
                tell(.listening(device))
            } catch {
                // A port that the caller has named must exist.
                if !error.isGone || ports.contains(device.path), faults.insert("\(error)").inserted {
                    tell(.fault("\(error)"))
                }
            }
        }
    }
}

/// A candidate device.
private final class Listener {
    private enum Source {
        case keyboard(DeviceFile.Shared, KeyEventReader, [(name: String, decoder: KeyScanDecoder)])
        case other(any DeviceConnection)
    }

    let identity: DeviceIdentity
    private var source: Source
    private(set) var isGone = false

    init(_ identity: DeviceIdentity) throws(DeviceError) {
        self.identity = identity
        switch identity.connection {
        case .keyboard:
            let file = try DeviceFile.Shared(DeviceFile(identity.path))
            source = .keyboard(
                file, KeyEventReader(), KeyboardLayout.all.map { ($0.name, KeyScanDecoder(layout: $0)) })
        case .bluetooth: throw DeviceError(number: EINVAL, path: identity.path, action: "listened to")
        case .hid: source = .other(try HIDConnection(path: identity.path, role: .gun(.init())))
        case .serial:
            source = .other(
                try SerialConnection(
                    path: identity.path, line: SerialLine(), role: .gun(.init()), at: DeviceMonitor.now()))
        }
    }

    var descriptor: Int32 {
        switch source {
        case .keyboard(let file, _, _): file.file.descriptor
        case .other(let connection): connection.descriptor
        }
    }

    /// Returns the layouts that decode the device's input to the code; `nil` if it has not scanned the code now.
    func layouts(scanning code: [UInt8], at time: Duration) -> [String]? {
        do throws(DeviceError) {
            switch source {
            case .keyboard(let file, var reader, var decoders):
                let items = try reader.read(file.file, path: identity.path, at: time)
                var names: [String] = []
                for item in items {
                    for index in decoders.indices {
                        switch item {
                        case .lost: decoders[index].decoder.loseInput(at: time)
                        case .key(let event):
                            guard case .scan(let scan) = decoders[index].decoder.handle(event) else { continue }
                            if scan.bytes == code { names.append(decoders[index].name) }
                        }
                    }
                }
                source = .keyboard(file, reader, decoders)
                return names.isEmpty ? nil : names
            case .other(let connection):
                let isCode = try connection.read(at: time).contains {
                    if case .scan(let scan) = $0 { scan.bytes == code } else { false }
                }
                return isCode ? [] : nil
            }
        } catch {
            isGone = true
            return nil
        }
    }
}

extension DeviceFile {
    /// A reference to an open device, for use in copyable values.
    final class Shared {
        let file: DeviceFile

        init(_ file: consuming DeviceFile) { self.file = file }
    }
}
