extension GS1Message {
    /// Checks if the identifiers go together: required ones are present, none excludes another, none has two
    /// values.
    ///
    /// An item may carry the rest in a second symbol, so check the elements of all its symbols together.
    ///
    /// - Throws: ``GS1Failure`` with the code `missing_identifier` or `conflict`; its position is the index in
    ///   ``elements``.
    public func checkPairs() throws(GS1Failure) {
        let table = ApplicationIdentifierTable.standard
        try checkSignature()
        for (place, element) in elements.enumerated() {
            if let twin = elements.first(where: { $0.identifier == element.identifier && $0.value != element.value }) {
                throw GS1Failure(
                    .conflict, "it has the values \(element.value) and \(twin.value)", identifier: element.identifier,
                    position: place)
            }
            guard let identifier = table[element.identifier] else { continue }
            for pattern in identifier.excluded {
                let other = elements.first {
                    $0.identifier != element.identifier && Self.matches($0.identifier, pattern)
                }
                if let other {
                    throw GS1Failure(
                        .conflict, "it must not be combined with (\(other.identifier))",
                        identifier: element.identifier, position: place)
                }
            }
            for alternatives in identifier.required {
                let isThere = alternatives.contains { group in
                    group.allSatisfy { pattern in elements.contains { Self.matches($0.identifier, pattern) } }
                }
                if !isThere {
                    let wanted = alternatives.map { $0.map { "(\($0))" }.joined(separator: " with ") }
                    throw GS1Failure(
                        .missingIdentifier, "it needs \(wanted.joined(separator: " or "))",
                        identifier: element.identifier, position: place)
                }
            }
        }
    }

    /// The keys with an optional serial number, and their lengths without it.
    private static let keyLengths = ["253": 13, "255": 13, "8003": 14]

    /// Checks that a key with a digital signature has its serial number (GS1 General Specifications, 4.14).
    private func checkSignature() throws(GS1Failure) {
        guard self["8030"] != nil else { return }
        for (place, element) in elements.enumerated() {
            if let length = Self.keyLengths[element.identifier], element.value.utf8.count <= length {
                throw GS1Failure(
                    .missingIdentifier, "a digital signature needs its serial number", identifier: element.identifier,
                    position: place)
            }
        }
    }

    /// Indicates whether an identifier matches a pattern, in which `n` stands for any digit.
    static func matches(_ identifier: String, _ pattern: String) -> Bool {
        identifier.utf8.count == pattern.utf8.count
            && zip(identifier.utf8, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "n") || $0 == $1 }
    }
}
