internal import Symbols

/// A message that is spread over several symbols (structured append), joined from those that were read.
///
/// The symbols may come from several images, pages or frames, in any order, and more than once.
///
/// ```swift
/// let symbols = try pages.flatMap { try BarcodeDecoder().decode($0) }
/// for message in JoinedMessage.join(symbols) {
///     print(message.text ?? "parts \(message.missing) of a message are missing")
/// }
/// ```
public struct JoinedMessage: Sendable, Hashable {
    /// The symbology of the symbols.
    public var symbology: Symbology
    /// The parity that the symbols share; `nil` if the symbology has none.
    public var parity: UInt8?
    /// The identifier that the symbols share; `nil` if there is none.
    public var identifier: String?
    /// The number of symbols in the message; `nil` if no symbol that was read states it.
    public var count: Int?
    /// The indices of the symbols that were not read, counted from 0.
    ///
    /// Without a ``count``, the indices after the last symbol that was read are unknown and left out.
    public var missing: [Int]
    /// The indices at which symbols with different messages were read, so that one of them belongs to another message.
    public var conflicts: [Int]
    /// The whole message, byte for byte; `nil` unless ``isComplete``.
    public var bytes: [UInt8]?
    /// The whole message as text; `nil` unless ``isComplete``.
    public var text: String?
    /// The character set of ``text``; `nil` if its symbols have different ones.
    public var charset: Charset?

    /// Indicates whether all symbols of the message were read, without conflicts.
    public var isComplete: Bool { count != nil && missing.isEmpty && conflicts.isEmpty }

    /// The largest number of symbols in a message of any symbology, that of macro PDF417 (ISO/IEC 15438).
    ///
    /// A hostile symbol may state any number.
    private static let maximumCount = 99_999

    /// Joins the symbols that are parts of messages.
    ///
    /// All other symbols are ignored, and so are those with an index that no symbology allows.
    ///
    /// Symbols belong together if their symbology, parity, identifier and number of symbols are the same. In PDF417 not
    /// every symbol states that number, so there it may be unknown.
    ///
    /// - Returns: the messages in the order of their first symbols.
    public static func join(_ symbols: some Sequence<Symbol>) -> [JoinedMessage] {
        var parts: [(key: Key, symbols: [Int: Set<Part>], count: Int?)] = []
        var places: [Key: Int] = [:]
        for symbol in symbols {
            guard let position = symbol.structuredAppend, (0..<maximumCount).contains(position.index) else { continue }
            let key = Key(symbol, position)
            let place = places[key] ?? parts.count
            if place == parts.count {
                places[key] = place
                parts.append((key, [:], nil))
            }
            parts[place].symbols[position.index, default: []].insert(Part(symbol))
            if let count = position.count, count <= maximumCount { parts[place].count = count }
        }
        return parts.map { JoinedMessage($0.key, $0.symbols, count: $0.count) }
    }

    private init(_ key: Key, _ symbols: [Int: Set<Part>], count: Int?) {
        (symbology, parity, identifier, self.count) = (key.symbology, key.parity, key.identifier, count)
        let end = max(count ?? 0, (symbols.keys.max() ?? 0) + 1)
        missing = (0..<end).filter { symbols[$0] == nil }
        conflicts = (0..<end).filter { symbols[$0, default: []].count > 1 }
        guard isComplete else { return }
        let parts = (0..<end).compactMap { symbols[$0]?.first }
        let message = parts.flatMap(\.bytes)
        bytes = message
        // A guess from all bytes is better than one from those of a part, and a character may begin in one symbol and
        // end in the next.
        let isGuessed = parts.contains { [.evidence, .validity].contains($0.charset.source) }
        if isGuessed {
            let decoded = TextDecoder.decode(message)
            (text, charset) = (decoded.text, decoded.charset)
        } else {
            text = parts.map(\.text).joined()
            if Set(parts.map(\.charset)).count == 1 { charset = parts[0].charset }
        }
    }

    /// The properties that the symbols of one message share.
    private struct Key: Hashable {
        var symbology: Symbology
        var parity: UInt8?
        var identifier: String?
        var count: Int?

        init(_ symbol: Symbol, _ position: StructuredAppend) {
            symbology = symbol.symbology
            parity = position.parity
            identifier = position.identifier
            count = [.pdf417, .microPDF417].contains(symbology) ? nil : position.count
        }
    }

    /// The part of a message that one symbol holds.
    private struct Part: Hashable {
        var bytes: [UInt8]
        var text: String
        var charset: Charset

        init(_ symbol: Symbol) {
            (bytes, text, charset) = (symbol.bytes, symbol.text, symbol.charset)
        }
    }
}
