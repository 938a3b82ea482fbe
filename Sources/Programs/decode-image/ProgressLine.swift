import Glibc

/// The progress of a batch, on one line of a terminal.
struct ProgressLine {
    /// Indicates whether progress is shown on a terminal.
    let isShown: Bool
    private var isVisible = false
    private var lastShown = ContinuousClock.now

    /// The minimum number of images for which progress is shown.
    private static let fewPictures = 10
    private static let width = 30

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Shows the progress, at most ten times a second.
    mutating func show(done: Int, of known: Int, isComplete: Bool, noun: String) {
        guard isShown, known >= Self.fewPictures, ContinuousClock.now - lastShown > .milliseconds(100) else { return }
        lastShown = ContinuousClock.now
        isVisible = true
        let filled = isComplete ? Self.width * done / max(1, known) : 0
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        put("\r\u{1B}[K[\(bar)] \(done) \(noun) done\(isComplete ? " of \(known)" : "")")
    }

    /// Clears the line, so that other output can be written.
    mutating func clear() {
        guard isVisible else { return }
        isVisible = false
        put("\r\u{1B}[K")
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
