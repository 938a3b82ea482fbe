internal import BarcodeCore
public import Logging

/// Writes the log of a service to standard error, with nothing in it that a terminal would obey or that would begin a new line.
///
/// File names, codes and answers of receivers stand in the metadata, and are made by strangers.
public struct PrintableLog: LogHandler {
    private var stream: StreamLogHandler

    /// The handler of a label.
    public init(label: String) {
        ErrorStream.beginService()
        stream = StreamLogHandler(label: label, stream: ErrorStream())
    }

    /// What is logged.
    public var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    /// What stands on each line.
    public var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue.printable }
    }

    /// What adds to each line.
    public var metadataProvider: Logger.MetadataProvider? {
        get { stream.metadataProvider }
        set { stream.metadataProvider = newValue }
    }

    /// A value that stands on each line.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue?.printable }
    }

    /// Writes a line.
    public func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.printable)"
        event.metadata = event.metadata?.printable
        if let error = event.error {
            event.error = nil
            event.metadata = (event.metadata ?? [:]).merging(["error": "\("\(error)".printable)"]) { own, _ in own }
        }
        stream.log(event: event)
    }
}

extension Logger.Metadata {
    fileprivate var printable: Logger.Metadata { mapValues(\.printable) }
}

extension String {
    /// The value of a field in a line: in quotes if it could be taken for more than one field.
    fileprivate var quotedIfNeeded: String {
        guard contains(where: { $0 == " " || $0 == "=" || $0 == "\"" }) else { return self }
        return "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
    }
}

extension Logger.MetadataValue {
    fileprivate var printable: Logger.MetadataValue {
        switch self {
        case .string(let text): .string(text.printable.quotedIfNeeded)
        case .stringConvertible(let value): .string(value.description.printable.quotedIfNeeded)
        case .dictionary(let values): .dictionary(values.printable)
        case .array(let values): .array(values.map(\.printable))
        }
    }
}
