/// Runs `scan-station` with the arguments of this process until it ends.
public func runScanStation() async {
    await ScanStation.main()
}
