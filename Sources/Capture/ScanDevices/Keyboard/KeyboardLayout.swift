internal import CEmbeddedFiles

/// What the keys of a keyboard type.
///
/// A scan gun that plays a keyboard sends positions of keys, not characters: it is set to the layout of the computer
/// that it was made for. Read by another layout, `0013748911` becomes `àà&"è'!ç&&`.
public struct KeyboardLayout: Sendable, Equatable {
    /// What a key types.
    enum Output: Sendable, Equatable {
        /// A character.
        case character(Unicode.Scalar)
        /// A mark that goes onto the next letter: a dead key.
        case mark(Unicode.Scalar)
    }

    /// Its name, such as `de`: that of xkeyboard-config.
    public let name: String
    /// By key code of the kernel: alone, with Shift, with AltGr, with both.
    private let outputs: [UInt16: [Output?]]

    /// The layouts that are known, by name.
    public static let all: [KeyboardLayout] = table.layouts

    /// The layout of a name; nil where none is known by it.
    public static func named(_ name: String) -> KeyboardLayout? { all.first { $0.name == name } }

    /// The layout that guns are set to when they leave the factory.
    public static let us = named("us") ?? KeyboardLayout(name: "us", outputs: [:])

    private init(name: String, outputs: [UInt16: [Output?]]) {
        self.name = name
        self.outputs = outputs
    }

    /// What a key types; nil where it types nothing.
    ///
    /// - Parameters:
    ///   - key: the key code of the kernel (`linux/input-event-codes.h`).
    ///   - isCapital: whether Caps Lock is on, which turns Shift around for letters.
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

    /// All marks with the letters that they go onto, and the character of both, in order.
    static let allCompositions = compositions.map { (mark: $0.key.mark, letter: $0.key.letter, composed: $0.value) }
        .sorted { ($0.composed, $0.mark, $0.letter) < ($1.composed, $1.mark, $1.letter) }

    /// A letter with a mark as one character; nil where there is none.
    static func compose(_ mark: Unicode.Scalar, _ letter: Unicode.Scalar) -> Unicode.Scalar? {
        compositions[Composition(mark: mark, letter: letter)]
    }

    private struct Composition: Hashable {
        var mark: Unicode.Scalar
        var letter: Unicode.Scalar
    }

    private static let compositions: [Composition: Unicode.Scalar] = table.compositions

    /// The table of the file.
    private static let table = parse(String(cString: qz_embedded_file("KeyboardLayouts.txt")))

    /// Reads the table: lines of `#` are remarks; `layout NAME`, then lines of a key code and up to four hexadecimal characters, where `~` is
    /// before a mark and `-` is nothing; after `marks` lines of a mark, a letter and the character of both.
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
