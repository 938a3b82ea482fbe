internal import ServiceSupport

/// What `scan-outbox` does before anything suspends: its standard streams.
public func prepareScanOutbox() { ScanOutboxProgram.prepare() }

/// Runs `scan-outbox` with the arguments of this process until it ends.
public func runScanOutbox() async { await ScanOutboxProgram.runProgram() }
