import ArgumentParser
import BarcodeCore
import Delivery
import ProgramSupport
import ScanDevices
import ServiceLifecycle
import StationDevices

/// `scan-devices learn`: identifies a scan gun by a code that it scans, and prints its part of the configuration.
struct Learn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find a gun by a code that it scans, and print its section of the configuration.",
        discussion: """
            Scan the code that --output has written, or another one with the text of --code, followed by Enter. The code \
            contains letters and signs whose keys differ between layouts, so that the layout of a gun in keyboard mode \
            is found too. The code is also typed into the window that has the focus.
            """)

    @Argument(help: "The name of the device in the configuration.")
    var name = "gun"

    @Option(help: ArgumentHelp("The text of the code. (default: \(DeviceLearner.standardCode))", valueName: "text"))
    var code: String?

    @Option(name: [.short, .long], help: ArgumentHelp("Write the code to this file: .png or .svg.", valueName: "file"))
    var output: String?

    @Option(
        help: ArgumentHelp("A serial port to listen to, in addition to those of USB; repeatable.", valueName: "path"))
    var port: [String] = []

    func validate() throws {
        let text = code ?? DeviceLearner.standardCode
        guard (4...80).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw ValidationError("--code: it must be 4 to 80 characters of printable ASCII")
        }
        if let output, !output.hasSuffix(".png"), !output.hasSuffix(".svg") {
            throw ValidationError("--output \(output): its name must end with .png or .svg")
        }
    }

    func run() async throws {
        let code = code ?? DeviceLearner.standardCode
        if let output, let format = SettingCode.Format(ofFile: output) {
            do {
                try OutputFile.write(SettingCode(Array(code.utf8)).file(format), to: Array(output.utf8))
            } catch let fault as OutputFile.Fault {
                throw Failure(message: "\(output) cannot be written: \(fault)")
            } catch {
                throw Failure(message: "\(output): \(error)", status: Failure.general)
            }
        }
        let learner = DeviceLearner(code: Array(code.utf8), ports: port)
        let place = output.map { " in \($0)" } ?? ""
        ErrorStream().write("scan-devices: scan the code \(code)\(place)\n")
        let (findings, continuation) = AsyncStream.makeStream(
            of: DeviceLearner.Finding.self, bufferingPolicy: .bufferingNewest(1))
        let thread = OwnedThread {
            let finding = learner.run { ErrorStream().write("scan-devices: \($0.sentence.printable)\n") }
            if let finding { continuation.yield(finding) }
            continuation.finish()
        }
        var lines: [String] = []
        for await finding in findings { lines = finding.configuration(of: name) }
        thread.join()
        for line in lines { try await Output.writeLine(line) }
    }
}
