/// Code 39 full ASCII: `$`, `%`, `/` and `+` each form one ASCII character with the letter behind it.
///
/// Source: ISO/IEC 16388, annex A.
enum Code39Pairs {
    /// Returns the full ASCII text of the characters of a symbol; `nil` if one of the four shifts has no valid
    /// letter behind it.
    static func text(of characters: [UInt8]) -> [UInt8]? {
        var text: [UInt8] = []
        var place = 0
        while place < characters.count {
            guard let shift = shifts.firstIndex(of: characters[place]) else {
                text.append(characters[place])
                place += 1
                continue
            }
            guard place + 1 < characters.count, letters.contains(characters[place + 1]),
                let byte = Code93.shifted(characters[place + 1] - letters.lowerBound, by: shift)
            else { return nil }
            text.append(byte)
            place += 2
        }
        return text
    }

    /// Indicates whether a message is unlikely to be plain Code 39: it has two lowercase letters, made by `+`, side
    /// by side.
    ///
    /// A single pair proves nothing: labels of the health industry begin with `+` and a letter, and a slash
    /// separates the parts of many numbers.
    static func isLikely(_ characters: [UInt8]) -> Bool {
        let plus = UInt8(ascii: "+")
        return characters.indices.dropLast(3).contains { place in
            characters[place] == plus && characters[place + 2] == plus && letters.contains(characters[place + 1])
                && letters.contains(characters[place + 3])
        }
    }

    /// The shift characters, in the order of the four shifts of Code 93, which make the same characters.
    private static let shifts = Array("$%/+".utf8)
    private static let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
}
