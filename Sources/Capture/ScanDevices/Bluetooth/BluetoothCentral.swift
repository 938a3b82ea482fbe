/// Connects the configured devices through bluetoothd, and turns their data into events.
///
/// A pure state machine: bus messages go in, calls and events come out, and ``deadline`` says when to call
/// ``advance(to:)``. After each step, ``settle(at:)`` compares the state of bluetoothd with the wanted one, so that
/// the order in which things fail and recover does not matter.
struct BluetoothCentral: Sendable {
    /// The purpose of a call.
    enum Purpose: Sendable, Hashable {
        case owner, activation, objects
        case filter(adapter: String)
        case scan(adapter: String)
        case connect(Int, device: String)
        case notify(Int, characteristic: String)
        case other
    }

    /// A call to send.
    struct Request: Sendable, Hashable {
        var number: UInt64
        var call: BusCall
    }

    static let service = "org.bluez"
    static let bus = "org.freedesktop.DBus"
    /// The timeout of a reply; bluetoothd itself limits the time of Connect.
    static let patience: Duration = .seconds(30)
    static let connectPatience: Duration = .seconds(60)
    /// The time that a shared requirement may be missing before it is reported, so that a restart goes unnoticed.
    static let grace: Duration = .seconds(3)
    /// The interval of checks for bluetoothd while no signal announces it.
    static let activationInterval: Duration = .seconds(30)

    let isSurvey: Bool
    var links: [BluetoothDevice]
    var objects = BlueZObjects()
    /// The discovery state by adapter.
    var scans: [String: BluetoothScan] = [:]
    /// The events and calls since ``takeOutput()``.
    var events: [DeviceEvent] = []
    var requests: [Request] = []
    /// The time of the last step.
    var time: Duration = .zero

    private var calls: [UInt64: (purpose: Purpose, deadline: Duration)] = [:]
    private var lastNumber: UInt64 = 0
    /// The unique bus name of bluetoothd; `nil` while it does not run.
    private var owner: String?
    /// Indicates whether ``objects`` reflects the state of bluetoothd.
    private(set) var hasObjects = false
    private var nextActivation: Duration?
    /// The reason why bluetoothd cannot be used.
    private(set) var problem: String?
    private var broken: (problem: String, since: Duration)?

    /// Creates a state machine that is not connected to a bus.
    ///
    /// - Parameter isSurvey: whether to run discovery though no device is missing.
    init(_ devices: [DeviceConfiguration], isSurvey: Bool = false) {
        links = devices.map(BluetoothDevice.init)
        self.isSurvey = isSurvey
    }

    /// Returns and clears the pending events and calls.
    mutating func takeOutput() -> (events: [DeviceEvent], requests: [Request]) {
        defer { (events, requests) = ([], []) }
        return (events, requests)
    }

    // MARK: the bus

    /// Handles the connection to the bus.
    mutating func start(at time: Duration) {
        self.time = time
        let signals = "type='signal',sender='\(Self.service)'"
        for rule in [
            "type='signal',sender='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.service)'",
            "\(signals),interface='org.freedesktop.DBus.ObjectManager'",
            "\(signals),interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'",
        ] { callBus("AddMatch", .text(rule), for: .other) }
        callBus("GetNameOwner", .text(Self.service), for: .owner)
        settle(at: time)
    }

    /// Handles the loss of the bus, with the reason.
    mutating func end(_ sentence: String, at time: Duration) {
        self.time = time
        lose(bluetoothd: sentence)
        nextActivation = nil
        requests = []
        settle(at: time)
    }

    /// Ends all connections, so that a scanner notices that nobody listens to it.
    mutating func stop(at time: Duration) {
        self.time = time
        for index in links.indices {
            if links[index].isConnecting || links[index].isReady, links[index].connects, let path = links[index].path {
                call(path, .device, "Disconnect", for: .other)
            }
            lose(index)
        }
    }

    /// Retries all missing devices at once.
    mutating func search(at time: Duration) {
        self.time = time
        if nextActivation != nil { nextActivation = time }
        for index in links.indices { links[index].retry(at: time) }
        settle(at: time)
    }

    // MARK: input

    /// Handles a message.
    mutating func handle(_ message: BusMessage, at time: Duration) {
        self.time = time
        switch message {
        case .signal(Self.bus, _, _, "NameOwnerChanged", let body):
            if body.count == 3, body[0].text == Self.service { have(owner: body[2].text ?? "") }
        // A signal from any other sender is not trusted.
        case .signal(let sender, let path, _, let member, let body) where sender == owner:
            handle(member, path, body)
        case .signal: break
        case .reply(let number, let body):
            if let call = calls.removeValue(forKey: number) { succeed(call.purpose, body) }
        case .failure(let number, let name, let text):
            if let call = calls.removeValue(forKey: number) { fail(call.purpose, name, text) }
        }
        settle(at: time)
    }

    private mutating func handle(_ member: String, _ path: String, _ body: [BusValue]) {
        switch (member, body.first?.text) {
        case ("InterfacesAdded", let path?):
            guard body.count == 2, let interfaces = body[1].table else { return }
            objects.add(path, interfaces)
            if interfaces[BlueZObjects.Interface.device.name] != nil { hear(path) }
        case ("InterfacesRemoved", let path?):
            guard body.count == 2, let names = body[1].list else { return }
            objects.remove(path, names.compactMap(\.text))
        case ("PropertiesChanged", let name?):
            guard body.count == 3, let interface = BlueZObjects.Interface(name: name), let changed = body[1].table
            else {
                return
            }
            objects.change(path, interface, changed, gone: body[2].list?.compactMap(\.text) ?? [])
            switch interface {
            case .device where changed.keys.contains { ["RSSI", "ManufacturerData", "ServiceData"].contains($0) }:
                hear(path)
            case .characteristic:
                if let bytes = changed["Value"]?.bytes { take(bytes, from: path) }
                if changed["Notifying"]?.flag == false { silence(path) }
            case .adapter: if changed["Discovering"]?.flag == false { scans[path]?.hasEnded(at: time) }
            default: break
            }
        default: break
        }
    }

    /// Advances the time.
    mutating func advance(to time: Duration) {
        self.time = time
        for (number, call) in calls.sorted(by: { $0.key < $1.key }) where call.deadline <= time {
            calls[number] = nil
            fail(call.purpose, "org.freedesktop.DBus.Error.NoReply", "there was no answer")
        }
        if let due = nextActivation, due <= time {
            nextActivation = nil
            callBus("GetNameOwner", .text(Self.service), for: .owner)
        }
        endLines()
        settle(at: time)
    }

    /// The time of the next call of ``advance(to:)``; `nil` while nothing is pending.
    var deadline: Duration? {
        var times = calls.values.map(\.deadline) + links.flatMap(\.deadlines) + scans.values.compactMap(\.deadline)
        if let nextActivation { times.append(nextActivation) }
        if let broken { times.append(broken.since + Self.grace) }
        return times.filter { $0 > time }.min()
    }

    // MARK: bluetoothd

    private mutating func have(owner name: String) {
        if name.isEmpty {
            lose(bluetoothd: Self.absent)
            nextActivation = time + Self.activationInterval
        } else if name != owner {
            // The last problem stays valid until bluetoothd has replied.
            lose(bluetoothd: problem)
            owner = name
            nextActivation = nil
            callBlueZ("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", for: .objects)
        }
    }

    /// Clears the state of bluetoothd.
    private mutating func lose(bluetoothd problem: String?) {
        owner = nil
        hasObjects = false
        objects = BlueZObjects()
        calls = [:]
        scans = [:]
        self.problem = problem
    }

    private static let absent =
        "bluetoothd is not running: install the package bluez and start it with \"systemctl enable --now bluetooth\"."

    private mutating func succeed(_ purpose: Purpose, _ body: [BusValue]) {
        switch purpose {
        case .owner: have(owner: body.first?.text ?? "")
        case .objects:
            objects = BlueZObjects()
            for (path, interfaces) in body.first?.table ?? [:] { objects.add(path, interfaces.table ?? [:]) }
            hasObjects = true
            problem = nil
        case .filter(let adapter): scan(adapter)
        case .scan(let adapter): scans[adapter]?.hasBegun()
        case .connect(let index, let device): connectionEnded(index, device, nil)
        case .notify(let index, let characteristic): listen(index, characteristic)
        case .activation, .other: break
        }
    }

    private mutating func fail(_ purpose: Purpose, _ name: String, _ text: String) {
        switch purpose {
        case .owner where name.hasSuffix(".NameHasNoOwner"):
            // Any call makes the bus start bluetoothd, if it may (D-Bus activation).
            callBlueZ("/", "org.freedesktop.DBus.Peer", "Ping", for: .activation)
        case .owner, .activation, .objects:
            owner = nil
            problem =
                name.hasSuffix(".AccessDenied")
                ? "permission denied by bluetoothd. Add the user of this program to the group bluetooth."
                : Self.absent
            nextActivation = time + Self.activationInterval
        case .filter(let adapter), .scan(let adapter):
            if name.hasSuffix(".InProgress") { scans[adapter]?.hasBegun() } else { scans[adapter]?.hasEnded(at: time) }
        case .connect(let index, let device): connectionEnded(index, device, BluetoothFailure(name, text))
        case .notify(let index, let characteristic): refuse(index, characteristic, BluetoothFailure(name, text))
        case .other: break
        }
    }

    // MARK: shared problems

    /// Returns the reason why nothing can be connected; `nil` if there is none, or during the grace period.
    mutating func updateCommonProblem() -> String? {
        let problem = problem ?? (hasObjects ? adapterProblem : nil)
        guard let problem else {
            broken = nil
            return nil
        }
        if broken?.problem != problem { broken = (problem, time) }
        return time - (broken?.since ?? time) >= Self.grace ? problem : nil
    }

    var adapterProblem: String? {
        let adapters = objects.adapters
        if adapters.isEmpty { return "This computer has no Bluetooth adapter, or the kernel has no driver for it." }
        guard !adapters.contains(where: objects.isPowered) else { return nil }
        return
            "Bluetooth is switched off: switch it on with \"bluetoothctl power on\", after \"rfkill unblock "
            + "bluetooth\" if it is blocked."
    }

    // MARK: calls

    private mutating func callBus(_ member: String, _ argument: BusValue, for purpose: Purpose) {
        send(
            BusCall(path: "/org/freedesktop/DBus", interface: Self.bus, member: member, arguments: [argument]), purpose)
    }

    private mutating func callBlueZ(_ path: String, _ interface: String, _ member: String, for purpose: Purpose) {
        send(BusCall(destination: Self.service, path: path, interface: interface, member: member), purpose)
    }

    /// Calls a method of an object of bluetoothd.
    mutating func call(
        _ path: String, _ interface: BlueZObjects.Interface, _ member: String, _ arguments: [BusValue] = [],
        for purpose: Purpose
    ) {
        send(
            BusCall(
                destination: Self.service, path: path, interface: interface.name, member: member, arguments: arguments),
            purpose)
    }

    private mutating func send(_ call: BusCall, _ purpose: Purpose) {
        lastNumber &+= 1
        let patience = if case .connect = purpose { Self.connectPatience } else { Self.patience }
        calls[lastNumber] = (purpose, time + patience)
        requests.append(Request(number: lastNumber, call: call))
    }
}

/// An error reply of bluetoothd.
struct BluetoothFailure: Sendable, Hashable {
    /// The last component of the error's name.
    var name: String
    var text: String

    init(_ name: String, _ text: String) {
        self.name = String(name.split(separator: ".").last ?? "")
        self.text = text
    }

    /// Indicates whether the user has to act, for example by pairing.
    var isRefusal: Bool {
        name.hasPrefix("Authentication")
            || ["NotPermitted", "NotAuthorized", "NotSupported", "AccessDenied"].contains(name)
    }
}
