import ArgumentParser
import Delivery
import Glibc
import Logging
import ProgramSupport
import VideoCapture

/// The command-line options of the station, which override the configuration.
struct StationOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The port to listen on; 0 for any free port. (default: 6079)", valueName: "number"),
        transform: NumberArgument.whole(0...65_535))
    var port: Int?

    @Option(help: ArgumentHelp("The address to listen on. (default: 127.0.0.1)", valueName: "address"))
    var address: String?

    @Option(
        help: ArgumentHelp(
            "The camera: a device, an rtsp:// or http:// address, exec: and a command, or @ and a file with one of these. (default: the first device)",
            valueName: "camera"))
    var camera: String?

    @Option(
        help: ArgumentHelp("Play a folder, picture or Y4M recording instead of a camera.", valueName: "path")
    )
    var replay: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames per second of --replay. (default: 10)", valueName: "number"),
        transform: NumberArgument.decimal(0.001...60))
    var replayRate = 10.0

    @Option(help: ArgumentHelp("When to read codes: continuous or trigger. (default: continuous)", valueName: "mode"))
    var mode: String?

    @Option(help: ArgumentHelp("Play a file of JSON lines instead of scan guns and scales.", valueName: "file"))
    var simulate: String?

    @Option(help: ArgumentHelp("An origin whose pages may use the bridge; repeatable.", valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(help: ArgumentHelp("A host name of the station; repeatable.", valueName: "host"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "The token file; created if missing. (default: station-token beside the outbox)", valueName: "file"))
    var tokenFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of worker processes for pictures. (default: the number of processors, at most 8)",
            valueName: "number"),
        transform: NumberArgument.whole(1...256))
    var jobs: Int?

    @Option(help: "Log level: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.notice

    func validate() throws {
        if let mode, !["continuous", "trigger"].contains(mode) {
            throw ValidationError("--mode \(mode): it must be continuous or trigger")
        }
        if camera != nil && replay != nil { throw ValidationError("Give --camera or --replay, not both.") }
        for origin in allowOrigin where !StationConfiguration.isOrigin(origin) {
            throw ValidationError(
                "--allow-origin \(Redaction.withoutSecrets(origin)): an origin must be like https://oa.example, "
                    + "without a path"
            )
        }
    }

    /// The configuration overridden by the command-line options.
    func applied(to configuration: StationConfiguration, database: String) throws -> StationConfiguration {
        var result = configuration
        if let port { result.port = port }
        if let address { result.address = address }
        if let camera {
            do throws(CaptureError) {
                try result.select(camera: camera)
            } catch {
                throw Failure(message: "--camera \(error)", status: Failure.configuration)
            }
            if let command = result.cameraCommand, command.exposesPassword {
                throw Failure(
                    message:
                        "--camera \(command.name): every user of this machine sees a password on the command line; "
                        + "set camera.device in the configuration, or give @ and a file with the address",
                    status: Failure.configuration)
            }
        }
        if let replay, access(replay, R_OK) != 0 {
            throw Failure(
                message: "the recording \(replay) of --replay cannot be read: \(String(cString: strerror(errno)))",
                status: Failure.noInput)
        }
        result.replay = replay
        result.simulation = simulate
        result.replayRate = replayRate
        if let mode { result.mode = mode }
        result.origins += allowOrigin
        result.hosts += allowHost
        if let tokenFile { result.tokenFile = tokenFile }
        if let jobs { result.jobs = jobs }
        let folder = database.lastIndex(of: "/").map { String(database[..<$0]) } ?? "."
        if result.tokenFile.isEmpty { result.tokenFile = folder + "/station-token" }
        result.uploadFolder = database + ".uploads"
        result.appFolder = Self.appFolder(database: database)
        try result.check()
        return result
    }

    /// The folder of a station's apps, beside its outbox.
    static func appFolder(database: String) -> String { database + ".apps" }
}
