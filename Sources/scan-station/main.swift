internal import ScanStationCommand

prepareScanStation()
await runScanStation()
