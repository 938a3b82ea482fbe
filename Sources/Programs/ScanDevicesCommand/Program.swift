internal import ServiceSupport

/// Prepares the standard streams.
///
/// Call it before anything suspends.
public func prepareScanDevices() { ScanDevicesProgram.prepare() }

/// Runs `scan-devices` with the arguments of this process until it ends.
public func runScanDevices() async { await ScanDevicesProgram.runProgram() }
