internal import BarcodeCore
internal import CEmbeddedFiles

/// A setting that a scanner applies when it scans a barcode.
public struct Setting: Sendable, Hashable {
    /// The manufacturer of the scanners that support it.
    public var maker: String
    /// The name, such as `name`.
    public var name: String
    /// The longest text in characters; `nil` for a setting without text.
    public var maximumLength: Int?
    /// The effect of the setting, as a clause.
    public var summary: String
    /// Indicates whether the code begins with FNC3, which tells scanners to apply a code instead of sending it
    /// (ISO/IEC 15417).
    public var beginsWithFNC3: Bool
    /// The content before and after the text.
    var parts: [[UInt8]]

    /// Returns the content of the code without FNC3.
    ///
    /// - Parameter text: the text of the setting; `nil` for a setting without text.
    /// - Throws: ``SettingFault`` if the text is missing, too long or has characters that a scanner does not
    ///   accept.
    public func content(_ text: String?) throws(SettingFault) -> [UInt8] {
        guard let maximumLength else {
            guard text == nil else { throw SettingFault("the setting \"\(name)\" takes no text") }
            return parts[0]
        }
        guard let text, !text.isEmpty else {
            throw SettingFault("the setting \"\(name)\" needs a text: give it after the setting")
        }
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw SettingFault("a gun accepts printable ASCII only")
        }
        guard bytes.count <= maximumLength else {
            throw SettingFault("the setting \"\(name)\" takes at most \(maximumLength) characters, not \(bytes.count)")
        }
        return parts[0] + bytes + parts[1]
    }
}

/// The reason why a code cannot be made: a clause.
public struct SettingFault: Error, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The known settings.
public struct SettingTable: Sendable, Hashable {
    /// The largest table in bytes.
    public static let maximumBytes = 1 << 20

    /// All settings; a later one replaces one with the same manufacturer and name.
    public private(set) var settings: [Setting] = []

    /// Creates a table with the built-in settings.
    public init() {
        // A test parses the built-in file, so this cannot fail.
        try? add(Array(String(cString: qz_embedded_file("SettingCodes.txt")).utf8))
    }

    /// Adds the settings of a file, see `SettingCodes.txt`.
    ///
    /// - Throws: ``SettingFault`` with the line number.
    public mutating func add(_ file: [UInt8]) throws(SettingFault) {
        guard file.count <= Self.maximumBytes else { throw SettingFault("it has more than \(Self.maximumBytes) bytes") }
        var number = 0
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            let line = line.trimmingBlanks
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let setting = Self.setting(line) else {
                throw SettingFault("line \(number): write it as `maker | name | 20 | %%BT={} | what it does`")
            }
            settings.removeAll { $0.maker == setting.maker && $0.name == setting.name }
            settings.append(setting)
        }
    }

    /// Returns the setting with a name; `nil` if it is not known.
    ///
    /// - Parameter maker: the manufacturer; `nil` for the only one that has the setting.
    /// - Throws: ``SettingFault`` if several manufacturers have it and none is given.
    public func setting(_ name: String, maker: String?) throws(SettingFault) -> Setting? {
        let found = settings.filter { $0.name == name && (maker == nil || $0.maker == maker) }
        guard found.count <= 1 else {
            let makers = found.map(\.maker).joined(separator: ", ")
            throw SettingFault("several makers have the setting \"\(name)\"; name one of them: \(makers)")
        }
        return found.first
    }

    /// The notation of FNC3 in a table.
    private static let fnc3 = "\\F3"

    private static func setting(_ line: String) -> Setting? {
        let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(\.trimmingBlanks)
        guard columns.count == 5, columns.allSatisfy({ !$0.isEmpty }) else { return nil }
        let beginsWithFNC3 = columns[3].hasPrefix(Self.fnc3)
        let text = String(columns[3].dropFirst(beginsWithFNC3 ? Self.fnc3.count : 0))
        // Elsewhere it would be encoded as literal characters.
        guard !text.contains(Self.fnc3), let content = bytes(text) else { return nil }
        let parts = content.split(onPlaceholder: [0x7B, 0x7D])
        var length: Int?
        if columns[2] != "-" {
            guard let most = Int(columns[2]), (1...80).contains(most) else { return nil }
            length = most
        }
        guard parts.count == (length == nil ? 1 : 2), parts != [[]] else { return nil }
        return Setting(
            maker: columns[0], name: columns[1], maximumLength: length, summary: columns[4],
            beginsWithFNC3: beginsWithFNC3, parts: parts)
    }

    /// Parses a text with `\xHH` escapes; `nil` if a byte is not ASCII.
    private static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x") {
                let digits = rest.dropFirst().prefix(2)
                guard let value = HexadecimalEscapes.byte(digits) else { return nil }
                rest = rest.dropFirst(3)
                bytes.append(value)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
    }
}

extension StringProtocol {
    fileprivate var trimmingBlanks: String {
        let rest = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        return String(rest.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
    }
}

extension [UInt8] {
    /// Returns the parts before, between and after the placeholders.
    fileprivate func split(onPlaceholder placeholder: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var index = 0
        while index < count {
            if self[index...].starts(with: placeholder) {
                parts.append([])
                index += placeholder.count
            } else {
                parts[parts.count - 1].append(self[index])
                index += 1
            }
        }
        return parts
    }
}
