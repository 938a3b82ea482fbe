internal import ServiceSupport

/// What `scan-devices` does before anything suspends: its standard streams.
public func prepareScanDevices() { ScanDevicesProgram.prepare() }

/// Runs `scan-devices` with the arguments of this process until it ends.
public func runScanDevices() async { await ScanDevicesProgram.runProgram() }
