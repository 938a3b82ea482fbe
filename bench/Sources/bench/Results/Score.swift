/// The agreement of readings with the truth, for one picture or many.
struct Score: Codable, Sendable, Hashable {
    /// The number of symbols in the pictures.
    var expected: Int
    /// The number of symbols that were read correctly.
    var found: Int
    /// The number of readings that match no symbol.
    var misread: Int

    /// Creates a score from counts.
    init(expected: Int = 0, found: Int = 0, misread: Int = 0) {
        self.expected = expected
        self.found = found
        self.misread = misread
    }

    /// The number of symbols that were not read.
    var missed: Int { expected - found }

    /// Adds the counts of another picture.
    mutating func add(_ other: Score) {
        expected += other.expected
        found += other.found
        misread += other.misread
    }

    /// Compares a reader's results with the truth; `nil` if the truth is not known.
    ///
    /// A symbol with a known message is found if a reading equals the message. A symbol with a known outline is found
    /// if the center of a reading lies inside. Each symbol is found once; a second reading of it is neither found nor
    /// misread.
    ///
    /// - Parameter kind: the symbology, by the name of the pictures' group or format, see ``CanonicalMessage``.
    init?(_ symbols: [FoundSymbol], against truth: Truth, kind: String) {
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
        case .messages(let messages, let ignored, let isPartial):
            self.init(expected: messages.count)
            func canonical(_ forms: [[UInt8]]) -> Set<[UInt8]> {
                Set(forms.map { CanonicalMessage.of($0, kind: kind) })
            }
            let there = messages.map { canonical($0.forms) }
            let others = ignored.reduce(into: Set()) { $0.formUnion(canonical($1.forms)) }
            var isTaken = messages.map { _ in false }
            for symbol in symbols {
                let forms = canonical(symbol.forms)
                guard others.isDisjoint(with: forms) else { continue }
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

/// Normalizes messages that readers report differently for the same symbol.
enum CanonicalMessage {
    /// Returns the form of `message` for comparison.
    ///
    /// - Parameter kind: the name of a symbology, or `retail` for any EAN or UPC; underscores, hyphens and case are
    ///   ignored. UPC-A and UPC-E lose leading zeros, and the 8 digits of UPC-E are expanded to 12; `retail` loses an
    ///   add-on too. Codabar loses its start and stop letters, Code 128 its field separators, and the number of a
    ///   vehicle in Code 39 (`code39-vin`) the letter I before it. Code 32 is the six characters that Code 39 encodes.
    ///   DataBar (RSS) loses brackets and field separators, and the omnidirectional variant its application identifier
    ///   and its check digit. For any other kind, only line ends around the message are removed.
    static func of(_ message: [UInt8], kind: String) -> [UInt8] {
        let name = kind.lowercased().filter { $0 != "_" && $0 != "-" }
        var bytes = message.trimming { $0 == 0x0A || $0 == 0x0D }
        if name == "retail" {
            bytes = Array(bytes.prefix { $0 != 0x2B && $0 != 0x20 })
            bytes = Array((expandedUPCE(bytes) ?? bytes).drop { $0 == zero })
        } else if name == "code128" {
            bytes.removeAll { $0 == 0x1D }
        } else if name == "code39vin" {
            if bytes.count == 18, bytes.first == 0x49 { bytes.removeFirst() }
        } else if name == "code32" {
            bytes = charactersOfCode32(bytes) ?? bytes
        } else if name.hasPrefix("upca") {
            // With an add-on the number is longer; a leading zero is then the reader's way to report EAN-13.
            if bytes.count == 12 || bytes.count == 13 { bytes = Array(bytes.drop { $0 == zero }) }
        } else if name.hasPrefix("upce") {
            bytes = Array((expandedUPCE(bytes) ?? bytes).drop { $0 == zero })
        } else if name.hasPrefix("codabar") {
            bytes = bytes.trimming { (0x41...0x44).contains($0) || (0x61...0x64).contains($0) }
        } else if name.hasPrefix("rss") || name.hasPrefix("databar") {
            bytes = bytes.filter { $0 != 0x28 && $0 != 0x29 && $0 != 0x1D }
            if name == "rss14" || name == "databar" {
                if bytes.count >= 15, bytes.starts(with: [zero, zero + 1]) { bytes.removeFirst(2) }
                if bytes.count == 14 { bytes.removeLast() }
            }
        }
        return bytes
    }

    /// Returns the six characters that Code 39 encodes for a Code 32, which is the letter A and nine digits; `nil` for
    /// other input.
    static func charactersOfCode32(_ message: [UInt8]) -> [UInt8]? {
        guard message.count == 10, message[0] == 0x41, var number = Int(String(decoding: message[1...], as: UTF8.self))
        else { return nil }
        let alphabet = Array("0123456789BCDFGHJKLMNPQRSTUVWXYZ".utf8)
        var result: [UInt8] = []
        for _ in 0..<6 {
            result.insert(alphabet[number % 32], at: 0)
            number /= 32
        }
        return result
    }

    private static let zero: UInt8 = 0x30

    /// Expands the 8 digits of UPC-E to the 12 of UPC-A (GS1 General Specifications, 5.2.2.4.2); `nil` for other
    /// input.
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
