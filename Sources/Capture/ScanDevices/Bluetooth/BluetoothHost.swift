internal import Glibc

/// The devices that are read over Bluetooth: a ``BluetoothCentral`` at the system's bus.
///
/// It never waits, and is used by one thread, that of its ``DeviceMonitor``.
final class BluetoothHost {
    /// How often the bus is looked for where there is none.
    private static let interval: Duration = .seconds(5)

    private let address: String?
    private var bus: SystemBus?
    private var central: BluetoothCentral
    private var nextAttempt: Duration = .zero
    /// Why there is no bus.
    private var fault: String?

    init(_ devices: [DeviceConfiguration], address: String?, isSurvey: Bool = false) {
        self.address = address
        central = BluetoothCentral(devices, isSurvey: isSurvey)
    }

    /// The file to wait for.
    var poll: pollfd? { bus?.poll }

    /// When there is something to do though nothing has come.
    var deadline: Duration? {
        let busTime = bus == nil ? nextAttempt : bus?.deadline
        return [busTime, central.deadline].compactMap { $0 }.min()
    }

    /// Takes what has come, and that time has passed.
    func advance(to time: Duration, _ tell: (DeviceEvent) -> Void) {
        connect(at: time)
        do throws(BusError) {
            var messages: [BusMessage] = []
            // What has come before the bus was lost has come.
            defer { for message in messages { central.handle(message, at: time) } }
            try bus?.process { messages.append($0) }
        } catch {
            lose(error, at: time)
        }
        central.advance(to: time)
        finish(at: time, tell)
    }

    /// Connects at once what is not connected.
    func search(at time: Duration) {
        nextAttempt = min(nextAttempt, time)
        central.search(at: time)
    }

    /// Ends all connections.
    func stop(at time: Duration, _ tell: (DeviceEvent) -> Void) {
        central.stop(at: time)
        finish(at: time, tell)
        bus?.flush()
        bus = nil
    }

    private func connect(at time: Duration) {
        guard bus == nil, time >= nextAttempt else { return }
        do throws(BusError) {
            bus = try SystemBus(address: address)
            fault = nil
            central.start(at: time)
        } catch {
            lose(error, at: time)
        }
    }

    private func lose(_ error: BusError, at time: Duration) {
        bus = nil
        nextAttempt = time + Self.interval
        fault = error.sentence
        central.end(error.sentence, at: time)
    }

    /// Sends and tells what follows.
    private func finish(at time: Duration, _ tell: (DeviceEvent) -> Void) {
        let output = central.takeOutput()
        for event in output.events { tell(event) }
        for request in output.requests {
            do throws(BusError) {
                try bus?.send(request.call, number: request.number)
            } catch {
                lose(error, at: time)
                for event in central.takeOutput().events { tell(event) }
                return
            }
        }
    }
}

extension BluetoothHost {
    /// A device that bluetoothd knows, and what is left in its battery, in percent.
    typealias Found = (device: DeviceIdentity, battery: Int?)

    /// The devices that bluetoothd knows.
    ///
    /// - Parameter time: how long others are looked for; without it only those that are paired or connected are named.
    /// - Returns: the devices, or why there are none.
    static func devices(searching time: Duration?, address: String? = nil) -> (devices: [Found], fault: String?) {
        let host = BluetoothHost([], address: address, isSurvey: time != nil)
        let begin = DeviceMonitor.now()
        let end = begin + (time ?? .zero)
        // An answer that is late is none: a program that lists is not to hang.
        let latest = end + .seconds(time == nil ? 3 : 10)
        while true {
            let now = DeviceMonitor.now()
            host.advance(to: now) { _ in }
            if let fault = host.fault { return ([], fault) }
            if let fault = host.central.problem { return ([], fault) }
            if now >= end, host.central.hasObjects || now >= latest { break }
            var polls = host.poll.map { [$0] } ?? []
            let next = min(host.deadline ?? latest, host.central.hasObjects ? end : latest)
            let wait = ((next - now) / .milliseconds(1)).rounded(.up)
            _ = Glibc.poll(&polls, nfds_t(polls.count), Int32(min(max(0, wait), 60_000)))
        }
        let objects = host.central.objects
        let paths = objects.devices.filter { time != nil || objects.isKept($0) }
        host.stop(at: DeviceMonitor.now()) { _ in }
        return (
            paths.map { (objects.identity($0), objects.battery($0)) },
            host.central.hasObjects ? host.central.adapterProblem : nil
        )
    }
}
