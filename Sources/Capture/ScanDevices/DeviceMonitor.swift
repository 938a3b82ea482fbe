internal import CLinux
internal import DeviceAccess
internal import Glibc
internal import Synchronization

/// Reads the devices that are configured, finds them again after they were away, and tells what happens at them.
///
/// One thread waits for all of them, so that nothing that a device sends waits for another one.
public final class DeviceMonitor: Sendable {
    /// How often devices are looked for where nothing tells that one has come, or one is there and cannot be read.
    static let searchInterval: Duration = .seconds(2)
    /// How often they are looked for besides where the kernel tells that one has come.
    static let watchedInterval: Duration = .seconds(30)
    /// Between two searches, however much happens to device files.
    static let leastInterval: Duration = .milliseconds(20)

    private let devices: [DeviceConfiguration]
    private let root: DeviceList.Root
    private let interval: Duration
    /// Wakes the thread.
    private let wakeup = Wakeup()
    /// What the thread is woken for.
    private let wish = Mutex(Wish())

    private struct Wish {
        var isEnd = false
        var isSearch = false
    }

    /// A monitor of devices, which has not yet begun.
    public convenience init(_ devices: [DeviceConfiguration]) { self.init(devices, in: DeviceList.Root()) }

    /// - Parameter interval: how often devices are looked for where the kernel tells that one has come.
    init(_ devices: [DeviceConfiguration], in root: DeviceList.Root, interval: Duration = watchedInterval) {
        self.interval = interval
        self.devices = devices
        self.root = root
    }

    /// Ends ``run(_:)``; what has come is told before.
    public func stop() {
        wish.withLock { $0.isEnd = true }
        wakeup.wake()
    }

    /// Looks at once for devices that are away, instead of within the next seconds.
    public func search() {
        wish.withLock { $0.isSearch = true }
        wakeup.wake()
    }

    /// Reads until ``stop()``, on the thread that calls this.
    ///
    /// - Parameter tell: is called on this thread for all that happens, in order; it must be quick, since the kernel keeps
    ///   only 64 events of a keyboard.
    public func run(_ tell: (DeviceEvent) -> Void) {
        // Of a keyboard the kernel keeps what a gun types in about 20 ms. Without the right to it, it is like others.
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
                let wish = wish.withLock { wish in
                    defer { wish.isSearch = false }
                    return wish
                }
                isRunning = !wish.isEnd
                if wish.isSearch {
                    loop.nextSearch = Self.now()
                    loop.bluetooth?.search(at: Self.now())
                }
            }
            if polls[1].revents != 0, loop.watch.take() { loop.searchEarly() }
            loop.read(Set(polls.dropFirst(2).filter { $0.revents != 0 }.map(\.fd)), tell)
        }
        loop.disconnectAll(tell)
    }

    /// The clock that never goes back, which kernel events are timed by.
    public static func now() -> Duration { DeviceFiles.now() }
}

extension DeviceMonitor {
    /// What the thread knows of the devices.
    private struct Loop {
        let devices: [DeviceConfiguration]
        let root: DeviceList.Root
        let interval: Duration
        /// Tells that a device may have come.
        let watch: FolderWatch
        let bluetooth: BluetoothHost?
        /// By place in ``devices``.
        var connections: [Int: any DeviceConnection] = [:]
        var paths: [Int: String] = [:]
        /// What has been opened and is not told as connected yet, since it may be amid a code.
        var joining: [Int: DeviceIdentity] = [:]
        /// The faults that have been told, so that each is told once.
        var faults: [Int: String] = [:]
        private var lastSearch: Duration = .zero
        var nextSearch = DeviceMonitor.now()
        /// When they are looked for since the kernel tells that one may have come; nil where it does not.
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

        /// The folder that a path is in; nil of one that is not absolute.
        private static func folder(of path: String) -> String? {
            guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return nil }
            return slash == path.startIndex ? "/" : String(path[..<slash])
        }

        /// Has devices be looked for since the kernel tells that one may have come.
        mutating func searchEarly() {
            nextEarlySearch = lastSearch + DeviceMonitor.leastInterval
        }

        var descriptors: [Int32] { connections.values.map(\.descriptor) }

        /// Milliseconds until something is to be done; -1 for ever.
        var timeout: Int32 {
            var times = connections.values.compactMap(\.deadline)
            if connections.count < devices.count { times.append(min(nextSearch, nextEarlySearch ?? nextSearch)) }
            if let time = bluetooth?.deadline { times.append(time) }
            guard let time = times.min() else { return -1 }
            let wait = (time - DeviceMonitor.now()) / .milliseconds(1)
            return Int32(min(max(0, wait.rounded(.up)), 60_000))
        }

        /// Connects what is there and is not connected.
        mutating func connect(_ tell: (DeviceEvent) -> Void) {
            let now = DeviceMonitor.now()
            let isTimed = now >= nextSearch
            guard connections.count < devices.count, isTimed || nextEarlySearch.map({ now >= $0 }) == true else {
                return
            }
            nextEarlySearch = nil
            lastSearch = now
            // udev may be about to give a device that has just come to its group: that it cannot be read is told by the
            // search that follows.
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

        /// The device that is meant, unless another configuration has it.
        private func find(_ device: DeviceConfiguration, among present: [DeviceIdentity]) -> DeviceIdentity? {
            let taken = Set(paths.values)
            let found = present.first {
                !taken.contains($0.path) && device.match.matches($0, resolving: DeviceFiles.resolved)
            }
            // A port that no pattern finds, such as /dev/ttyS0.
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
                    number: EINVAL, path: identity.path, action: "read as a scale, since it is a keyboard")
            case (_, .sensor):
                throw DeviceError(
                    number: EINVAL, path: identity.path, action: "read as a sensor, which Bluetooth devices alone are")
            case (.hid, _): try HIDConnection(path: identity.path, role: device.role)
            case (.serial, _):
                try SerialConnection(path: identity.path, line: device.line, role: device.role, at: time)
            case (.bluetooth, _): throw DeviceError(number: EINVAL, path: identity.path, action: "opened")
            }
        }

        /// Tells that a device is connected once what it sends is read from its beginning.
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

        /// Takes what has come, and that time has passed.
        mutating func read(_ ready: Set<Int32>, _ tell: (DeviceEvent) -> Void) {
            for (index, connection) in connections.sorted(by: { $0.key < $1.key }) {
                let now = DeviceMonitor.now()
                do {
                    // What has come before what has not: an end that lay in the kernel came in time.
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
                // The first code may lie behind the rest of another one.
                if case .scan = kind { announce(index, at: time, tell) }
                tell(DeviceEvent(device: devices[index].name, time: time, kind: kind))
            }
        }
    }
}
