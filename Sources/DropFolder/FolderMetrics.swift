internal import Metrics

/// What a watched folder counts, by swift-metrics.
enum FolderMetrics {
    /// A file that was taken in, and its codes.
    static func taken(_ verdict: FileOutcome, codes: Int, isDuplicate: Bool) {
        Counter(label: "watch_folder_files", dimensions: [("verdict", verdict.rawValue)]).increment()
        if codes > 0 { Counter(label: "watch_folder_codes").increment(by: codes) }
        if isDuplicate { Counter(label: "watch_folder_duplicates").increment() }
    }

    /// A failure to put a file away.
    static func moveFailed() { Counter(label: "watch_folder_move_failures").increment() }

    /// A command of the user's that failed.
    static func hookFailed() { Counter(label: "watch_folder_hook_failures").increment() }

    /// How many files are where on their way.
    static func depth(waiting: Int, inFlight: Int, movesPending: Int) {
        Gauge(label: "watch_folder_waiting").record(waiting)
        Gauge(label: "watch_folder_in_flight").record(inFlight)
        Gauge(label: "watch_folder_moves_pending").record(movesPending)
    }
}
