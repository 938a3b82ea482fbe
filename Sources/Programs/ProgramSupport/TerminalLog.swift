public import Logging

/// The line of a terminal that shows how far things have come; it makes way for the lines of the log.
public enum StatusLine {
    /// Shows a text in the place of the one before.
    public static func show(_ text: String) { put("\r\u{1B}[K" + text) }

    /// Takes the line away.
    public static func clear() { put("\r\u{1B}[K") }

    private static func put(_ text: String) { ErrorStream().write(text) }
}

/// Writes the log to standard error; on a terminal the status line makes way for it.
public struct TerminalLog: LogHandler {
    private var stream: PrintableLog

    /// The handler of a label.
    public init(label: String) {
        stream = PrintableLog(label: label)
    }

    /// What is logged.
    public var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    /// What stands on each line.
    public var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }

    /// What adds to each line.
    public var metadataProvider: Logger.MetadataProvider? {
        get { stream.metadataProvider }
        set { stream.metadataProvider = newValue }
    }

    /// A value that stands on each line.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue }
    }

    /// Writes a line.
    public func log(event: LogEvent) {
        StatusLine.clear()
        stream.log(event: event)
    }
}
