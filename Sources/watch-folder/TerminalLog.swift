import Logging
import OutboxProgram

/// The line of a terminal that shows how far things have come; it makes way for the lines of the log.
enum StatusLine {
    /// Shows a text in the place of the one before.
    static func show(_ text: String) { put("\r\u{1B}[K" + text) }

    /// Takes the line away.
    static func clear() { put("\r\u{1B}[K") }

    private static func put(_ text: String) { ErrorStream().write(text) }
}

/// Writes the log to standard error; on a terminal the status line makes way for it.
struct TerminalLog: LogHandler {
    private var stream: PrintableLog

    /// The handler of a label.
    init(label: String) {
        stream = PrintableLog(label: label)
    }

    var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { stream.metadataProvider }
        set { stream.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        StatusLine.clear()
        stream.log(event: event)
    }
}
