/// The name of an app: the first label of its host name, so that browsers isolate apps from each other.
public struct AppName: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// Lower-case letters, digits and hyphens.
    public let rawValue: String

    /// Creates a name of 1 to 40 lower-case letters, digits and inner hyphens; `nil` for any other text.
    public init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        func isLetterOrDigit(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
        guard (1...40).contains(bytes.count), let first = bytes.first, let last = bytes.last,
            isLetterOrDigit(first), isLetterOrDigit(last),
            bytes.allSatisfy({ isLetterOrDigit($0) || $0 == 0x2D })
        else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a name from a file name, such as `ward-map` from `/tmp/Ward Map.zip`; `nil` if nothing is left.
    public init?(suggestedBy path: String) {
        let file = path.split(separator: "/").last.map(String.init) ?? ""
        let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
        var made = ""
        for character in stem.lowercased() {
            let isKept = character.isASCII && (character.isLetter || character.isNumber)
            if isKept { made.append(character) } else if !made.isEmpty && !made.hasSuffix("-") { made.append("-") }
        }
        made = String(made.prefix(40))
        while made.hasSuffix("-") { made.removeLast() }
        self.init(rawValue: made)
    }

    /// The name.
    public var description: String { rawValue }
}
