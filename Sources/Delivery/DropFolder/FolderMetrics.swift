internal import Metrics

/// The metrics of a watched folder (swift-metrics).
enum FolderMetrics {
    /// Counts the result of an attempt to read or move a file.
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

    /// Counts a failed user command.
    static func hookFailed() { Counter(label: "watch_folder_hook_failures").increment() }

    /// Records the numbers of files in each stage.
    static func depth(waiting: Int, inFlight: Int, movesPending: Int) {
        Gauge(label: "watch_folder_waiting").record(waiting)
        Gauge(label: "watch_folder_in_flight").record(inFlight)
        Gauge(label: "watch_folder_moves_pending").record(movesPending)
    }
}
