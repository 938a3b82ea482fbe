internal import ServiceSupport

/// Prepares the standard streams, or runs a worker if the arguments ask for one.
///
/// Call it before anything suspends.
public func prepareScanStation() { ScanStation.prepare() }

/// Runs `scan-station` with the arguments of this process until it ends.
public func runScanStation() async { await ScanStation.runProgram() }
