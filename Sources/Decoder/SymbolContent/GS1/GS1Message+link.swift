internal import BarcodeCore

extension GS1Message {
    /// Parses a GS1 Digital Link, such as `https://id.gs1.org/01/09520123456788/10/ABC?17=261130`.
    ///
    /// The key and its qualifiers are in the path, after any other parts; the rest is in the query. Keys in the
    /// query that are not numbers belong to the link itself and are ignored. Compressed links, in full or after
    /// their key, are supported.
    ///
    /// - Parameters:
    ///   - link: the link, with its scheme.
    ///   - allowsShortGTIN: whether to accept a GTIN of 8, 12 or 13 digits, as older versions of the standard
    ///     allow, and pad it to 14.
    /// - Throws: ``GS1Failure``; its position is an offset in the link in bytes, or 0 for an invalid value.
    /// - Source: GS1 Digital Link Standard, URI Syntax 1.4, clauses 4 and 5.
    public static func parse(link: String, allowsShortGTIN: Bool = false) throws(GS1Failure) -> GS1Message {
        guard link.utf8.count <= maximumLength else {
            throw GS1Failure(.tooLong, "the link has more than \(maximumLength) bytes", position: maximumLength)
        }
        var parser = GS1LinkParser(Array(link.utf8), allowsShortGTIN: allowsShortGTIN)
        do {
            return try parser.parse()
        } catch {
            guard let written = decompressed(link) else { throw error }
            var second = GS1LinkParser(Array(written.utf8), allowsShortGTIN: allowsShortGTIN)
            return try second.parse()
        }
    }

    /// Returns the uncompressed link; `nil` if its path does not end with a compressed part.
    private static func decompressed(_ link: String) -> String? {
        let bytes = Array(link.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
        var parts = bytes[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // The parts are the scheme, an empty part, the domain, and the compressed part.
        guard parts.count > 3, let last = parts.popLast(), var elements = GS1CompressedLink.elements(last) else {
            return nil
        }
        let hasKey = elements.contains { ApplicationIdentifierTable.standard[$0.identifier]?.keyQualifiers != nil }
        if !hasKey {
            guard parts.count > 4, let escaped = parts.popLast(), let digits = parts.popLast(),
                let value = GS1LinkParser.unescaped(escaped, isQuery: false)
            else { return nil }
            elements.insert(
                GS1Element(String(decoding: digits, as: UTF8.self), String(decoding: value, as: UTF8.self)), at: 0)
        }
        let stem = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
        guard let written = try? GS1Message(elements).link(stem: stem) else { return nil }
        let query = bytes[end...].first == UInt8(ascii: "?") ? bytes[(end + 1)...] : []
        return query.isEmpty
            ? written : written + (written.contains("?") ? "&" : "?") + String(decoding: query, as: UTF8.self)
    }

    /// Returns the elements as a GS1 Digital Link.
    ///
    /// The key is the first element that can be one. Its qualifiers follow in the path, all other elements in the
    /// query.
    ///
    /// - Parameter stem: the part before the key, with or without a trailing slash.
    /// - Throws: ``GS1Failure`` with the code `missing_identifier` if no element can be the key, and `conflict` if
    ///   an element is not allowed in a link with this key or has two values.
    public func link(stem: String = "https://id.gs1.org") throws(GS1Failure) -> String {
        let table = ApplicationIdentifierTable.standard
        var rest: [GS1Element] = []
        for (place, element) in elements.enumerated() where !rest.contains(element) {
            guard !rest.contains(where: { $0.identifier == element.identifier }) else {
                throw GS1Failure(.conflict, "it has two values", identifier: element.identifier, position: place)
            }
            rest.append(element)
        }
        guard let key = rest.first(where: { table[$0.identifier]?.keyQualifiers != nil }),
            let sequences = table[key.identifier]?.keyQualifiers
        else {
            throw GS1Failure(
                .missingIdentifier,
                "the message has no element that can be the key of a link", position: 0)
        }
        rest.removeAll { $0 == key }
        var link = stem.hasSuffix("/") ? String(stem.dropLast()) : stem
        link += "/\(key.identifier)/\(Self.escaped(key.value))"
        let sequence =
            sequences.first { $0.contains { qualifier in rest.contains { $0.identifier == qualifier } } } ?? []
        for qualifier in sequence {
            guard let element = rest.first(where: { $0.identifier == qualifier }) else { continue }
            link += "/\(qualifier)/\(Self.escaped(element.value))"
            rest.removeAll { $0 == element }
        }
        // Values of predefined length come first, as in an element string, in which they then need no separator.
        let isPredefined = { (element: GS1Element) in table[element.identifier]?.isPredefinedLength == true }
        rest = rest.filter(isPredefined) + rest.filter { !isPredefined($0) }
        for (place, element) in rest.enumerated() {
            guard table[element.identifier]?.isLinkAttribute == true else {
                throw GS1Failure(
                    .conflict, "it is not allowed in a link with the key (\(key.identifier))",
                    identifier: element.identifier, position: place)
            }
            link += (place == 0 ? "?" : "&") + "\(element.identifier)=\(Self.escaped(element.value))"
        }
        return link
    }

    /// Percent-encodes all but letters, digits, `-`, `.`, `_` and `~` (RFC 3986, 2.3).
    private static func escaped(_ value: String) -> String {
        value.utf8.reduce(into: "") { text, byte in
            let isPlain =
                GS1Characters.contains(byte, .set64) && byte != UInt8(ascii: "=") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "~")
            let digits = String(byte, radix: 16, uppercase: true)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
    }
}

/// Parses a GS1 Digital Link.
struct GS1LinkParser {
    private let bytes: [UInt8]
    private let allowsShortGTIN: Bool
    private let table = ApplicationIdentifierTable.standard
    private var message = GS1Message([])

    init(_ bytes: [UInt8], allowsShortGTIN: Bool) {
        self.bytes = bytes
        self.allowsShortGTIN = allowsShortGTIN
    }

    /// Characters of a URI other than letters and digits (RFC 3986).
    private static let marks = Array("-._~:/?#[]@!$&'()*+,;=%".utf8)
    private static let domainMarks = Array("-.:[]".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        GS1Characters.isDigit(byte) || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
    }

    private func failure(_ message: String, at position: Int) -> GS1Failure {
        GS1Failure(.badSyntax, message, position: position)
    }

    mutating func parse() throws(GS1Failure) -> GS1Message {
        guard let scheme = ["https://", "http://", "HTTPS://", "HTTP://"].first(where: { bytes.starts(with: $0.utf8) })
        else { throw failure("the link does not begin with https:// or http://", at: 0) }
        if let place = bytes.firstIndex(where: { !Self.isAlphanumeric($0) && !Self.marks.contains($0) }) {
            throw failure("this character is not allowed in a link", at: place)
        }
        let start = scheme.utf8.count
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let query = bytes[start..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        guard let slash = bytes[start..<query].firstIndex(of: UInt8(ascii: "/")), slash > start else {
            throw failure("the link has no domain, or no path after it", at: start)
        }
        if let place = bytes[start..<slash].firstIndex(where: {
            !Self.isAlphanumeric($0) && !Self.domainMarks.contains($0)
        }) {
            throw failure("this character is not allowed in a domain", at: place)
        }
        let used = try parsePath(bytes[(slash + 1)..<query])
        if query < end { try parseQuery(bytes[(query + 1)..<end], after: used) }
        return message
    }

    /// Parses the path: the key is the last pair that is one, followed by its qualifiers.
    private mutating func parsePath(_ path: ArraySlice<UInt8>) throws(GS1Failure) -> GS1KeyQualifiers {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var place = parts.count - 2
        while place >= 0 {
            let digits = String(decoding: parts[place], as: UTF8.self)
            guard let identifier = table[digits] else { break }
            if let sequences = identifier.keyQualifiers {
                let qualifiers = stride(from: place + 2, to: parts.count, by: 2).map {
                    String(decoding: parts[$0], as: UTF8.self)
                }
                let used = GS1KeyQualifiers(sequences: sequences, used: qualifiers)
                guard used.isInOrder else {
                    throw GS1Failure(
                        .badSyntax, "the qualifiers after it do not belong to the key, or are in the wrong order",
                        identifier: digits, position: parts[place].startIndex)
                }
                for pair in stride(from: place, to: parts.count, by: 2) {
                    try add(String(decoding: parts[pair], as: UTF8.self), parts[pair + 1], isQuery: false)
                }
                return used
            }
            place -= 2
        }
        throw GS1Failure(
            .missingIdentifier, "the path does not end with a key and its qualifiers",
            position: path.startIndex)
    }

    private mutating func parseQuery(
        _ query: ArraySlice<UInt8>, after qualifiers: GS1KeyQualifiers
    ) throws(GS1Failure) {
        for part in query.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard pair[0].allSatisfy(GS1Characters.isDigit) else { continue }
            let digits = String(decoding: pair[0], as: UTF8.self)
            guard pair.count == 2, let identifier = table[digits] else {
                throw GS1Failure(
                    .unknownIdentifier,
                    "the application identifier \(digits) does not exist", position: part.startIndex)
            }
            guard identifier.isLinkAttribute, !qualifiers.mayHold(digits) else {
                throw GS1Failure(
                    .conflict, "it is not allowed in the query of this link", identifier: digits,
                    position: part.startIndex)
            }
            try add(digits, pair[1], isQuery: true)
        }
    }

    private mutating func add(
        _ digits: String, _ escaped: ArraySlice<UInt8>, isQuery: Bool
    ) throws(GS1Failure) {
        guard let identifier = table[digits] else { return }
        guard message[digits] == nil else {
            throw GS1Failure(.conflict, "it appears twice", identifier: digits, position: escaped.startIndex)
        }
        guard message.elements.count < GS1Message.maximumElements else {
            throw GS1Failure(
                .tooLong, "there are more than \(GS1Message.maximumElements) elements", position: escaped.startIndex)
        }
        guard var value = Self.unescaped(escaped, isQuery: isQuery) else {
            throw failure("two hexadecimal digits must follow %", at: escaped.startIndex)
        }
        if digits == "01", allowsShortGTIN, [8, 12, 13].contains(value.count) {
            value = [UInt8](repeating: 0x30, count: 14 - value.count) + value
        }
        do {
            try identifier.check(value[...], digits: digits)
        } catch {
            var failure = error
            failure.position = escaped.startIndex
            throw failure
        }
        message.elements.append(GS1Element(digits, String(decoding: value, as: UTF8.self)))
    }

    /// Decodes percent-encoding; `nil` for an invalid escape.
    fileprivate static func unescaped(_ bytes: ArraySlice<UInt8>, isQuery: Bool) -> [UInt8]? {
        HexadecimalEscapes.strictlyDecoded(bytes, plus: UInt8(ascii: isQuery ? " " : "+"))
    }
}

/// The possible qualifiers of a key in the path of a link, and the ones in use.
struct GS1KeyQualifiers {
    /// The possible sequences; the path may have one of them, or an ordered part of it.
    var sequences: [[String]]
    var used: [String]

    /// The sequences that match the path.
    private var possible: [[String]] {
        sequences.filter { sequence in
            var rest = sequence[...]
            return used.allSatisfy { qualifier in
                guard let place = rest.firstIndex(of: qualifier) else { return false }
                rest = rest[(place + 1)...]
                return true
            }
        }
    }

    /// Indicates whether the path's qualifiers belong to one sequence, in its order.
    var isInOrder: Bool { used.isEmpty || !possible.isEmpty }

    /// Indicates whether an identifier belongs in the path instead of the query.
    func mayHold(_ identifier: String) -> Bool { possible.contains { $0.contains(identifier) } }
}
