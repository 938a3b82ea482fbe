internal import ServiceSupport

/// A server program, by its name.
public enum ServerProgram: String, CaseIterable {
    case scanDevices = "scan-devices"
    case scanOutbox = "scan-outbox"
    case scanStation = "scan-station"
    case watchFolder = "watch-folder"

    /// Prepares the standard streams, or runs a worker if the arguments ask for one.
    ///
    /// Call it before the first suspension point.
    public func prepare() {
        switch self {
        case .scanDevices: ScanDevicesProgram.prepare()
        case .scanOutbox: ScanOutboxProgram.prepare()
        case .scanStation: ScanStation.prepare()
        case .watchFolder: WatchFolder.prepare()
        }
    }

    /// Runs the program with the arguments of this process until it ends.
    public func run() async {
        switch self {
        case .scanDevices: await ScanDevicesProgram.runProgram()
        case .scanOutbox: await ScanOutboxProgram.runProgram()
        case .scanStation: await ScanStation.runProgram()
        case .watchFolder: await WatchFolder.runProgram()
        }
    }
}
