import Delivery
import Glibc
import ScanDevices
import ScanOutbox
import ServiceSupport
import SettingCodes
import StationCamera
import StationDevices
import StationServer

/// The station's own part of the configuration.
struct StationConfiguration: Sendable {
    var port = 6079
    var address = "127.0.0.1"
    var hosts: [String] = []
    var origins: [String] = []
    var tokenFile = ""
    var camera: String?
    var replay: String?
    var replayRate = 10.0
    var mode = "continuous"
    /// The scan guns and scales.
    var devices: [DeviceConfiguration] = []
    /// What scan guns must read to be set.
    var settingCodes = SettingTable()
    /// A file that is played instead of them.
    var simulation: String?
    var jobs = 2
    var uploadFolder = ""
    /// The folder of the pages that live on the station.
    var appFolder = ""
    /// What counts as a repetition before the camera; nil where the configuration says it for all sources.
    var deduplication: DeduplicationPolicy?
    /// By what codes it is known who reads, and where.
    var workplace = WorkplaceSettings()
    /// What people are told who do not look at the page.
    var notices = NoticeSettings()
    /// Whether the desktop of the user who runs the station shows it.
    var notifiesDesktop = false
    private var certificate: String?
    private var key: String?
    private var isPlaintextWanted = false

    /// The word that lets the station talk to a network without TLS.
    static let plaintextWord = "yes, without TLS"

    static let keys: [String: ConfigurationSchema.Form] = [
        "server.port": .scalar, "server.address": .scalar, "server.hosts": .list, "server.origins": .list,
        "server.tokenFile": .scalar, "server.plaintext": .scalar, "tls.certificate": .scalar, "tls.key": .scalar,
        "camera.device": .scalar, "camera.mode": .scalar, "jobs": .scalar, "settingCodes": .scalar,
        "place": .scalar, "placeCode": .scalar, "operators.badge": .scalar, "operators.signOutAfterSeconds": .scalar,
        "notifications.formats": .list, "notifications.textMatches": .scalar, "notifications.contentMatches": .list,
        "notifications.failures": .scalar, "notifications.desktop": .scalar,
    ]

    /// What holds without a configuration.
    init() {}

    init(_ values: inout ConfigurationValues) {
        if let port = values.whole("server.port", 0...65_535) { self.port = port }
        if let address = values.text("server.address") { self.address = address }
        hosts = values.list("server.hosts")
        origins = values.list("server.origins")
        for origin in origins where !Self.isOrigin(origin) {
            values.report("server.origins", "\"\(origin)\" is no origin, which is like https://oa.example")
        }
        tokenFile = values.path("server.tokenFile") ?? ""
        camera = values.text("camera.device")
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
        // A code that is held still before the camera is one event, unless the configuration says otherwise.
        if values.text("deduplication.policy") == nil { deduplication = .window(.seconds(5)) }
        readWorkplace(&values)
        readNotices(&values)
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
            values.report("notifications.desktop", "has nothing to show; add failures: true, or textMatches")
        }
    }

    /// Tries the files of TLS at once, so that what is wrong is named with its line and before anything starts.
    private static func checkTLS(_ values: inout ConfigurationValues) {
        let keys = ["tls.certificate", "tls.key"]
        if !keys.contains(where: { values.isSet($0) }) { return }
        for key in keys where !values.isSet(key) {
            values.report(key, "is missing: TLS needs a certificate and its key, two files of PEM")
        }
        let contents = keys.compactMap { values.file($0) }
        guard contents.count == 2, let certificate = values.text(keys[0]), let key = values.text(keys[1]) else {
            return
        }
        do throws(TLSFileError) {
            try BridgeSettings.checkTLS(certificate: certificate, key: key)
        } catch {
            values.report(keys[error.part == .certificate ? 0 : 1], error.description)
        }
    }

    /// Whether a text is an origin: a scheme and a host, perhaps a port, and nothing else.
    static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        let rest = text.dropFirst(scheme.count)
        return !rest.isEmpty && !rest.contains { "/?#@* ".contains($0) }
    }

    /// Whether a text is an origin that can stand in a policy of a page as it is.
    static func isPlainOrigin(_ text: String) -> Bool {
        isOrigin(text) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3B && $0 != 0x2C && $0 != 0x27 }
    }

    /// Where frames come from; without a word about it from the first camera, which may also come later.
    var source: StationCamera.Source {
        if let replay { return .replay(path: replay, framesPerSecond: replayRate) }
        return camera == "none" ? .none : .device(path: camera)
    }

    /// The scan guns and scales, or the file that is played instead.
    func selection() throws -> DeviceSelection {
        do throws(DeviceSelection.FileError) {
            return try DeviceSelection(devices, simulation: simulation)
        } catch {
            throw Failure(message: error.description, status: Failure.configuration)
        }
    }

    /// Whether it answers by https.
    var hasTLS: Bool { certificate != nil && key != nil }

    /// Refuses to show scans to a network for all to read.
    func check() throws {
        if BridgeSettings.isLoopback(address) || isPlaintextWanted || hasTLS { return }
        throw Failure(
            message: "to listen at \(address), which others reach, name tls.certificate and tls.key in the "
                + "configuration, or say server.plaintext: \"\(Self.plaintextWord)\"",
            status: Failure.configuration)
    }

    /// Puts into the server's settings what stands here.
    func fill(_ settings: inout BridgeSettings) throws {
        settings.address = address
        settings.port = port
        settings.hosts = hosts
        settings.origins = origins
        settings.settingCodes = settingCodes
        settings.appFolder = appFolder
        settings.symbol = { Welcome.modules($0) }
        guard let certificate, let key else { return }
        do {
            try settings.useTLS(certificate: certificate, key: key)
        } catch {
            throw Failure(message: error.description, status: Failure.configuration)
        }
    }
}
