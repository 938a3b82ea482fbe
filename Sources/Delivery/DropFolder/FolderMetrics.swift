internal import Metrics

/// What a watched folder counts, by swift-metrics.
enum FolderMetrics {
    /// What an attempt to read or move a file has come to.
    static func count(_ result: FileResult) {
        switch result {
        case .archived(let receipt, let codes, _), .left(let receipt, let codes): count(receipt, codes)
        case .stored(let receipt, let codes, _):
            count(receipt, codes)
            moveFailed()
        case .notMoved: moveFailed()
        default: break
        }
    }

    private static func count(_ receipt: FileReceipt, _ codes: Int) {
        let outcome = receipt.record.outcome
        Counter(label: "watch_folder_files", dimensions: [("verdict", outcome.rawValue)]).increment()
        if codes > 0 { Counter(label: "watch_folder_codes").increment(by: codes) }
        if receipt.original != nil { Counter(label: "watch_folder_duplicates").increment() }
    }

    private static func moveFailed() { Counter(label: "watch_folder_move_failures").increment() }

    /// A command of the user's that failed.
    static func hookFailed() { Counter(label: "watch_folder_hook_failures").increment() }

    /// How many files are where on their way.
    static func depth(waiting: Int, inFlight: Int, movesPending: Int) {
        Gauge(label: "watch_folder_waiting").record(waiting)
        Gauge(label: "watch_folder_in_flight").record(inFlight)
        Gauge(label: "watch_folder_moves_pending").record(movesPending)
    }
}
