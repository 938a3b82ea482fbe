internal import Symbols

/// Encodes ASCII as Code 128.
///
/// Source: ISO/IEC 15417, with the choice of code sets of its annex E.
enum Code128Encoder {
    private enum CodeSet: Int {
        case a, b, c

        /// The start character of this code set.
        var start: Int { 103 + rawValue }
        /// The code character that switches to this code set.
        var shift: Int { 101 - rawValue }
    }

    private static let fnc3 = 96
    private static let stop = 106
    /// The final bar of the stop character, in modules.
    private static let lastBar = 2

    /// Returns the widths of bars and spaces in modules, from the first bar to the last.
    ///
    /// - Parameter content: ASCII; not empty.
    static func widths(_ content: [UInt8], beginsWithFNC3: Bool) -> [Int] {
        let values = values(content, beginsWithFNC3: beginsWithFNC3)
        let check = values.enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) } % 103
        return (values + [check, stop]).flatMap { Code128.characters[$0].compactMap(\.wholeNumberValue) } + [lastBar]
    }

    /// The values of the symbol characters, from the start character to the last of the content.
    private static func values(_ content: [UInt8], beginsWithFNC3: Bool) -> [Int] {
        var rest = content[...]
        // Code set C has no FNC3.
        var set = beginsWithFNC3 ? textSet(for: rest) : nextSet(nil, for: rest)
        var values = [set.start] + (beginsWithFNC3 ? [fnc3] : [])
        while let byte = rest.first {
            let next = nextSet(set, for: rest)
            if next != set {
                set = next
                values.append(set.shift)
            }
            switch set {
            case .a: values.append(byte < 0x20 ? Int(byte) + 64 : Int(byte) - 32)
            case .b: values.append(Int(byte) - 32)
            case .c:
                values.append(rest.prefix(2).reduce(0) { $0 * 10 + Int($1) - 48 })
                rest = rest.dropFirst()
            }
            rest = rest.dropFirst()
        }
        return values
    }

    /// Returns the code set of the next character; code set C is used for runs of at least four digits.
    private static func nextSet(_ set: CodeSet?, for rest: ArraySlice<UInt8>) -> CodeSet {
        let digits = rest.prefix { (0x30...0x39).contains($0) }.count
        if set == .c, digits >= 2 { return .c }
        if digits >= 4, digits.isMultiple(of: 2) || set == nil || set == .c { return .c }
        guard let set, set != .c, let byte = rest.first else { return textSet(for: rest) }
        if byte < 0x20 { return .a }
        return byte >= 0x60 ? .b : set
    }

    /// Returns code set A if a control character comes before the first lowercase letter, otherwise B.
    private static func textSet(for rest: ArraySlice<UInt8>) -> CodeSet {
        rest.first { $0 < 0x20 || $0 >= 0x60 }.map { $0 < 0x20 ? .a : .b } ?? .b
    }
}
