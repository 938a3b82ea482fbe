internal import Glibc

/// Reads devices over Bluetooth: runs a ``BluetoothCentral`` on the system bus.
///
/// It never blocks, and is used by one thread, that of its ``DeviceMonitor``.
final class BluetoothHost {
    /// The interval of attempts to connect to the bus.
    private static let interval: Duration = .seconds(5)

    private let address: String?
    private var bus: SystemBus?
    private var central: BluetoothCentral
    private var nextAttempt: Duration = .zero
    /// The reason why there is no bus.
    private var fault: String?

    init(_ devices: [DeviceConfiguration], address: String?, isSurvey: Bool = false) {
        self.address = address
        central = BluetoothCentral(devices, isSurvey: isSurvey)
    }

    /// The descriptor to poll.
    var poll: pollfd? { bus?.poll }

    /// The time of the next step if no input comes.
    var deadline: Duration? {
        let busTime = bus == nil ? nextAttempt : bus?.deadline
        return [busTime, central.deadline].compactMap { $0 }.min()
    }

    /// Processes pending input, and advances the time.
    func advance(to time: Duration, _ tell: (DeviceEvent) -> Void) {
        connect(at: time)
        do throws(BusError) {
            var messages: [BusMessage] = []
            // Messages that came before the bus was lost are still handled.
            defer { for message in messages { central.handle(message, at: time) } }
            try bus?.process { messages.append($0) }
        } catch {
            lose(error, at: time)
        }
        central.advance(to: time)
        finish(at: time, tell)
    }

    /// Retries all missing devices at once.
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

    /// Sends the pending calls and reports the pending events.
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
    /// A device that bluetoothd knows, and its battery level in percent.
    typealias Found = (device: DeviceIdentity, battery: Int?)

    /// Lists the devices that bluetoothd knows.
    ///
    /// - Parameter time: the duration of discovery; if `nil`, only paired and connected devices are listed.
    /// - Returns: the devices, or the reason why there are none.
    static func devices(searching time: Duration?, address: String? = nil) -> (devices: [Found], fault: String?) {
        let host = BluetoothHost([], address: address, isSurvey: time != nil)
        let begin = DeviceMonitor.now()
        let end = begin + (time ?? .zero)
        // A limit for late replies: a program that lists devices must not hang.
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
