import ArgumentParser
import BarcodeCore
import FrameDecoding
import ProgramSupport
import VideoCapture

/// The options that select and set the camera.
struct CameraOptions: ParsableArguments {
    @Option(
        help: """
            The camera: a path such as /dev/v4l/by-id/... or /dev/video0, an rtsp:// or http:// address, exec: and a \
            command that writes frames, or @ and a file with one of these. (default: the first device)
            """,
        completion: .file())
    var device: String?

    @Option(
        help: "Preferred frame size in pixels. (default: 1280x720)",
        transform: { text in
            guard let size = PixelSize(text) else {
                throw ValidationError("--size must be WIDTHxHEIGHT, such as 1280x720.")
            }
            return size
        })
    var size = CaptureRequest().size

    @Option(
        parsing: .unconditional, help: "Preferred frames per second. (default: 30)",
        transform: NumberArgument.decimal(0.001...1000))
    var rate = CaptureRequest().rate

    @Option(
        help: ArgumentHelp(
            "Pixel format to require, such as MJPG. (default: the cheapest to decode)", valueName: "name"),
        transform: { text in
            guard let format = PixelFormat(text), PixelFormat.preferred.contains(format) else {
                let known = PixelFormat.preferred.map(\.description).joined(separator: ", ")
                throw ValidationError("--format must be one of \(known), not '\(text)'.")
            }
            return format
        })
    var format: PixelFormat?

    @Option(
        help: ArgumentHelp("Set a control listed by --list; repeatable.", valueName: "name=value"),
        transform: { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, let value = Int(parts[1]) else {
                throw ValidationError("--set must be NAME=NUMBER, such as focus_absolute=30.")
            }
            return ControlSetting(name: String(parts[0]), value: value)
        })
    var set: [ControlSetting] = []

    @Option(
        help: "Play a picture, a folder of pictures or a YUV4MPEG2 file (.y4m) instead of a camera.",
        completion: .file())
    var replay: String?

    /// The command or address of `--device`; `nil` for a path.
    func command() throws -> CaptureCommand? {
        guard let device, let command = try CaptureCommand(device) else { return nil }
        guard !command.exposesPassword else {
            throw CaptureError(
                .badCommand,
                "every user of this machine sees a password on the command line; write the address to a file that only "
                    + "you can read, and give --device @FILE", subject: command.name)
        }
        return command
    }

    var request: CaptureRequest { CaptureRequest(size: size, rate: rate, pixelFormat: format) }
}

/// The decoding options, and those that decide when a code is reported.
struct FrameOptions: ParsableArguments {
    @OptionGroup var formats: SymbologyOptions

    @Option(help: "How thoroughly to search: fast, normal or thorough.")
    var effort = DecodeOptions.Effort.fast

    @Option(
        help: ArgumentHelp(
            "The part of the frame to search, in pixels or, with a % after each number, in percent.",
            valueName: "x,y,width,height"),
        transform: { text in
            guard let region = FrameRegion(text) else {
                throw ValidationError("--roi must be X,Y,WIDTH,HEIGHT, such as 320,180,640,360 or 25%,25%,50%,50%.")
            }
            return region
        })
    var roi: FrameRegion?

    @Option(
        help: ArgumentHelp(
            "N/M: N of M frames must agree on a code without a check, such as ITF. (default: 2/3)",
            valueName: "n/m"),
        transform: { text in
            let parts = text.split(separator: "/").compactMap { Int($0) }
            guard parts.count == 2, parts[0] >= 1, parts[1] >= parts[0], parts[1] <= 100 else {
                throw ValidationError("--agreement must be N/M, such as 2/3, with N at most M and M at most 100.")
            }
            return ConsensusPolicy(needed: parts[0], of: parts[1])
        })
    var agreement = ConsensusPolicy()

    @Option(
        parsing: .unconditional,
        help: "Seconds out of view after which a returning code is reported again. (default: 1)",
        transform: NumberArgument.decimal(0...86_400))
    var absence = 1.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Report a code that stays in view again after this many seconds.", valueName: "seconds"),
        transform: NumberArgument.decimal(0...86_400))
    var `repeat`: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Exit after this many seconds.", valueName: "seconds"),
        transform: NumberArgument.decimal(0.001...31_536_000))
    var timeout: Double?

    var settings: FrameDecoder.Settings {
        FrameDecoder.Settings(
            options: DecodeOptions(symbologies: formats.symbologies ?? Symbology.standard, effort: effort), region: roi,
            consensus: agreement,
            repeatPolicy: RepeatPolicy(absence: .seconds(absence), window: self.repeat.map { .seconds($0) }))
    }
}

/// The output options.
struct CameraOutputOptions: ParsableArguments {
    @Flag(help: "List the cameras with their modes and controls; with --device, only that one.")
    var list = false

    @Flag(help: "Exit after the first code.")
    var once = false

    @Option(help: "Write a frame to this file as PNG, and exit.", completion: .file())
    var snapshot: String?

    @Flag(help: "Print a JSON object per line for each frame with a code to report.")
    var json = false

    @Flag(help: "Print frames, drops and latency on standard error every ten seconds and at the end.")
    var stats = false

    @Flag(name: .shortAndLong, help: "Print only errors on standard error.")
    var quiet = false
}

extension PixelSize {
    /// Parses a size such as `1280x720`; `nil` if it is invalid.
    init?(_ text: String) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count == 2, parts.allSatisfy({ (1...65_535).contains($0) }),
            text.count(where: { $0 == "x" || $0 == "X" }) == 1
        else { return nil }
        self.init(width: parts[0], height: parts[1])
    }
}
