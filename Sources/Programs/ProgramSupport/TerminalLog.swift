public import Logging

/// The status line of a terminal, which is cleared for lines of the log.
public enum StatusLine {
    /// Shows a text instead of the previous one.
    public static func show(_ text: String) { put("\r\u{1B}[K" + text) }

    /// Clears the line.
    public static func clear() { put("\r\u{1B}[K") }

    private static func put(_ text: String) { ErrorStream().write(text) }
}

/// A log handler for standard error that clears the terminal's status line before it writes.
public struct TerminalLog: LogHandler {
    private var stream: PrintableLog

    /// Creates a handler with a label.
    public init(label: String) {
        stream = PrintableLog(label: label)
    }

    /// The log level.
    public var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    /// The metadata on each line.
    public var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }

    /// The provider of additional metadata on each line.
    public var metadataProvider: Logger.MetadataProvider? {
        get { stream.metadataProvider }
        set { stream.metadataProvider = newValue }
    }

    /// A metadata value on each line.
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
