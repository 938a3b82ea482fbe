internal import ScanStationCommand

await runScanStation()
