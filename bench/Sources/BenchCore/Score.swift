/// How the readings of a picture, or of many, agree with what is there.
public struct Score: Codable, Sendable, Hashable {
    /// Symbols that are there.
    public var expected: Int
    /// Symbols that were read rightly.
    public var found: Int
    /// Readings that match nothing that is there.
    public var misread: Int

    /// The given counts.
    public init(expected: Int = 0, found: Int = 0, misread: Int = 0) {
        self.expected = expected
        self.found = found
        self.misread = misread
    }

    /// Symbols that are there and were not read.
    public var missed: Int { expected - found }

    /// Adds the counts of another picture.
    public mutating func add(_ other: Score) {
        expected += other.expected
        found += other.found
        misread += other.misread
    }

    /// Holds what a reader read against the truth; nil where the truth is not known.
    ///
    /// A symbol with a known message is found when a reading equals it, one with an outline when the middle of a
    /// reading lies inside. Each is found once; a second reading of it is neither found nor misread.
    ///
    /// - Parameter kind: the symbology as the pictures' group or format is named, see ``CanonicalMessage``.
    public init?(_ symbols: [FoundSymbol], against truth: Truth, kind: String) {
        switch truth {
        case .unknown:
            return nil
        case .outlines(let outlines):
            self.init(expected: outlines.count)
            var isTaken = outlines.map { _ in false }
            for symbol in symbols {
                let around = outlines.indices.filter { symbol.center?.isInside(outlines[$0]) ?? false }
                if let free = around.first(where: { !isTaken[$0] }) {
                    isTaken[free] = true
                    found += 1
                } else if around.isEmpty {
                    misread += 1
                }
            }
        case .messages(let messages, let isPartial):
            self.init(expected: messages.count)
            let there = messages.map { Set($0.forms.map { CanonicalMessage.of($0, kind: kind) }) }
            var isTaken = messages.map { _ in false }
            for symbol in symbols {
                let forms = symbol.forms.map { CanonicalMessage.of($0, kind: kind) }
                let equal = there.indices.filter { !there[$0].isDisjoint(with: forms) }
                if let free = equal.first(where: { !isTaken[$0] }) {
                    isTaken[free] = true
                    found += 1
                } else if equal.isEmpty && !isPartial {
                    misread += 1
                }
            }
        }
    }
}

/// A message without what readers write differently for the same symbol.
public enum CanonicalMessage {
    /// The form of `message` that is compared.
    ///
    /// - Parameter kind: the name of a symbology; underscores and case do not matter. UPC-A and UPC-E lose the zeros
    ///   in front, and UPC-E's 8 digits become the 12 that they stand for; Codabar loses its start and stop letters;
    ///   DataBar (RSS) loses brackets, field separators and the omnidirectional kind its check digit. Any other kind
    ///   is taken as it is, but for line ends around it.
    public static func of(_ message: [UInt8], kind: String) -> [UInt8] {
        let name = kind.lowercased().filter { $0 != "_" && $0 != "-" }
        var bytes = message.trimming { $0 == 0x0A || $0 == 0x0D }
        if name.hasPrefix("upca") {
            // With an add-on the number is longer, and a zero in front of it is the reader's way to say EAN-13.
            if bytes.count == 12 || bytes.count == 13 { bytes = Array(bytes.drop { $0 == zero }) }
        } else if name.hasPrefix("upce") {
            bytes = Array((expandedUPCE(bytes) ?? bytes).drop { $0 == zero })
        } else if name.hasPrefix("codabar") {
            bytes = bytes.trimming { (0x41...0x44).contains($0) || (0x61...0x64).contains($0) }
        } else if name.hasPrefix("rss") || name.hasPrefix("databar") {
            bytes = bytes.filter { $0 != 0x28 && $0 != 0x29 && $0 != 0x1D }
            if name == "rss14" || name == "databar", bytes.count == 16 { bytes.removeLast() }
        }
        return bytes
    }

    private static let zero: UInt8 = 0x30

    /// The 12 digits of UPC-A that the 8 of UPC-E stand for (GS1 General Specifications, 5.2.2.4.2); nil for others.
    static func expandedUPCE(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count == 8, digits.allSatisfy((zero...zero + 9).contains), digits[0] <= zero + 1 else {
            return nil
        }
        let (system, check) = (digits[0], digits[7])
        let body = Array(digits[1...6])
        func zeros(_ count: Int) -> [UInt8] { Array(repeating: zero, count: count) }
        let middle: [UInt8] =
            switch body[5] - zero {
            case 0, 1, 2: body[0...1] + [body[5]] + zeros(4) + body[2...4]
            case 3: body[0...2] + zeros(5) + body[3...4]
            case 4: body[0...3] + zeros(5) + body[4...4]
            default: body[0...4] + zeros(4) + [body[5]]
            }
        return [system] + middle + [check]
    }
}

extension [UInt8] {
    fileprivate func trimming(_ isTrimmed: (UInt8) -> Bool) -> [UInt8] {
        guard let first = firstIndex(where: { !isTrimmed($0) }), let last = lastIndex(where: { !isTrimmed($0) }) else {
            return []
        }
        return Array(self[first...last])
    }
}
