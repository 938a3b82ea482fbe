/// The state of a device that is read over Bluetooth.
struct BluetoothDevice: Sendable {
    enum Phase: Sendable, Hashable {
        /// It has no known object.
        case away
        /// It is to be connected at this time.
        case waiting(until: Duration)
        /// It has been connecting since this time.
        case connecting(since: Duration)
        /// Its services have been resolving since one time, and are to be used from another time on.
        case resolving(since: Duration, notBefore: Duration)
        /// Notifications of this characteristic are requested.
        case subscribing(String)
        /// Notifications of this characteristic arrive.
        case listening(String)
        /// Its advertisements are read; the last came at this time.
        case advertising(heard: Duration)
    }

    /// The longest time without advertisements.
    static let advertisementPatience: Duration = .seconds(60)
    /// The timeout of service resolution on a connected device.
    static let servicePatience: Duration = .seconds(30)
    /// The time that it may be missing before discovery starts; after a loss it is first called by its address.
    static let searchDelay: Duration = .seconds(5)
    /// The duration above which a connection without data does not count as a failure.
    private static let longEnough: Duration = .seconds(10)
    private static let longestWait = 30

    let configuration: DeviceConfiguration
    var phase = Phase.away
    /// Its object path at bluetoothd; `nil` while it is not known.
    var path: String?
    /// The number of consecutive failed attempts to connect.
    var attempts = 0
    var lastAttempt: Duration = .zero
    /// The time of its last advertisement.
    var heard: Duration?
    /// The time since which it is not connected.
    var missingSince: Duration?
    /// The time at which it was connected.
    var readySince: Duration?
    var hasSent = false
    /// Indicates whether the beginning of a code may have been missed though the connection stayed up.
    var mayBeAmidCode = false
    /// The reason why it cannot be read, and the reason that was last reported.
    var problem: String?
    var told: String?
    var battery: Int?
    var lines: LineScanDecoder
    var steady = SteadyWeight()

    init(_ configuration: DeviceConfiguration) {
        self.configuration = configuration
        lines = LineScanDecoder()
        reset()
    }

    /// Indicates whether it is read over a connection instead of through advertisements.
    var connects: Bool { configuration.bluetooth.source == .notification }

    var isReady: Bool {
        switch phase {
        case .listening, .advertising: true
        default: false
        }
    }

    var isConnecting: Bool {
        switch phase {
        case .connecting, .resolving, .subscribing: true
        default: false
        }
    }

    /// Clears the data of a connection that has ended.
    mutating func reset() {
        if case .gun(let gun) = configuration.role { lines = LineScanDecoder(framing: gun.framing) }
        steady = SteadyWeight()
        hasSent = false
    }

    /// Begins to read the device.
    ///
    /// A scanner that has just been connected sends its codes from the beginning, however soon.
    mutating func begin(at time: Duration) {
        reset()
        if mayBeAmidCode { lines.join(at: time) }
        mayBeAmidCode = false
    }

    /// Schedules the next attempt to connect with exponential backoff, up to 30 seconds.
    mutating func wait(from time: Duration) {
        let seconds = attempts == 0 ? 0 : min(Self.longestWait, 1 << min(attempts - 1, 6))
        attempts += 1
        phase = .waiting(until: time + .seconds(seconds))
    }

    /// Schedules an attempt after a loss: at once if the connection had worked.
    mutating func waitAfterLoss(at time: Duration) {
        if hasSent || time - (readySince ?? time) >= Self.longEnough { attempts = 0 }
        (hasSent, readySince) = (false, nil)
        wait(from: time)
    }

    /// Retries at once.
    mutating func retry(at time: Duration) {
        attempts = 0
        if case .waiting = phase { phase = .waiting(until: time) }
    }

    /// The times of the next steps.
    var deadlines: [Duration] {
        var times: [Duration] = []
        switch phase {
        case .waiting(let until): times.append(until)
        case .resolving(let since, let notBefore): times += [notBefore, since + Self.servicePatience]
        case .advertising(let heard): times.append(heard + Self.advertisementPatience)
        case .listening: if let deadline = lines.deadline { times.append(deadline) }
        case .away, .connecting, .subscribing: break
        }
        if let missingSince { times.append(missingSince + Self.searchDelay) }
        return times
    }

    /// Decodes data of the device; `nil` if it does not match the configured content.
    mutating func read(_ bytes: [UInt8], at time: Duration) -> [DeviceEvent.Kind]? {
        switch (configuration.role, configuration.bluetooth.content) {
        case (.gun, _): return lines.handle(bytes, at: time).map { .init($0) }
        case (.scale, .weightScale):
            return [BluetoothMeasurement.weight(bytes).map { .scale(.weight($0)) } ?? .scale(.unavailable(.fault))]
        case (.scale(.bluetooth(let unit)), .number(let number)):
            guard let reading = number.weight(in: bytes, unit: unit) else { return nil }
            return [.scale(.weight(steady.take(reading, at: time)))]
        case (.sensor, .heartRate):
            return BluetoothMeasurement.heartRate(bytes).map { [.measurement(String($0), unit: "bpm")] }
        case (.sensor, .number(let number)):
            return number.text(in: bytes).map { [.measurement($0, unit: number.unit)] }
        case (.scale, _), (.sensor, _): return nil
        }
    }
}
