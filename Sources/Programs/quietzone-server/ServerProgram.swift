import Glibc
import ProgramSupport
import SystemPackage

/// The server programs in one executable, by their names.
///
/// Each alone would be three quarters server, database and runtime, which they share here. The file is installed once
/// and hard-linked under the programs' names, and acts as the program by whose name it was started.
@main
enum ServerProgram: String, CaseIterable {
    case scanDevices = "scan-devices"
    case scanOutbox = "scan-outbox"
    case scanStation = "scan-station"
    case watchFolder = "watch-folder"

    static func main() async {
        let name = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last } ?? ""
        guard let program = ServerProgram(rawValue: String(name)) else {
            _ = try? FileDescriptor.standardError.writeAll(
                """
                \(name): contains scan-devices, scan-outbox, scan-station and watch-folder; start it by one of these \
                names, through a hard link

                """.utf8)
            exit(EX_USAGE)
        }
        program.prepare()
        await program.run()
    }

    /// Prepares the standard streams, or runs a worker if the arguments ask for one; before the first suspension point.
    private func prepare() {
        switch self {
        case .scanDevices: ScanDevicesProgram.prepare()
        case .scanOutbox: ScanOutboxProgram.prepare()
        case .scanStation: ScanStation.prepare()
        case .watchFolder: WatchFolder.prepare()
        }
    }

    /// Runs the program with the arguments of this process until it ends.
    private func run() async {
        switch self {
        case .scanDevices: await ScanDevicesProgram.runProgram()
        case .scanOutbox: await ScanOutboxProgram.runProgram()
        case .scanStation: await ScanStation.runProgram()
        case .watchFolder: await WatchFolder.runProgram(RawArguments.all())
        }
    }
}
