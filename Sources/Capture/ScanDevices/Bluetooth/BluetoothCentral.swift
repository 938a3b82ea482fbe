/// Has the configured devices connected by bluetoothd, and makes events of what they send.
///
/// A pure state machine: what comes from the bus goes in, calls and events come out, and ``deadline`` says when to call
/// ``advance(to:)``. After whatever has happened, ``settle(at:)`` compares what bluetoothd tells with what should be, so
/// that it does not matter in which order things break and come back.
struct BluetoothCentral: Sendable {
    /// What a call was for.
    enum Purpose: Sendable, Hashable {
        case owner, activation, objects
        case filter(adapter: String)
        case scan(adapter: String)
        case connect(Int, device: String)
        case notify(Int, characteristic: String)
        case other
    }

    /// A call that is to be sent.
    struct Request: Sendable, Hashable {
        var number: UInt64
        var call: BusCall
    }

    static let service = "org.bluez"
    static let bus = "org.freedesktop.DBus"
    /// How long an answer is waited for; that to Connect is bluetoothd's own to limit.
    static let patience: Duration = .seconds(30)
    static let connectPatience: Duration = .seconds(60)
    /// How long something that all need is away before it is told: a restart is none of anybody's business.
    static let grace: Duration = .seconds(3)
    /// How often bluetoothd is looked for where nothing tells of it.
    static let activationInterval: Duration = .seconds(30)

    let isSurvey: Bool
    var links: [BluetoothDevice]
    var objects = BlueZObjects()
    /// What adapters do to find devices.
    var scans: [String: BluetoothScan] = [:]
    /// What has happened and what is to be sent since it was taken.
    var events: [DeviceEvent] = []
    var requests: [Request] = []
    /// When something happened last.
    var time: Duration = .zero

    private var calls: [UInt64: (purpose: Purpose, deadline: Duration)] = [:]
    private var lastNumber: UInt64 = 0
    /// The unique name of bluetoothd; nil while it does not run.
    private var owner: String?
    /// Whether ``objects`` is what bluetoothd tells.
    private(set) var hasObjects = false
    private var nextActivation: Duration?
    /// Why bluetoothd cannot be used; and what keeps all from working, since when.
    private(set) var problem: String?
    private var broken: (problem: String, since: Duration)?

    /// A machine that is not connected to a bus.
    ///
    /// - Parameter isSurvey: whether devices are looked for though none is missing.
    init(_ devices: [DeviceConfiguration], isSurvey: Bool = false) {
        links = devices.map(BluetoothDevice.init)
        self.isSurvey = isSurvey
    }

    /// Takes what has happened and what is to be sent.
    mutating func takeOutput() -> (events: [DeviceEvent], requests: [Request]) {
        defer { (events, requests) = ([], []) }
        return (events, requests)
    }

    // MARK: the bus

    /// Takes that there is a bus.
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

    /// Takes that the bus is gone, and why.
    mutating func end(_ sentence: String, at time: Duration) {
        self.time = time
        lose(bluetoothd: sentence)
        nextActivation = nil
        requests = []
        settle(at: time)
    }

    /// Ends all connections, so that a gun notices that nobody listens to it.
    mutating func stop(at time: Duration) {
        self.time = time
        for index in links.indices {
            if links[index].isConnecting || links[index].isReady, links[index].connects, let path = links[index].path {
                call(path, .device, "Disconnect", for: .other)
            }
            lose(index)
        }
    }

    /// Connects at once what is not connected.
    mutating func search(at time: Duration) {
        self.time = time
        if nextActivation != nil { nextActivation = time }
        for index in links.indices { links[index].retry(at: time) }
        settle(at: time)
    }

    // MARK: what comes

    /// Takes a message.
    mutating func handle(_ message: BusMessage, at time: Duration) {
        self.time = time
        switch message {
        case .signal(Self.bus, _, _, "NameOwnerChanged", let body):
            if body.count == 3, body[0].text == Self.service { have(owner: body[2].text ?? "") }
        // A signal of anybody else is not believed.
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

    /// Takes that time has passed.
    mutating func advance(to time: Duration) {
        self.time = time
        for (number, call) in calls.sorted(by: { $0.key < $1.key }) where call.deadline <= time {
            calls[number] = nil
            fail(call.purpose, "org.freedesktop.DBus.Error.NoReply", "no answer came")
        }
        if let due = nextActivation, due <= time {
            nextActivation = nil
            callBus("GetNameOwner", .text(Self.service), for: .owner)
        }
        settle(at: time)
    }

    /// When ``advance(to:)`` has something to do; nil while nothing waits.
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
            // What was told of it holds until it has answered.
            lose(bluetoothd: problem)
            owner = name
            nextActivation = nil
            callBlueZ("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", for: .objects)
        }
    }

    /// Forgets all that bluetoothd told.
    private mutating func lose(bluetoothd problem: String?) {
        owner = nil
        hasObjects = false
        objects = BlueZObjects()
        calls = [:]
        scans = [:]
        self.problem = problem
    }

    private static let absent =
        "bluetoothd does not run, by which Bluetooth is used: install the package bluez and start it with "
        + "\"systemctl enable --now bluetooth\"."

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
            // Asking for anything has the bus start it, where it may.
            callBlueZ("/", "org.freedesktop.DBus.Peer", "Ping", for: .activation)
        case .owner, .activation, .objects:
            owner = nil
            problem =
                name.hasSuffix(".AccessDenied")
                ? "bluetoothd refuses this program: permission denied. Add its user to the group bluetooth."
                : Self.absent
            nextActivation = time + Self.activationInterval
        case .filter(let adapter), .scan(let adapter):
            if name.hasSuffix(".InProgress") { scans[adapter]?.hasBegun() } else { scans[adapter]?.hasEnded(at: time) }
        case .connect(let index, let device): connectionEnded(index, device, BluetoothFailure(name, text))
        case .notify(let index, let characteristic): refuse(index, characteristic, BluetoothFailure(name, text))
        case .other: break
        }
    }

    // MARK: what is wrong with all

    /// Why nothing can be connected; nil where it can, or while it has only just broken.
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
            "Bluetooth is switched off: \"bluetoothctl power on\" switches it on, after \"rfkill unblock bluetooth\" where "
            + "it is blocked."
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

/// Why bluetoothd could not do something.
struct BluetoothFailure: Sendable, Hashable {
    /// The name of the error without what is before its last point.
    var name: String
    var text: String

    init(_ name: String, _ text: String) {
        self.name = String(name.split(separator: ".").last ?? "")
        self.text = text
    }

    /// Whether a person has to do something, as by pairing.
    var isRefusal: Bool {
        name.hasPrefix("Authentication")
            || ["NotPermitted", "NotAuthorized", "NotSupported", "AccessDenied"].contains(name)
    }
}
