internal import ServiceSupport

/// Prepares the standard streams.
///
/// Call it before anything suspends.
public func prepareScanOutbox() { ScanOutboxProgram.prepare() }

/// Runs `scan-outbox` with the arguments of this process until it ends.
public func runScanOutbox() async { await ScanOutboxProgram.runProgram() }
