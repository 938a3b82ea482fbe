/// Runs `scan-outbox` with the arguments of this process until it ends.
public func runScanOutbox() async {
    await ScanOutboxProgram.main()
}
