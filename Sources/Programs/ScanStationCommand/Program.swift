internal import ServiceSupport

/// What `scan-station` does before anything suspends: its standard streams, and a worker if it is asked to be one.
public func prepareScanStation() { ScanStation.prepare() }

/// Runs `scan-station` with the arguments of this process until it ends.
public func runScanStation() async { await ScanStation.runProgram() }
