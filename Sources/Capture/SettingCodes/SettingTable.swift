internal import CEmbeddedFiles

/// A setting that a gun takes by reading a code.
public struct Setting: Sendable, Hashable {
    /// Whose guns take it.
    public var maker: String
    /// Its name, such as `name`.
    public var name: String
    /// The most characters of its text; nil where it has none.
    public var maximumLength: Int?
    /// What it does, as a clause.
    public var summary: String
    /// Whether the code begins with the function character 3, by which guns tell settings from what is to be sent on
    /// (ISO/IEC 15417).
    public var beginsWithFNC3: Bool
    /// What stands before and after the text.
    var parts: [[UInt8]]

    /// What the code holds, without the function character.
    ///
    /// - Parameter text: the text of the setting; nil for one without.
    /// - Throws: ``SettingFault``, where the text is missing, too long or has characters that a gun does not take.
    public func content(_ text: String?) throws(SettingFault) -> [UInt8] {
        guard let maximumLength else {
            guard text == nil else { throw SettingFault("the setting \(name) takes no text") }
            return parts[0]
        }
        guard let text, !text.isEmpty else { throw SettingFault("the setting \(name) takes a text") }
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw SettingFault("a gun takes letters, digits and signs of ASCII alone")
        }
        guard bytes.count <= maximumLength else {
            throw SettingFault("the setting \(name) takes \(maximumLength) characters at most, not \(bytes.count)")
        }
        return parts[0] + bytes + parts[1]
    }
}

/// Why there is no code: a clause.
public struct SettingFault: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The settings that are known.
public struct SettingTable: Sendable, Hashable {
    /// The most bytes of a table.
    public static let maximumBytes = 1 << 20

    /// All settings; of two of the same maker and name the last counts.
    public private(set) var settings: [Setting] = []

    /// The settings that come with the program.
    public init() {
        // A test reads it, so that it has no fault.
        try? add(Array(String(cString: qz_embedded_file("SettingCodes.txt")).utf8))
    }

    /// Adds the settings of a file, see `SettingCodes.txt`.
    ///
    /// - Throws: ``SettingFault``, with the number of the line.
    public mutating func add(_ file: [UInt8]) throws(SettingFault) {
        guard file.count <= Self.maximumBytes else { throw SettingFault("it has more than \(Self.maximumBytes) bytes") }
        var number = 0
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            let line = line.trimmingBlanks
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let setting = Self.setting(line) else {
                throw SettingFault("line \(number): it is not like `maker | name | 20 | %%BT={} | what it does`")
            }
            settings.removeAll { $0.maker == setting.maker && $0.name == setting.name }
            settings.append(setting)
        }
    }

    /// The setting of a name; nil where none is known by it.
    ///
    /// - Parameter maker: nil for the first maker that has it.
    public func setting(_ name: String, maker: String?) -> Setting? {
        settings.first { $0.name == name && (maker == nil || $0.maker == maker) }
    }

    /// How the function character 3 is written in a table.
    private static let fnc3 = "\\F3"

    private static func setting(_ line: String) -> Setting? {
        let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(\.trimmingBlanks)
        guard columns.count == 5, columns.allSatisfy({ !$0.isEmpty }) else { return nil }
        let beginsWithFNC3 = columns[3].hasPrefix(Self.fnc3)
        let text = String(columns[3].dropFirst(beginsWithFNC3 ? Self.fnc3.count : 0))
        // Elsewhere it would be drawn as the letters that it is written with.
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

    /// The bytes of a text with `\xHH`; nil where one is no byte of ASCII.
    private static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x") {
                let digits = rest.dropFirst().prefix(2)
                guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                    return nil
                }
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
    /// What is before and after each placeholder.
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
