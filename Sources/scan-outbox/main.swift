internal import ScanOutboxCommand

prepareScanOutbox()
await runScanOutbox()
