/// A GS1 application identifier and its value.
public struct GS1Element: Sendable, Hashable {
    /// The digits of the application identifier, such as `01` or `3103`.
    public var identifier: String
    /// The value, as in the symbol.
    public var value: String
    /// The title of the identifier in GS1's lists, such as `BATCH/LOT`.
    public var title: String { ApplicationIdentifierTable.standard[identifier]?.title ?? "" }

    /// Creates an element without checking it.
    public init(_ identifier: String, _ value: String) {
        self.identifier = identifier
        self.value = value
    }
}

/// The elements of a GS1 message, in order.
///
/// ```swift
/// let message = try GS1Message.parse(bracketed: "(01)09501101530003(10)ABC123")
/// print(message["10"] ?? "no batch", try message.link())
/// ```
public struct GS1Message: Sendable, Hashable {
    /// The elements; a parsed message has at least one.
    public var elements: [GS1Element]

    /// Creates a message without checking it; to check it, pass its ``elementString`` to ``parse(_:)``.
    public init(_ elements: [GS1Element]) {
        self.elements = elements
    }

    /// The value of the first element with an identifier; `nil` if there is none.
    public subscript(identifier: String) -> String? {
        elements.first { $0.identifier == identifier }?.value
    }

    /// The most elements of a message; GS1's own engine has the same limit.
    static let maximumElements = 64
    /// The longest message in bytes; no symbol holds more.
    static let maximumLength = 8192

    /// Parses an element string: the content of a symbol with FNC1 in first position, with GS (0x1D) for FNC1
    /// elsewhere.
    ///
    /// A separator after a value of predefined length, or at the end, is tolerated. ``checkPairs()`` checks if the
    /// identifiers go together, because a second symbol on the same item may hold the rest.
    ///
    /// - Throws: ``GS1Failure``.
    /// - Source: GS1 General Specifications 25, 7.8.
    public static func parse(_ bytes: [UInt8]) throws(GS1Failure) -> GS1Message {
        guard !bytes.isEmpty else { throw GS1Failure(.empty, "the message is empty", position: 0) }
        guard bytes.count <= maximumLength else {
            throw GS1Failure(.tooLong, "the message has more than \(maximumLength) bytes", position: maximumLength)
        }
        let table = ApplicationIdentifierTable.standard
        var message = GS1Message([])
        var place = 0
        while place < bytes.count {
            guard message.elements.count < maximumElements else {
                throw GS1Failure(.tooLong, "there are more than \(maximumElements) elements", position: place)
            }
            guard let digits = table.digits(at: bytes[place...]), let identifier = table[digits] else {
                let seen = bytes[place...].prefix(4).prefix { GS1Characters.isDigit($0) }
                throw GS1Failure(
                    .unknownIdentifier,
                    seen.isEmpty
                        ? "an application identifier is missing"
                        : "no application identifier begins with \(String(decoding: seen, as: UTF8.self))",
                    position: place)
            }
            let start = place + digits.utf8.count
            var end = bytes[start...].firstIndex(of: GS1Characters.separator) ?? bytes.count
            if identifier.isPredefinedLength { end = min(end, start + identifier.length.upperBound) }
            try identifier.check(bytes[start..<end], digits: digits)
            message.elements.append(GS1Element(digits, String(decoding: bytes[start..<end], as: UTF8.self)))
            place = end
            if place < bytes.count, bytes[place] == GS1Characters.separator { place += 1 }
        }
        return message
    }

    /// The element string, with GS (0x1D) between elements if needed.
    public var elementString: [UInt8] {
        var bytes: [UInt8] = []
        for (place, element) in elements.enumerated() {
            bytes += Array((element.identifier + element.value).utf8)
            let isPredefined = ApplicationIdentifierTable.standard[element.identifier]?.isPredefinedLength ?? false
            if place + 1 < elements.count, !isPredefined { bytes.append(GS1Characters.separator) }
        }
        return bytes
    }
}

extension ApplicationIdentifier {
    /// Checks a value against the identifier.
    ///
    /// - Throws: ``GS1Failure``.
    func check(_ value: ArraySlice<UInt8>, digits: String) throws(GS1Failure) {
        func failure(_ code: GS1Failure.Code, _ message: String, at place: Int) -> GS1Failure {
            GS1Failure(code, message, identifier: digits, position: place)
        }
        guard length.contains(value.count) else {
            let wanted =
                length.count == 1 ? "\(length.lowerBound)" : "\(length.lowerBound) to \(length.upperBound)"
            throw failure(
                .badLength,
                "the value has \(value.count) characters instead of \(wanted)", at: value.startIndex)
        }
        var rest = value
        for component in components {
            if component.isOptional, rest.isEmpty { break }
            let part = rest.prefix(component.length.upperBound)
            guard component.length.contains(part.count) else {
                throw failure(.badLength, "the value is incomplete", at: value.endIndex)
            }
            if let place = part.firstIndex(where: { !GS1Characters.contains($0, component.characters) }) {
                throw failure(.badCharacter, "\(part[place].shown) is not allowed here", at: place)
            }
            if component.characters == .set64, !GS1Check.isPadded(part) {
                throw failure(.badCharacter, "= is not allowed here", at: part.endIndex - 1)
            }
            for check in component.checks {
                if let problem = check.problem(part) {
                    throw failure(problem.code, problem.message, at: part.startIndex)
                }
            }
            rest = rest.dropFirst(part.count)
        }
        guard rest.isEmpty else { throw failure(.badLength, "the value is too long", at: rest.startIndex) }
    }
}

extension UInt8 {
    /// The byte as named in an error message.
    fileprivate var shown: String {
        self > 0x20 && self < 0x7F
            ? String(UnicodeScalar(self)) : "the byte 0x" + String(self, radix: 16, uppercase: true)
    }
}
