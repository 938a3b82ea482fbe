internal import ScanOutboxCommand

await runScanOutbox()
