internal import CLinux
internal import DeviceAccess
internal import Glibc
internal import Synchronization

/// Reads the configured devices, reconnects them after they were away, and reports their events.
///
/// One thread polls all devices, so that no device blocks another one.
public final class DeviceMonitor: Sendable {
    /// The interval of searches while hot-plug notifications are not available, or while a device cannot be read.
    static let searchInterval: Duration = .seconds(2)
    /// The interval of searches besides those after a hot-plug notification.
    static let watchedInterval: Duration = .seconds(30)
    /// The shortest time between two searches, which limits their rate however often device files change.
    static let leastInterval: Duration = .milliseconds(20)

    private let devices: [DeviceConfiguration]
    private let root: DeviceList.Root
    private let interval: Duration
    /// Wakes the thread.
    private let wakeup = WakeupEvent()
    /// The request that the thread is woken for.
    private let pending = Mutex(PendingRequest())

    private struct PendingRequest {
        var isEnd = false
        var isSearch = false
    }

    /// Creates a monitor; ``run(_:)`` starts it.
    public convenience init(_ devices: [DeviceConfiguration]) { self.init(devices, in: DeviceList.Root()) }

    /// Creates a monitor with other settings.
    ///
    /// - Parameter interval: the interval of searches while hot-plug notifications are available.
    init(_ devices: [DeviceConfiguration], in root: DeviceList.Root, interval: Duration = watchedInterval) {
        self.interval = interval
        self.devices = devices
        self.root = root
    }

    /// Ends ``run(_:)``, which reports pending input first.
    public func stop() {
        pending.withLock { $0.isEnd = true }
        wakeup.wake()
    }

    /// Searches for missing devices at once instead of within the next seconds.
    public func search() {
        pending.withLock { $0.isSearch = true }
        wakeup.wake()
    }

    /// Reads devices on the calling thread until ``stop()``.
    ///
    /// - Parameter tell: called on this thread for every event, in order. It must be quick, since the kernel
    ///   buffers only 64 events of a keyboard.
    public func run(_ tell: (DeviceEvent) -> Void) {
        // The kernel buffers only what a scanner in keyboard mode types in about 20 ms, hence the higher priority.
        // Without the permission for it the thread keeps its normal priority.
        _ = qz_thread_raise()
        let radio = devices.filter { $0.match.connection == .bluetooth }
        var loop = Loop(
            devices: devices.filter { $0.match.connection != .bluetooth }, root: root, interval: interval,
            bluetooth: radio.isEmpty ? nil : BluetoothHost(radio, address: root.bus))
        var isRunning = true
        while isRunning {
            loop.connect(tell)
            loop.bluetooth?.advance(to: Self.now(), tell)
            var polls = ([wakeup.descriptor, loop.watch.descriptor] + loop.descriptors).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if let radio = loop.bluetooth?.poll { polls.append(radio) }
            _ = poll(&polls, nfds_t(polls.count), loop.timeout)
            if polls[0].revents != 0 {
                wakeup.clear()
                let pending = pending.withLock { pending in
                    defer { pending.isSearch = false }
                    return pending
                }
                isRunning = !pending.isEnd
                if pending.isSearch {
                    loop.nextSearch = Self.now()
                    loop.bluetooth?.search(at: Self.now())
                }
            }
            if polls[1].revents != 0, loop.watch.take() { loop.searchEarly() }
            loop.read(Set(polls.dropFirst(2).filter { $0.revents != 0 }.map(\.fd)), tell)
        }
        loop.disconnectAll(tell)
    }

    /// The current time of CLOCK_MONOTONIC, which also stamps kernel events.
    public static func now() -> Duration { DeviceFiles.now() }
}

extension DeviceMonitor {
    /// The state of the thread.
    private struct Loop {
        let devices: [DeviceConfiguration]
        let root: DeviceList.Root
        let interval: Duration
        /// Detects hot-plug.
        let watch: FolderWatch
        let bluetooth: BluetoothHost?
        /// The open connections by index in ``devices``.
        var connections: [Int: any DeviceConnection] = [:]
        var paths: [Int: String] = [:]
        /// Devices that are open but not yet reported as connected, since they may be in the middle of a code.
        var joining: [Int: DeviceIdentity] = [:]
        /// The faults already reported, so that each is reported once.
        var faults: [Int: String] = [:]
        private var lastSearch: Duration = .zero
        var nextSearch = DeviceMonitor.now()
        /// The time of the search after a hot-plug notification; `nil` if none is due.
        private var nextEarlySearch: Duration?

        init(
            devices: [DeviceConfiguration], root: DeviceList.Root, interval: Duration, bluetooth: BluetoothHost?
        ) {
            self.bluetooth = bluetooth
            self.devices = devices
            self.root = root
            self.interval = interval
            watch = FolderWatch(
                DeviceList.folders(in: root) + devices.compactMap(\.match.path).compactMap(Self.folder(of:)))
        }

        /// The parent folder of a path; `nil` for a relative path.
        private static func folder(of path: String) -> String? {
            guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return nil }
            return slash == path.startIndex ? "/" : String(path[..<slash])
        }

        /// Schedules a search after a hot-plug notification.
        mutating func searchEarly() {
            nextEarlySearch = lastSearch + DeviceMonitor.leastInterval
        }

        var descriptors: [Int32] { connections.values.map(\.descriptor) }

        /// The poll timeout in milliseconds; -1 for none.
        var timeout: Int32 {
            var times = connections.values.compactMap(\.deadline)
            if connections.count < devices.count { times.append(min(nextSearch, nextEarlySearch ?? nextSearch)) }
            if let time = bluetooth?.deadline { times.append(time) }
            guard let time = times.min() else { return -1 }
            let wait = (time - DeviceMonitor.now()) / .milliseconds(1)
            return Int32(min(max(0, wait.rounded(.up)), 60_000))
        }

        /// Connects the missing devices that are present.
        mutating func connect(_ tell: (DeviceEvent) -> Void) {
            let now = DeviceMonitor.now()
            let isTimed = now >= nextSearch
            guard connections.count < devices.count, isTimed || nextEarlySearch.map({ now >= $0 }) == true else {
                return
            }
            nextEarlySearch = nil
            lastSearch = now
            // udev may not have set the group of a new device yet, so only the next timed search reports that it
            // cannot be read.
            func failed(_ index: Int, _ fault: String?) { if isTimed { fail(index, fault, at: now, tell) } }
            let present = DeviceList.all(in: root)
            for (index, device) in devices.enumerated() where connections[index] == nil {
                guard let identity = find(device, among: present.devices) else {
                    let isForbidden = device.match.connection != .serial && !present.faults.isEmpty
                    failed(index, isForbidden ? present.faults[0] : nil)
                    continue
                }
                do {
                    let connection = try open(identity, device, at: now)
                    connection.join(at: now)
                    connections[index] = connection
                    paths[index] = identity.path
                    faults[index] = nil
                    joining[index] = identity
                    announce(index, at: now, tell)
                } catch {
                    failed(index, "\(error)")
                }
            }
            let isWatched = watch.isWhole && faults.isEmpty
            nextSearch =
                isTimed
                ? now + (isWatched ? interval : DeviceMonitor.searchInterval)
                : min(nextSearch, now + DeviceMonitor.searchInterval)
        }

        /// Returns the device that matches, unless another configuration has taken it.
        private func find(_ device: DeviceConfiguration, among present: [DeviceIdentity]) -> DeviceIdentity? {
            let taken = Set(paths.values)
            let found = present.first {
                !taken.contains($0.path) && device.match.matches($0, resolving: DeviceFiles.resolved)
            }
            // A port that the device list does not cover, such as /dev/ttyS0.
            if found == nil, device.match.connection == .serial, let path = device.match.path,
                let resolved = DeviceFiles.resolved(path), !taken.contains(resolved)
            {
                return DeviceIdentity(connection: .serial, path: resolved)
            }
            return found
        }

        private func open(
            _ identity: DeviceIdentity, _ device: DeviceConfiguration, at time: Duration
        ) throws(DeviceError) -> any DeviceConnection {
            switch (identity.connection, device.role) {
            case (.keyboard, .gun(let gun)): try KeyboardConnection(path: identity.path, gun: gun)
            case (.keyboard, .scale):
                throw DeviceError(
                    number: EINVAL, path: identity.path, action: "read as a scale, because it is a keyboard")
            case (_, .sensor):
                throw DeviceError(
                    number: EINVAL, path: identity.path,
                    action: "read as a sensor, because it is not a Bluetooth device")
            case (.hid, _): try HIDConnection(path: identity.path, role: device.role)
            case (.serial, _):
                try SerialConnection(path: identity.path, line: device.line, role: device.role, at: time)
            case (.bluetooth, _): throw DeviceError(number: EINVAL, path: identity.path, action: "opened")
            }
        }

        /// Reports a device as connected as soon as its input is read from the beginning of a message.
        private mutating func announce(_ index: Int, at time: Duration, _ tell: (DeviceEvent) -> Void) {
            guard connections[index]?.isReady == true, let identity = joining.removeValue(forKey: index) else { return }
            tell(DeviceEvent(device: devices[index].name, time: time, kind: .connected(identity)))
        }

        private mutating func fail(
            _ index: Int, _ fault: String?, at time: Duration, _ tell: (DeviceEvent) -> Void
        ) {
            guard let fault, faults[index] != fault else { return }
            faults[index] = fault
            tell(DeviceEvent(device: devices[index].name, time: time, kind: .unavailable(fault)))
        }

        /// Reads the ready devices, and advances the time of the others.
        mutating func read(_ ready: Set<Int32>, _ tell: (DeviceEvent) -> Void) {
            for (index, connection) in connections.sorted(by: { $0.key < $1.key }) {
                let now = DeviceMonitor.now()
                do {
                    // Input comes before timeouts: a terminator in the kernel's buffer came in time.
                    if ready.contains(connection.descriptor) {
                        report(try connection.read(at: now), index, now, tell)
                    } else {
                        report(try connection.advance(to: now), index, now, tell)
                    }
                    announce(index, at: now, tell)
                } catch {
                    disconnect(index, tell)
                    if !error.isGone { fail(index, "\(error)", at: now, tell) }
                }
            }
        }

        mutating func disconnectAll(_ tell: (DeviceEvent) -> Void) {
            for index in connections.keys.sorted() { disconnect(index, tell) }
            bluetooth?.stop(at: DeviceMonitor.now(), tell)
        }

        private mutating func disconnect(_ index: Int, _ tell: (DeviceEvent) -> Void) {
            guard let connection = connections.removeValue(forKey: index) else { return }
            paths[index] = nil
            let now = DeviceMonitor.now()
            let isTold = joining.removeValue(forKey: index) == nil
            report(connection.disconnect() + (isTold ? [.disconnected] : []), index, now, tell)
            nextSearch = now
        }

        private mutating func report(
            _ kinds: [DeviceEvent.Kind], _ index: Int, _ time: Duration, _ tell: (DeviceEvent) -> Void
        ) {
            for kind in kinds {
                // The first complete code may follow the rest of another one.
                if case .scan = kind { announce(index, at: time, tell) }
                tell(DeviceEvent(device: devices[index].name, time: time, kind: kind))
            }
        }
    }
}
