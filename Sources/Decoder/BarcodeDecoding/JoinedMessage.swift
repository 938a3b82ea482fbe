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
    /// Indicates whether the message is GS1 element strings, which its first symbol says.
    public var isGS1: Bool
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

    /// Joins the symbols that are parts of messages.
    ///
    /// All other symbols are ignored, and so are those with an index or a number of symbols that no symbology
    /// allows.
    ///
    /// Symbols belong together if their symbology, parity, identifier and number of symbols are the same. In PDF417 not
    /// every symbol states that number, so there it may be unknown.
    ///
    /// - Returns: the messages in the order of their first symbols.
    public static func join(_ symbols: some Sequence<Symbol>) -> [JoinedMessage] {
        var parts: [(key: SplitMessage, symbols: [Int: Set<Part>], count: Int?)] = []
        var places: [SplitMessage: Int] = [:]
        for symbol in symbols {
            guard let position = symbol.structuredAppend,
                let key = SplitMessage(
                    symbol.symbology, index: position.index, count: position.count,
                    parity: position.parity.map(Int.init), identifier: position.identifier)
            else { continue }
            let place = places[key] ?? parts.count
            if place == parts.count {
                places[key] = place
                parts.append((key, [:], nil))
            }
            parts[place].symbols[position.index, default: []].insert(Part(symbol))
            if let count = position.count { parts[place].count = count }
        }
        return parts.map { JoinedMessage($0.key, $0.symbols, count: $0.count) }
    }

    private init(_ key: SplitMessage, _ symbols: [Int: Set<Part>], count: Int?) {
        (symbology, identifier, self.count) = (key.symbology, key.identifier, count)
        parity = key.parity.map { UInt8($0) }
        let end = max(count ?? 0, (symbols.keys.max() ?? 0) + 1)
        missing = (0..<end).filter { symbols[$0] == nil }
        conflicts = (0..<end).filter { symbols[$0, default: []].count > 1 }
        isGS1 = symbols[0]?.first?.isGS1 ?? false
        guard isComplete else { return }
        let parts = (0..<end).compactMap { symbols[$0]?.first }
        let message = parts.flatMap(\.bytes)
        bytes = message
        // A guess from all bytes is better than one from those of a part, and a character may begin in one symbol and
        // end in the next.
        let stated = Set(parts.map(\.charset).filter { ![.evidence, .validity].contains($0.source) })
        if stated.isEmpty {
            let decoded = TextDecoder.decode(message)
            (text, charset) = (decoded.text, decoded.charset)
        } else if stated.map(\.name) == ["utf-8"], let decoded = String(validating: message, as: UTF8.self) {
            // The text of a symbol that ends amid a character is a guess, although it states the character set.
            (text, charset) = (decoded, stated.first)
        } else {
            text = parts.map(\.text).joined()
            if Set(parts.map(\.charset)).count == 1 { charset = parts[0].charset }
        }
    }

    /// The part of a message that one symbol holds.
    private struct Part: Hashable {
        var bytes: [UInt8]
        var text: String
        var charset: Charset
        var isGS1: Bool

        init(_ symbol: Symbol) {
            (bytes, text, charset, isGS1) = (symbol.bytes, symbol.text, symbol.charset, symbol.isGS1)
        }
    }
}
