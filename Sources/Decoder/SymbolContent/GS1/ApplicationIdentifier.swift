/// A GS1 application identifier: the meaning of its value, and the characters that the value may have.
///
/// Source: the GS1 Barcode Syntax Dictionary, see `ApplicationIdentifier+table.swift`.
struct ApplicationIdentifier: Sendable {
    /// A part of the value.
    struct Component: Sendable, Hashable {
        /// A character set.
        enum Characters: Character, Sendable {
            /// Digits.
            case numeric = "N"
            /// The 82 characters of figure 7.11-1 of the GS1 General Specifications.
            case set82 = "X"
            /// The 39 characters of figure 7.11-2.
            case set39 = "Y"
            /// The 64 characters of base64url, and its padding.
            case set64 = "Z"
        }

        var characters: Characters
        /// The number of characters; a single number if the length is fixed.
        var length: ClosedRange<Int>
        var isOptional: Bool
        /// Further rules for the part.
        var checks: [GS1Check]
    }

    /// The title in GS1's lists, such as `BATCH/LOT`.
    var title: String
    /// Indicates whether no separator follows the value, because the first two digits determine its length.
    var isPredefinedLength: Bool
    /// Indicates whether it may be an attribute in a GS1 Digital Link.
    var isLinkAttribute: Bool
    var components: [Component]
    /// Groups of alternatives, one of which must be in the same message: lists of identifiers that go together,
    /// with `n` for any digit.
    var required: [[[String]]]
    /// Identifiers that must not be in the same message, with `n` for any digit.
    var excluded: [String]
    /// The sequences of qualifiers that may follow a primary key of a GS1 Digital Link; `nil` for other
    /// identifiers.
    var keyQualifiers: [[String]]?

    /// The number of characters of the value.
    var length: ClosedRange<Int> {
        let least = components.reduce(0) { $0 + ($1.isOptional ? 0 : $1.length.lowerBound) }
        return least...max(least, components.reduce(0) { $0 + $1.length.upperBound })
    }
}

/// All application identifiers, by their digits.
struct ApplicationIdentifierTable: Sendable {
    /// The identifiers of the built-in dictionary.
    static let standard = ApplicationIdentifierTable(ApplicationIdentifier.dictionary)

    private var identifiers: [String: ApplicationIdentifier] = [:]
    /// The number of digits of an identifier, by its first two digits.
    private var lengths = [Int](repeating: 0, count: 100)

    /// Parses lines of the dictionary, and ignores invalid ones.
    init(_ dictionary: String) {
        for line in dictionary.split(separator: "\n") {
            guard let (digits, identifier) = Self.row(line) else { continue }
            for digits in digits {
                identifiers[digits] = identifier
                if let prefix = Int(digits.prefix(2)) { lengths[prefix] = digits.utf8.count }
            }
        }
    }

    /// The number of identifiers.
    var count: Int { identifiers.count }

    subscript(digits: String) -> ApplicationIdentifier? { identifiers[digits] }

    /// Returns the digits of the identifier with which the bytes begin; `nil` if there is none.
    func digits(at bytes: ArraySlice<UInt8>) -> String? {
        guard let first = bytes.first, let second = bytes.dropFirst().first, GS1Characters.isDigit(first),
            GS1Characters.isDigit(second)
        else { return nil }
        let length = lengths[Int(first - 0x30) * 10 + Int(second - 0x30)]
        guard length > 0, bytes.count >= length else { return nil }
        let digits = String(decoding: bytes.prefix(length), as: UTF8.self)
        return identifiers[digits] == nil ? nil : digits
    }

    // MARK: The dictionary's lines

    private static func row(_ line: Substring) -> (digits: [String], identifier: ApplicationIdentifier)? {
        let parts = line.split(separator: "#", maxSplits: 1)
        guard let fields = parts.first?.split(separator: " "), let range = fields.first, range.first?.isNumber == true
        else { return nil }
        var rest = fields.dropFirst()
        var flags: Substring = ""
        if let first = rest.first, first.allSatisfy({ "*?!\"".contains($0) }) {
            flags = first
            rest = rest.dropFirst()
        }
        var identifier = ApplicationIdentifier(
            title: parts.count > 1 ? parts[1].trimmingSpaces : "", isPredefinedLength: flags.contains("*"),
            isLinkAttribute: flags.contains("?"), components: [], required: [], excluded: [], keyQualifiers: nil)
        for field in rest {
            let pair = field.split(separator: "=", maxSplits: 1)
            let values = pair.count > 1 ? pair[1].split(separator: ",").map(String.init) : []
            switch pair[0] {
            case "req": identifier.required.append(values.map { $0.split(separator: "+").map(String.init) })
            case "ex": identifier.excluded += values
            case "dlpkey":
                let sequences = pair.count > 1 ? pair[1].split(separator: "|") : []
                identifier.keyQualifiers = sequences.map { $0.split(separator: ",").map(String.init) }
            default:
                guard let component = component(field) else { return nil }
                identifier.components.append(component)
            }
        }
        let ends = range.split(separator: "-")
        guard let first = Int(ends[0]), let last = Int(ends[ends.count - 1]), first <= last, last < 10_000 else {
            return nil
        }
        let width = ends[0].utf8.count
        let digits = (first...last).map { number in
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        return (digits, identifier)
    }

    /// Parses a component such as `N13,csum,gcppos1`, `[X..17]` or `[N3],iso3166`.
    private static func component(_ field: Substring) -> ApplicationIdentifier.Component? {
        let isOptional = field.first == "["
        let parts = field.filter { $0 != "[" && $0 != "]" }.split(separator: ",")
        guard let format = parts.first, let letter = format.first,
            let characters = ApplicationIdentifier.Component.Characters(rawValue: letter)
        else { return nil }
        let length = format.dropFirst()
        let isVariable = length.hasPrefix("..")
        guard let most = Int(length.drop { $0 == "." }), most > 0 else { return nil }
        return ApplicationIdentifier.Component(
            characters: characters, length: (isVariable ? 1 : most)...most, isOptional: isOptional,
            checks: parts.dropFirst().map { GS1Check(rawValue: String($0)) })
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
