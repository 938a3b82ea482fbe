/// Runs `scan-devices` with the arguments of this process until it ends.
public func runScanDevices() async {
    await ScanDevicesProgram.main()
}
