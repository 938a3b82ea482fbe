import ArgumentParser
import BarcodeCore
import Dispatch
import FrameDecoding
import Glibc
import ProgramSupport
import VideoCapture

/// The program: parses its arguments, then lists cameras, plays a recording, or reads from a camera until it is
/// stopped.
@main
enum DecodeCamera {
    static func main() {
        WorkerMode.runIfAsked(Array(CommandLine.arguments.dropFirst()))
        StandardStreams.reserve()
        // A closed pipe causes an error where it is written to.
        signal(SIGPIPE, SIG_IGN)
        let command: CameraCommand
        do { command = try CameraCommand.parse(nil) } catch { CameraCommand.endPrintable(with: error) }
        // The only task of the program, which also ends it.
        Task {
            exit(await CameraRun(command: command).run().rawValue)
        }
        dispatchMain()
    }
}

/// The command line of `decode-camera`.
struct CameraCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-camera",
        abstract: "Read barcodes and QR codes with a camera.",
        discussion: """
            Each code is printed as "format: text" when it comes into view, and not again until it has left. Only the \
            newest frame is decoded; frames that arrive meanwhile are dropped. The camera is reopened after it was \
            unplugged.

            EXAMPLES
              decode-camera                               the first camera, until Ctrl-C
              decode-camera --list                        cameras and their controls
              decode-camera --once --formats qr_code      wait for one QR code
              decode-camera --set focus_absolute=30 --json
              decode-camera --device @camera.txt          an address from a file
              decode-camera --replay Samples/qr.png       a picture in place of the camera

            EXIT STATUS
              0    a code was read, or the request was completed
              4    no code was read
              1    no usable camera or recording, no frame, or the output could not be written
              64   the command line is invalid
            """,
        version: "decode-camera \(Quietzone.version)")

    @OptionGroup(title: "Camera") var camera: CameraOptions
    @OptionGroup(title: "Reading") var reading: FrameOptions
    @OptionGroup(title: "Output") var output: CameraOutputOptions

    func validate() throws {
        let tasks = [output.list, output.snapshot != nil, output.once].count { $0 }
        guard tasks <= 1 else { throw ValidationError("Choose one of --list, --snapshot and --once.") }
        guard camera.replay == nil || camera.device == nil else {
            throw ValidationError("Give --device or --replay, not both.")
        }
        guard camera.replay == nil || (!output.list && camera.set.isEmpty) else {
            throw ValidationError("--list and --set need a camera: a recording has no controls.")
        }
        do {
            guard try camera.command() == nil || (!output.list && camera.set.isEmpty) else {
                throw ValidationError("--list and --set need a V4L2 device: a command has no controls.")
            }
        } catch let error as CaptureError {
            throw ValidationError("--device \(error).")
        }
    }
}
