internal import CInput
internal import Glibc
internal import Synchronization

/// Reads the devices that are configured, finds them again after they were away, and tells what happens at them.
///
/// One thread waits for all of them, so that nothing that a device sends waits for another one.
public final class DeviceMonitor: Sendable {
    /// How often devices are looked for where nothing tells that one has come.
    static let searchInterval: Duration = .seconds(2)

    private let devices: [DeviceConfiguration]
    private let root: DeviceList.Root
    /// Wakes the thread.
    private let bell: Int32
    /// What the thread is woken for.
    private let wish = Mutex(Wish())

    private struct Wish {
        var isEnd = false
        var isSearch = false
    }

    /// A monitor of devices, which has not yet begun.
    public convenience init(_ devices: [DeviceConfiguration]) { self.init(devices, in: DeviceList.Root()) }

    init(_ devices: [DeviceConfiguration], in root: DeviceList.Root) {
        self.devices = devices
        self.root = root
        bell = qz_input_bell()
    }

    deinit { close(bell) }

    /// Ends ``run(_:)``; what has come is told before.
    public func stop() {
        wish.withLock { $0.isEnd = true }
        ring()
    }

    /// Looks at once for devices that are away, instead of within the next seconds.
    public func search() {
        wish.withLock { $0.isSearch = true }
        ring()
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    /// Reads until ``stop()``, on the thread that calls this.
    ///
    /// - Parameter tell: is called on this thread for all that happens, in order; it must be quick, since the kernel keeps
    ///   only 64 events of a keyboard.
    public func run(_ tell: (DeviceEvent) -> Void) {
        var loop = Loop(devices: devices, root: root)
        var isRunning = true
        while isRunning {
            loop.connect(tell)
            var polls = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
            polls += loop.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = poll(&polls, nfds_t(polls.count), loop.timeout)
            if polls[0].revents != 0 {
                var count: UInt64 = 0
                _ = Glibc.read(bell, &count, 8)
                let wish = wish.withLock { wish in
                    defer { wish.isSearch = false }
                    return wish
                }
                isRunning = !wish.isEnd
                if wish.isSearch { loop.nextSearch = Self.now() }
            }
            loop.read(Set(polls.dropFirst().filter { $0.revents != 0 }.map(\.fd)), tell)
        }
        loop.disconnectAll(tell)
    }

    /// The clock that never goes back, which kernel events are timed by.
    public static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension DeviceMonitor {
    /// What the thread knows of the devices.
    private struct Loop {
        let devices: [DeviceConfiguration]
        let root: DeviceList.Root
        /// By place in ``devices``.
        var connections: [Int: any DeviceConnection] = [:]
        var paths: [Int: String] = [:]
        /// The faults that have been told, so that each is told once.
        var faults: [Int: String] = [:]
        var nextSearch = DeviceMonitor.now()

        var descriptors: [Int32] { connections.values.map(\.descriptor) }

        /// Milliseconds until something is to be done; -1 for ever.
        var timeout: Int32 {
            var times = connections.values.compactMap(\.deadline)
            if connections.count < devices.count { times.append(nextSearch) }
            guard let time = times.min() else { return -1 }
            let wait = (time - DeviceMonitor.now()) / .milliseconds(1)
            return Int32(min(max(0, wait.rounded(.up)), 60_000))
        }

        /// Connects what is there and is not connected.
        mutating func connect(_ tell: (DeviceEvent) -> Void) {
            let now = DeviceMonitor.now()
            guard connections.count < devices.count, now >= nextSearch else { return }
            nextSearch = now + DeviceMonitor.searchInterval
            let present = DeviceList.all(in: root)
            for (index, device) in devices.enumerated() where connections[index] == nil {
                guard let identity = find(device, among: present.devices) else {
                    let isForbidden = device.match.connection != .serial && !present.faults.isEmpty
                    fail(index, isForbidden ? present.faults[0] : nil, at: now, tell)
                    continue
                }
                do {
                    connections[index] = try open(identity, device, at: now)
                    paths[index] = identity.path
                    faults[index] = nil
                    tell(DeviceEvent(device: device.name, time: now, kind: .connected(identity)))
                } catch {
                    fail(index, "\(error)", at: now, tell)
                }
            }
        }

        /// The device that is meant, unless another configuration has it.
        private func find(_ device: DeviceConfiguration, among present: [DeviceIdentity]) -> DeviceIdentity? {
            let taken = Set(paths.values)
            let found = present.first {
                !taken.contains($0.path) && device.match.matches($0, resolving: DeviceList.resolve)
            }
            // A port that no pattern finds, such as /dev/ttyS0.
            if found == nil, device.match.connection == .serial, let path = device.match.path,
                let resolved = DeviceList.resolve(path), !taken.contains(resolved)
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
            case (.hid, _): try HIDConnection(path: identity.path, role: device.role)
            case (.serial, _):
                try SerialConnection(path: identity.path, line: device.line, role: device.role, at: time)
            }
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
                } catch {
                    disconnect(index, tell)
                    if !error.isGone { fail(index, "\(error)", at: now, tell) }
                }
            }
        }

        mutating func disconnectAll(_ tell: (DeviceEvent) -> Void) {
            for index in connections.keys.sorted() { disconnect(index, tell) }
        }

        private mutating func disconnect(_ index: Int, _ tell: (DeviceEvent) -> Void) {
            guard let connection = connections.removeValue(forKey: index) else { return }
            paths[index] = nil
            let now = DeviceMonitor.now()
            report(connection.disconnect() + [.disconnected], index, now, tell)
            nextSearch = now
        }

        private func report(
            _ kinds: [DeviceEvent.Kind], _ index: Int, _ time: Duration, _ tell: (DeviceEvent) -> Void
        ) {
            for kind in kinds { tell(DeviceEvent(device: devices[index].name, time: time, kind: kind)) }
        }
    }
}
