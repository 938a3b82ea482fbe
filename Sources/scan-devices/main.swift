internal import ScanDevicesCommand

prepareScanDevices()
await runScanDevices()
