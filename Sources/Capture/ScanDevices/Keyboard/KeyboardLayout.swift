internal import CEmbeddedFiles

/// The characters that the keys of a keyboard type.
///
/// A scanner in keyboard mode sends key positions instead of characters, for the layout that it is set to. Read
/// with another layout, `0013748911` becomes `àà&"è'!ç&&`.
public struct KeyboardLayout: Sendable, Equatable {
    /// The output of a key.
    enum Output: Sendable, Equatable {
        /// A character.
        case character(Unicode.Scalar)
        /// A dead key, which combines with the next letter.
        case mark(Unicode.Scalar)
    }

    /// The name in xkeyboard-config, such as `de`.
    public let name: String
    /// The outputs by the kernel's key code: alone, with Shift, with AltGr, with both.
    private let outputs: [UInt16: [Output?]]

    /// The known layouts, by name.
    public static let all: [KeyboardLayout] = table.layouts

    /// Returns the layout with a name; `nil` if it is not known.
    public static func named(_ name: String) -> KeyboardLayout? { all.first { $0.name == name } }

    /// The US layout, which is the factory setting of scanners.
    public static let us = named("us") ?? KeyboardLayout(name: "us", outputs: [:])

    private init(name: String, outputs: [UInt16: [Output?]]) {
        self.name = name
        self.outputs = outputs
    }

    /// Returns the output of a key; `nil` if it types nothing.
    ///
    /// - Parameters:
    ///   - key: the key code of the kernel (`linux/input-event-codes.h`).
    ///   - isCapital: whether Caps Lock is on, which inverts Shift for letters.
    func output(of key: UInt16, isShifted: Bool, isAltGr: Bool, isCapital: Bool) -> Output? {
        guard let levels = outputs[key] else { return nil }
        var isShifted = isShifted
        if isCapital, case .character(let scalar) = level(0, of: levels), scalar.properties.isLowercase,
            scalar.properties.uppercaseMapping != String(scalar)
        {
            isShifted.toggle()
        }
        return level((isAltGr ? 2 : 0) + (isShifted ? 1 : 0), of: levels)
    }

    private func level(_ number: Int, of levels: [Output?]) -> Output? {
        number < levels.count ? levels[number] : nil
    }

    /// The keys that type something, in order.
    var keys: [UInt16] { outputs.keys.sorted() }

    /// All combinations of a dead key and a letter with the composed character, in order.
    static let allCompositions = compositions.map { (mark: $0.key.mark, letter: $0.key.letter, composed: $0.value) }
        .sorted { ($0.composed, $0.mark, $0.letter) < ($1.composed, $1.mark, $1.letter) }

    /// Returns the composed character of a dead key and a letter; `nil` if there is none.
    static func compose(_ mark: Unicode.Scalar, _ letter: Unicode.Scalar) -> Unicode.Scalar? {
        compositions[Composition(mark: mark, letter: letter)]
    }

    private struct Composition: Hashable {
        var mark: Unicode.Scalar
        var letter: Unicode.Scalar
    }

    private static let compositions: [Composition: Unicode.Scalar] = table.compositions

    /// The parsed table.
    private static let table = parse(String(cString: qz_embedded_file("KeyboardLayouts.txt")))

    /// Parses the table.
    ///
    /// Lines with `#` are comments. `layout NAME` begins a layout, followed by lines of a key code and up to four
    /// hexadecimal characters, with `~` before a dead key and `-` for nothing. `marks` begins the lines of a dead
    /// key, a letter and the composed character.
    private static func parse(_ table: String) -> (
        layouts: [KeyboardLayout], compositions: [Composition: Unicode.Scalar]
    ) {
        var layouts: [KeyboardLayout] = []
        var compositions: [Composition: Unicode.Scalar] = [:]
        var name: String?
        var outputs: [UInt16: [Output?]] = [:]
        func finish() {
            if let name { layouts.append(KeyboardLayout(name: name, outputs: outputs)) }
            outputs = [:]
        }
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            if words[0] == "layout" || words[0] == "marks" {
                finish()
                name = words.count > 1 ? String(words[1]) : nil
            } else if name != nil {
                if let key = UInt16(words[0]) { outputs[key] = words.dropFirst().map(output(of:)) }
            } else if let mark = scalar(words[0]), let letter = scalar(words[1]), let composed = scalar(words[2]) {
                compositions[Composition(mark: mark, letter: letter)] = composed
            }
        }
        finish()
        return (layouts, compositions)
    }

    private static func output(of word: Substring) -> Output? {
        word.hasPrefix("~") ? scalar(word.dropFirst()).map(Output.mark) : scalar(word).map(Output.character)
    }

    private static func scalar(_ word: Substring) -> Unicode.Scalar? {
        UInt32(word, radix: 16).flatMap(Unicode.Scalar.init)
    }
}
