/// What is known of a device that is to be read over Bluetooth.
struct BluetoothDevice: Sendable {
    enum Phase: Sendable, Hashable {
        /// It is not known where it is.
        case away
        /// It is to be connected at this time.
        case waiting(until: Duration)
        /// It is being connected, since this time.
        case connecting(since: Duration)
        /// Its services are being looked for since one time, and are to be used at another.
        case resolving(since: Duration, notBefore: Duration)
        /// Notifications of this characteristic are asked for.
        case subscribing(String)
        /// Notifications of this characteristic come.
        case listening(String)
        /// Its advertisements are read; the last came at this time.
        case advertising(heard: Duration)
    }

    /// How long advertisements may stay away.
    static let advertisementPatience: Duration = .seconds(60)
    /// How long the services of a connected device are waited for.
    static let servicePatience: Duration = .seconds(30)
    /// How long it may be away before it is looked for: after a loss it is asked for by its address first.
    static let searchDelay: Duration = .seconds(5)
    /// How long a connection lasts that is no failure though nothing came by it.
    private static let longEnough: Duration = .seconds(10)
    private static let longestWait = 30

    let configuration: DeviceConfiguration
    var phase = Phase.away
    /// Its object at bluetoothd; nil while it is not known.
    var path: String?
    /// Attempts to connect it that have failed, in a row.
    var attempts = 0
    var lastAttempt: Duration = .zero
    /// When its advertisement came last.
    var heard: Duration?
    /// Since when it is not connected.
    var missingSince: Duration?
    /// When it was connected.
    var readySince: Duration?
    var hasSent = false
    /// Whether it may have sent the beginning of a code that nobody heard, though its connection is there.
    var mayBeAmidCode = false
    /// Why it cannot be read, and what was told of that.
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

    /// Whether a connection is made for it; its advertisements are read otherwise.
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

    /// Forgets what came by a connection that has ended.
    mutating func reset() {
        if case .gun(let gun) = configuration.role { lines = LineScanDecoder(framing: gun.framing) }
        steady = SteadyWeight()
        hasSent = false
    }

    /// Begins to read it.
    ///
    /// A gun that has just been connected sends its code from the beginning, however soon.
    mutating func begin(at time: Duration) {
        reset()
        if mayBeAmidCode { lines.join(at: time) }
        mayBeAmidCode = false
    }

    /// Has it connected again after a failure, later each time.
    mutating func wait(from time: Duration) {
        let seconds = attempts == 0 ? 0 : min(Self.longestWait, 1 << min(attempts - 1, 6))
        attempts += 1
        phase = .waiting(until: time + .seconds(seconds))
    }

    /// Has it connected again after a loss: at once where the connection was a good one.
    mutating func waitAfterLoss(at time: Duration) {
        if hasSent || time - (readySince ?? time) >= Self.longEnough { attempts = 0 }
        (hasSent, readySince) = (false, nil)
        wait(from: time)
    }

    /// Has it connected at once.
    mutating func retry(at time: Duration) {
        attempts = 0
        if case .waiting = phase { phase = .waiting(until: time) }
    }

    /// When there is something to do.
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

    /// What something that it has sent says; nil where that is none of what is configured.
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
