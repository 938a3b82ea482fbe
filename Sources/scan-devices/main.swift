internal import ScanDevicesCommand

await runScanDevices()
