import Delivery
import Glibc
import ScanDevices
import ScanOutbox
import StationDevices
import StationServer
import VideoCapture

/// The station's part of the configuration.
struct StationConfiguration: Sendable {
    var port = 6079
    var address = "127.0.0.1"
    var hosts: [String] = []
    var origins: [String] = []
    var tokenFile = ""
    var camera: String?
    /// The camera as a command or address; `nil` for a path.
    private(set) var cameraCommand: CaptureCommand?
    var replay: String?
    var replayRate = 10.0
    var mode = "continuous"
    /// The scan guns and scales.
    var devices: [DeviceConfiguration] = []
    /// The setup codes that scan guns must read.
    var settingCodes = SettingTable()
    /// A file to play back instead of the devices.
    var simulation: String?
    var jobs = 2
    var uploadFolder = ""
    /// The folder of the apps, the pages that live on the station.
    var appFolder = ""
    /// The deduplication at the camera; `nil` if the configuration sets it for all sources.
    var deduplication: DeduplicationPolicy?
    /// The codes that identify operators and locations.
    var workplace = WorkplaceSettings()
    /// The notices for people who do not look at the page.
    var notices = NoticeSettings()
    /// The system to ask about each code; `nil` if there is none.
    var lookup: LookupSettings?
    /// Indicates whether notices are shown on the desktop of the user who runs the station.
    var notifiesDesktop = false
    private var certificate: String?
    private var key: String?
    private var isPlaintextWanted = false

    /// The value that allows the station to use a network without TLS.
    static let plaintextWord = "yes, without TLS"

    static let keys: [String: ConfigurationSchema.Form] = [
        "server.port": .scalar, "server.address": .scalar, "server.hosts": .list, "server.origins": .list,
        "server.tokenFile": .scalar, "server.plaintext": .scalar, "tls.certificate": .scalar, "tls.key": .scalar,
        "camera.device": .scalar, "camera.mode": .scalar, "jobs": .scalar, "settingCodes": .scalar,
        "place": .scalar, "placeCode": .scalar, "operators.badge": .scalar, "operators.signOutAfterSeconds": .scalar,
        "notifications.formats": .list, "notifications.textMatches": .scalar, "notifications.contentMatches": .list,
        "notifications.failures": .scalar, "notifications.desktop": .scalar,
    ].merging(LookupSettings.keys.map { ("lookup.\($0)", $1) }) { $1 }

    /// The defaults without a configuration.
    init() {}

    init(_ values: inout ConfigurationValues) {
        if let port = values.whole("server.port", 0...65_535) { self.port = port }
        if let address = values.text("server.address") { self.address = address }
        hosts = values.list("server.hosts")
        origins = values.list("server.origins")
        for origin in origins where !Self.isOrigin(origin) {
            values.report("server.origins", "\"\(origin)\" is not an origin, such as https://oa.example")
        }
        tokenFile = values.path("server.tokenFile") ?? ""
        if let text = values.text("camera.device") {
            if text.hasPrefix("@") { values.recordSecret(inFile: String(text.dropFirst())) }
            do throws(CaptureError) {
                try select(camera: text)
            } catch {
                values.report("camera.device", error.description)
            }
        }
        let mode = values.value("camera.mode", "continuous or trigger") {
            ["continuous", "trigger"].contains($0) ? $0 : nil
        }
        if let mode { self.mode = mode }
        devices = DeviceKeys.read(&values)
        if let file = values.file("settingCodes") {
            do throws(SettingFault) {
                try settingCodes.add(file)
            } catch {
                values.report("settingCodes", error.description)
            }
        }
        jobs = values.whole("jobs", 1...256) ?? max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        // By default, a code held in front of the camera is one event.
        if values.text("deduplication.policy") == nil { deduplication = .window(.seconds(5)) }
        readWorkplace(&values)
        readNotices(&values)
        lookup = LookupSettings(&values)
        certificate = values.text("tls.certificate")
        key = values.text("tls.key")
        Self.checkTLS(&values)
        if let word = values.text("server.plaintext") {
            isPlaintextWanted = word == Self.plaintextWord
            if !isPlaintextWanted { values.report("server.plaintext", "is not \"\(Self.plaintextWord)\"") }
        }
    }

    private mutating func readWorkplace(_ values: inout ConfigurationValues) {
        workplace.place = values.text("place")
        workplace.placeCode = values.pattern("placeCode")
        workplace.badge = values.pattern("operators.badge")
        if let seconds = values.whole("operators.signOutAfterSeconds", 10...86_400) {
            workplace.signOutAfter = .seconds(seconds)
        }
    }

    private mutating func readNotices(_ values: inout ConfigurationValues) {
        let filter = values.filter("notifications.")
        if ["formats", "textMatches", "contentMatches"].contains(where: { values.isSet("notifications.\($0)") }) {
            notices.codes = filter
        }
        notices.failures = values.flag("notifications.failures")
        notifiesDesktop = values.flag("notifications.desktop")
        if notifiesDesktop, notices.codes == nil, !notices.failures {
            values.report("notifications.desktop", "shows nothing; add failures: true, or textMatches")
        }
    }

    /// Validates the TLS files at once, so that problems are reported with their line before anything starts.
    private static func checkTLS(_ values: inout ConfigurationValues) {
        let keys = ["tls.certificate", "tls.key"]
        if !keys.contains(where: { values.isSet($0) }) { return }
        for key in keys where !values.isSet(key) {
            values.report(key, "is missing: TLS needs a certificate and its key, two PEM files")
        }
        let contents = keys.compactMap { values.file($0) }
        guard contents.count == 2, let certificate = values.text(keys[0]), let key = values.text(keys[1]) else {
            return
        }
        values.recordSecret(inFile: key)
        do throws(TLSFileError) {
            try BridgeSettings.checkTLS(certificate: certificate, key: key)
        } catch {
            values.report(keys[error.part == .certificate ? 0 : 1], error.description)
        }
    }

    /// Indicates whether a text is an origin: a scheme and a host with an optional port.
    static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        let rest = text.dropFirst(scheme.count)
        return !rest.isEmpty && !rest.contains { "/?#@* ".contains($0) }
    }

    /// Indicates whether a text is an origin that needs no escaping in a content security policy.
    static func isPlainOrigin(_ text: String) -> Bool {
        isOrigin(text) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3B && $0 != 0x2C && $0 != 0x27 }
    }

    /// The source of frames; by default the first camera, which may be connected later.
    var source: StationCamera.Source {
        if let replay { return .replay(path: replay, framesPerSecond: replayRate) }
        if let cameraCommand { return .command(cameraCommand) }
        return camera == "none" ? .none : .device(path: camera)
    }

    /// Selects the camera by a path, an address, `exec:` and a command, or `none`.
    mutating func select(camera text: String) throws(CaptureError) {
        cameraCommand = try CaptureCommand(text)
        camera = text
    }

    /// The scan guns and scales, or the file to play back instead.
    func selection() throws -> DeviceSelection {
        do throws(DeviceSelection.FileError) {
            return try DeviceSelection(devices, simulation: simulation)
        } catch {
            throw Failure(message: error.description, status: Failure.configuration)
        }
    }

    /// Indicates whether the station uses HTTPS.
    var hasTLS: Bool { certificate != nil && key != nil }

    /// Refuses a configuration that would expose scans to a network without TLS.
    func check() throws {
        if BridgeSettings.isLoopback(address) || isPlaintextWanted || hasTLS { return }
        throw Failure(
            message: "to listen at \(address), which other machines can reach, set tls.certificate and tls.key in the "
                + "configuration, or set server.plaintext: \"\(Self.plaintextWord)\"",
            status: Failure.configuration)
    }

    /// Copies the configuration to the server's settings.
    func fill(_ settings: inout BridgeSettings) throws {
        settings.address = address
        settings.port = port
        settings.hosts = hosts
        settings.origins = origins
        settings.workers = jobs
        settings.settingCodes = settingCodes
        settings.appFolder = appFolder
        settings.symbol = { StartMessage.modules($0) }
        guard let certificate, let key else { return }
        do {
            try settings.useTLS(certificate: certificate, key: key)
        } catch {
            throw Failure(message: error.description, status: Failure.configuration)
        }
    }
}
