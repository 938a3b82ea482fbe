internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOPosix
internal import ScanDevices
internal import StationDevices

/// `/devices`, `/weight` and `/conn_scan_gun`: the scan guns and scales of the station.
struct DeviceRoutes: Sendable {
    let devices: DeviceRegistry

    /// The longest wait for a weight, in seconds.
    private static let longestWait = 30.0

    private struct Guns: Encodable {
        /// The number of configured guns.
        var guns: Int
        /// The number of connected guns.
        var connected: Int
    }

    /// Adds the routes for the station's own page.
    func add(to group: RouteGroup) {
        group.get(
            "devices",
            RouteDescription(
                "devices", "The scan guns and scales", answer: .data(.fields(["devices": .list(of: .schema("Device"))]))
            )
        ) { _, _ in Envelope.answer(data: DevicesMessage(self.devices.states)) }
        group.post(
            "devices/reconnect",
            RouteDescription(
                "reconnectDevices", "Looks at once for devices that are away",
                answer: .data(.fields(["devices": .list(of: .schema("Device"))])))
        ) { _, _ in
            self.devices.search()
            return Envelope.answer(data: DevicesMessage(self.devices.states))
        }
    }

    /// Adds the routes that pages of other origins may use too.
    func addWeight(to group: RouteGroup) {
        group.get(
            "weight",
            RouteDescription(
                "weight", "What a scale shows",
                parameters: [
                    .query(
                        "device", "The scale's name; the first that shows something without it.", ["type": "string"]),
                    .query(
                        "wait", "How many seconds to wait until the scale is at rest.",
                        ["type": "number", "minimum": .integer(0), "maximum": .integer(30)]),
                    .query("stable", "0: also a weight that is not at rest.", ["enum": ["0", "1"]]),
                ], answer: .data(.schema("Weight")), failures: [.badRequest, .notFound, .conflict, .tooMany])
        ) { request, _ in try await self.weight(request.query) }
    }

    /// Adds the routes that pages of other origins may use without a session, for pages written before sessions
    /// existed.
    ///
    /// They name no device, and only trigger a scan for devices.
    func addConnection(to group: RouteGroup) {
        group.get(
            "conn_scan_gun",
            RouteDescription(
                "connectScanGun", "Looks at once for the scan gun, and says whether it is connected",
                details: "A page of a listed origin may ask without a session, in a browser on the station's "
                    + "machine.",
                answer: .data(
                    .fields([
                        "guns": ["type": "integer", "description": "How many are configured."],
                        "connected": ["type": "integer"],
                    ])), failures: [.notFound, .conflict, .tooMany])
        ) { _, _ in
            self.devices.search()
            let guns = self.devices.states.filter { $0.kind == .gun }
            let answer = Guns(guns: guns.count, connected: guns.count { $0.status == .connected })
            guard answer.guns > 0 else {
                throw HTTPFailure(.notFound, "no_gun", "No scan gun is configured.")
            }
            guard answer.connected > 0 else {
                throw HTTPFailure(
                    .conflict, "gun_away", "The scan gun is not connected; the station is searching for it.")
            }
            return Envelope.answer(data: answer)
        }
    }

    private func weight(_ query: RequestQuery) async throws -> Response {
        let device = query["device"].flatMap { $0.isEmpty ? nil : $0 }
        var wait = 0.0
        if let text = query["wait"] {
            guard let seconds = Double(text), (0...Self.longestWait).contains(seconds) else {
                throw HTTPFailure.badRequest("bad_wait", "`wait` must be 0 to 30 seconds.")
            }
            wait = seconds
        }
        let acceptsMotion = query["stable"] == "0"
        let weight =
            acceptsMotion ? devices.weight(of: device) : await devices.weight(of: device, atRestWithin: .seconds(wait))
        switch weight {
        case .weight(let reading, let device):
            guard reading.isStable || acceptsMotion else { throw Self.failure(.inMotion, device) }
            return Envelope.answer(data: WeightMessage(reading, device: device))
        case .fault(let fault, let device): throw Self.failure(fault, device)
        case .silent(let device):
            throw HTTPFailure(.conflict, "scale_silent", "The scale \(device) is not connected or does not answer.")
        case .none:
            throw HTTPFailure(.notFound, "no_scale", "No such scale is configured.")
        }
    }

    private static func failure(_ fault: ScaleFault, _ device: String) -> HTTPFailure {
        let sentence =
            switch fault {
            case .overload: "The scale \(device) is overloaded."
            case .underload: "The scale \(device) is below zero or its pan is missing."
            case .inMotion: "The scale \(device) is not stable."
            case .notReady: "The scale \(device) is not ready."
            case .calibration: "The scale \(device) must be calibrated or set to zero."
            case .fault: "The scale \(device) reports a fault."
            }
        return HTTPFailure(.conflict, fault.rawValue, sentence)
    }
}

/// Publishes changes of devices to the station's pages.
struct DevicePublisher: Sendable {
    let devices: DeviceRegistry
    let scanService: ScanService

    /// The minimum interval between messages: a scale reports its weight several times a second.
    private static let pause: Duration = .milliseconds(250)

    /// The interval between battery queries for a device in use.
    private static let batteryPause: Duration = .seconds(60)

    /// Publishes until the task is cancelled.
    func follow() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.publish() }
            group.addTask { await self.followBatteries() }
        }
    }

    /// Queries the batteries of newly connected devices, and of those in use.
    private func followBatteries() async {
        var asked: [String: (path: String, at: ContinuousClock.Instant)] = [:]
        for await _ in devices.changes() {
            for state in devices.states {
                guard state.status == .connected, let identity = state.identity else {
                    asked[state.name] = nil
                    continue
                }
                if let last = asked[state.name], last.path == identity.path,
                    last.at.duration(to: .now) < Self.batteryPause
                {
                    continue
                }
                asked[state.name] = (identity.path, .now)
                // The query may go to the device itself, which may be asleep.
                let battery = try? await NIOThreadPool.singleton.runIfActive { DeviceBattery.percent(of: identity) }
                if let battery { devices.take(battery: battery, of: state.name, at: identity.path) }
            }
        }
    }

    private func publish() async {
        var told: [DeviceState] = []
        for await _ in devices.changes() {
            let states = devices.states
            // A new time of the last event alone is not worth a message.
            if !told.elementsEqual(states, by: { $0.isShownAs($1) }) {
                told = states
                scanService.publish("devices", DevicesMessage(states), to: .station)
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
        }
    }
}

extension DeviceState {
    /// Indicates whether a page shows both states alike.
    fileprivate func isShownAs(_ other: DeviceState) -> Bool {
        name == other.name && status == other.status && problem == other.problem && scans == other.scans
            && discarded == other.discarded && message == other.message && battery == other.battery
            && measurement == other.measurement
    }
}
