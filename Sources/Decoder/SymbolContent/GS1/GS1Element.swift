/// An application identifier of GS1 and its value.
public struct GS1Element: Sendable, Hashable {
    /// The digits of the application identifier, such as `01` or `3103`.
    public var identifier: String
    /// The value as it stands in the symbol.
    public var value: String
    /// The name of the identifier in GS1's lists, such as `BATCH/LOT`.
    public var title: String { ApplicationIdentifierTable.standard[identifier]?.title ?? "" }

    /// An identifier and its value; neither is checked.
    public init(_ identifier: String, _ value: String) {
        self.identifier = identifier
        self.value = value
    }
}

/// The elements of one message of GS1, in its order.
public struct GS1Message: Sendable, Hashable {
    /// The elements; a message that was parsed has one at least.
    public var elements: [GS1Element]

    /// A message of some elements, which are not checked; ``parse(_:)`` of ``elementString`` does.
    public init(_ elements: [GS1Element]) {
        self.elements = elements
    }

    /// The value of the first element with an identifier.
    public subscript(identifier: String) -> String? {
        elements.first { $0.identifier == identifier }?.value
    }

    /// Elements of the longest message that is taken; GS1's own engine takes as many.
    static let maximumElements = 64
    /// Bytes of the longest message that is taken; no symbol holds more.
    static let maximumLength = 8192

    /// The elements of an element string: what a symbol with FNC1 in first position holds, FNC1 as GS (0x1D) elsewhere.
    ///
    /// A separator behind a value of predefined length, or at the end, is tolerated. Whether the identifiers go together
    /// is asked by ``checkPairs()``, because a second symbol on the same thing may hold the rest.
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
                        ? "there is no application identifier"
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

    /// The element string that a symbol holds, GS (0x1D) between elements where one is needed.
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
    /// Whether a value is one of the identifier.
    func check(_ value: ArraySlice<UInt8>, digits: String) throws(GS1Failure) {
        func failure(_ code: GS1Failure.Code, _ message: String, at place: Int) -> GS1Failure {
            GS1Failure(code, message, identifier: digits, position: place)
        }
        guard length.contains(value.count) else {
            let wanted =
                length.count == 1 ? "\(length.lowerBound)" : "\(length.lowerBound) to \(length.upperBound)"
            throw failure(.badLength, "the value has \(value.count) characters and not \(wanted)", at: value.startIndex)
        }
        var rest = value
        for component in components {
            if component.isOptional, rest.isEmpty { break }
            let part = rest.prefix(component.length.upperBound)
            guard component.length.contains(part.count) else {
                throw failure(.badLength, "the value ends within a part of it", at: value.endIndex)
            }
            if let place = part.firstIndex(where: { !GS1Characters.contains($0, component.characters) }) {
                throw failure(.badCharacter, "\(part[place].shown) may not stand here", at: place)
            }
            if component.characters == .set64, !GS1Check.isPadded(part) {
                throw failure(.badCharacter, "= may not stand here", at: part.endIndex - 1)
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
    /// The byte as it is named in a sentence.
    fileprivate var shown: String {
        self > 0x20 && self < 0x7F
            ? String(UnicodeScalar(self)) : "the byte 0x" + String(self, radix: 16, uppercase: true)
    }
}
