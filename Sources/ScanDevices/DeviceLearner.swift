internal import CInput
internal import Glibc
internal import Synchronization

/// Finds the device that scans a code which a person was shown, and the layout that it is set to.
///
/// Nothing is taken from windows: a keyboard types there too while it is looked for.
public final class DeviceLearner: Sendable {
    /// The device that has scanned the code.
    public struct Finding: Sendable, Hashable {
        /// What tells it from others.
        public var identity: DeviceIdentity
        /// The layouts by which the code is right, of a keyboard; none of another device.
        public var layouts: [String]
    }

    private let code: [UInt8]
    private let ports: [String]
    private let bell: Int32
    private let isEnding = Mutex(false)

    /// A search that has not yet begun.
    ///
    /// - Parameters:
    ///   - code: what the device is to scan, in UTF-8.
    ///   - ports: serial ports besides those of USB, such as `/dev/ttyS0`.
    public init(code: [UInt8], ports: [String] = []) {
        self.code = code
        self.ports = ports
        bell = qz_input_bell()
    }

    deinit { close(bell) }

    /// Ends ``run(_:)``.
    public func stop() {
        isEnding.withLock { $0 = true }
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    /// Waits for the code on the thread that calls this; nil once it was stopped.
    ///
    /// - Parameter tell: hears of each device that is listened to, and why another is not.
    public func run(_ tell: (String) -> Void) -> Finding? {
        var listeners: [Listener] = []
        var faults: Set<String> = []
        while !isEnding.withLock({ $0 }) {
            open(&listeners, &faults, tell)
            var polls = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
            polls += listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            _ = poll(&polls, nfds_t(polls.count), 2000)
            let ready = Set(polls.dropFirst().filter { $0.revents != 0 }.map(\.fd))
            for listener in listeners where ready.contains(listener.descriptor) {
                guard let layouts = listener.layouts(scanning: code, at: DeviceMonitor.now()) else { continue }
                return Finding(identity: listener.identity, layouts: layouts)
            }
            listeners.removeAll(where: \.isGone)
        }
        return nil
    }

    private func open(_ listeners: inout [Listener], _ faults: inout Set<String>, _ tell: (String) -> Void) {
        let (devices, problems) = DeviceList.all()
        for problem in problems where faults.insert(problem).inserted { tell(problem) }
        let others = ports.map { DeviceIdentity(connection: .serial, path: $0) }
        for device in devices + others where !listeners.contains(where: { $0.identity.path == device.path }) {
            do throws(DeviceError) {
                listeners.append(try Listener(device))
                tell("Listening to \(device.path) \(device.name)")
            } catch {
                if !error.isGone, faults.insert("\(error)").inserted { tell("\(error)") }
            }
        }
    }
}

/// A device that may be the one.
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

    /// The layouts by which the device has scanned a code now; nil where it has not.
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
    /// An open device in a value that may be copied.
    final class Shared {
        let file: DeviceFile

        init(_ file: consuming DeviceFile) { self.file = file }
    }
}
