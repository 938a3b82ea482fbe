internal import BarcodeCore

/// The message of a Code 128 symbol, decoded from its character values.
///
/// Source: ISO/IEC 15417, 4.3 and the annex on FNC4; FNC1 by ISO/IEC 15424; the linkage by ISO/IEC 24723, 7.4.
struct Code128Message {
    /// The message: ISO 8859-1 if FNC4 is used, U+001D for an FNC1 that separates fields.
    private(set) var bytes: [UInt8] = []
    /// True if FNC1 is the first character.
    private(set) var isGS1 = false
    /// True if FNC1 follows an initial letter or two digits.
    private(set) var isAIM = false
    /// True if the symbol sets up the reader (FNC3).
    private(set) var isReaderProgramming = false
    /// The composite component that a GS1-128 announces, by a change of the code set just before the check
    /// character.
    private(set) var linkage = CompositeLinkage.none

    private enum CodeSet { case a, b, c }

    /// Decodes character values; `nil` if they have no message, such as a symbol without any data.
    ///
    /// - Parameter values: the values from the start character to the last one before the check character.
    init?(_ values: some Sequence<Int>) {
        var set = CodeSet.b
        var isShifted = false
        // FNC4 adds 128 to the next character. Two in a row add it to all that follow, until two more end it.
        var isRaised = false
        var isRaisedOnce = false
        for (place, value) in values.enumerated() {
            linkage = .none
            if place == 0 {
                set = value == 103 ? .a : value == 104 ? .b : .c
                continue
            }
            let current: CodeSet = isShifted ? (set == .a ? .b : .a) : set
            isShifted = false
            switch (value, current) {
            case (102, _):
                separate(at: place)
            case (0..<100, .c):
                bytes += [UInt8(0x30 + value / 10), UInt8(0x30 + value % 10)]
            case (0..<96, .a), (0..<96, .b):
                // Set A has the control characters in place of the lowercase letters of set B.
                let character = current == .a && value >= 64 ? value - 64 : value + 32
                bytes.append(UInt8(character + (isRaised != isRaisedOnce ? 128 : 0)))
                isRaisedOnce = false
            case (98, .a), (98, .b):
                isShifted = true
            case (99, .a), (99, .b):
                linkage = set == .a ? .full : .micro
                set = .c
            case (100, .a), (100, .c):
                linkage = set == .a ? .micro : .full
                set = .b
            case (101, .b), (101, .c):
                linkage = set == .b ? .full : .micro
                set = .a
            case (101, .a), (100, .b):
                if isRaisedOnce { isRaised.toggle() }
                isRaisedOnce.toggle()
            case (96, .a), (96, .b):
                isReaderProgramming = true
            default:
                // FNC2: the message continues in the next symbol, which nothing identifies.
                break
            }
        }
        guard !bytes.isEmpty else { return nil }
    }

    private mutating func separate(at place: Int) {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
        if place == 1 {
            isGS1 = true
        } else if !isGS1, (bytes.count == 1 && isLetter(bytes[0])) || (bytes.count == 2 && bytes.allSatisfy(isDigit)) {
            isAIM = true
        } else {
            bytes.append(0x1D)
        }
    }
}
