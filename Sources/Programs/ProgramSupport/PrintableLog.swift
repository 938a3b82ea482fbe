internal import BarcodeCore
public import Logging

/// A log handler that writes to standard error without control characters or line breaks within a message.
///
/// The metadata contains file names, codes and responses from untrusted sources.
public struct PrintableLog: LogHandler {
    private var stream: StreamLogHandler

    /// Creates a handler with a label.
    public init(label: String) {
        ErrorStream.beginService()
        stream = StreamLogHandler(label: label, stream: ErrorStream())
    }

    /// The log level.
    public var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    /// The metadata on each line.
    public var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue.printable }
    }

    /// The provider of additional metadata on each line.
    public var metadataProvider: Logger.MetadataProvider? {
        get { stream.metadataProvider }
        set { stream.metadataProvider = newValue }
    }

    /// A metadata value on each line.
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
    /// The value of a field in a line, quoted if it would be ambiguous.
    ///
    /// By scalars, because a quotation mark and a combining mark behind it are one `Character`.
    fileprivate var quotedIfNeeded: String {
        guard unicodeScalars.contains(where: { [" ", "=", "\""].contains($0) }) else { return self }
        // A backslash would take the meaning of a quotation mark behind it.
        let escaped: Set<Unicode.Scalar> =
            unicodeScalars.contains("\"") || unicodeScalars.last == "\\" ? ["\"", "\\"] : []
        let text = unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
            escaped.contains(scalar) ? ["\\", scalar] : [scalar]
        }
        return "\"" + String(String.UnicodeScalarView(text)) + "\""
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
