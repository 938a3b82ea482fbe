package import BarcodeCore
package import Symbols

/// A symbol to render, with its expected result.
package struct SampleSymbol: Sendable {
    package let symbology: Symbology
    package let text: String
    package let pattern: ModulePattern
    /// A description for people.
    package let label: String

    /// The encoding mode of a QR code's message.
    package enum Mode: String, Sendable, CaseIterable {
        case numeric, alphanumeric, bytes, kanji
    }

    /// Creates a QR code that is nearly full.
    package static func qr(
        version: Int, level: QRErrorCorrectionLevel = .medium, mode: Mode = .bytes, seed: UInt64 = 1
    ) throws -> SampleSymbol {
        var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(version))
        // Mode, character count and terminator take at most four bytes.
        let room = QRBlockTable(version: version, level: level).dataCount - 4
        let text: String
        let segment: QREncoder.Segment
        switch mode {
        case .numeric:
            text = characters("0123456789", room * 2, &random)
            segment = .numeric(Array(text.utf8))
        case .alphanumeric:
            text = characters("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:", room * 8 / 6, &random)
            segment = .alphanumeric(Array(text.utf8))
        case .bytes:
            text = characters("abcdefghijklmnopqrstuvwxyz0123456789-_./", room, &random)
            segment = .bytes(Array(text.utf8))
        case .kanji:
            // Hiragana, two bytes each in Shift_JIS, from 0x829F up.
            let offsets = (0..<room / 2).map { _ in Int.random(in: 0..<80, using: &random) }
            text = String(String.UnicodeScalarView(offsets.compactMap { UnicodeScalar(0x3041 + $0) }))
            segment = .kanji(offsets.flatMap { [UInt8(0x82), UInt8(0x9F + $0)] })
        }
        let grid = try QREncoder.encode(
            [segment], version: version, level: level, mask: Int.random(in: 0..<8, using: &random))
        return SampleSymbol(
            symbology: .qrCode, text: text, pattern: ModulePattern(grid),
            label: "QR version \(version) \(level.rawValue) \(mode.rawValue)")
    }

    /// The linear symbologies that can be rendered.
    package static let linearSymbologies: [Symbology] = [.ean13, .ean8, .upcA, .code128, .code39, .itf]

    /// Creates a linear symbol with a random message.
    ///
    /// - Precondition: `symbology` is one of ``linearSymbologies``.
    package static func linear(_ symbology: Symbology, seed: UInt64 = 1) -> SampleSymbol {
        var random = SeededGenerator(seed: seed)
        func digits(_ count: Int) -> [Int] { (0..<count).map { _ in Int.random(in: 0...9, using: &random) } }
        func retail(_ count: Int, from first: ClosedRange<Int>) -> [Int] {
            LinearModules.checked([Int.random(in: first, using: &random)] + digits(count - 2))
        }
        let text: String
        let bars: [Bool]
        switch symbology {
        case .ean13:
            // No leading zero, so that it is not a UPC-A.
            let number = retail(13, from: 1...8)
            (text, bars) = (joined(number), LinearModules.ean13(number))
        case .ean8:
            let number = retail(8, from: 0...9)
            (text, bars) = (joined(number), LinearModules.ean8(number))
        case .upcA:
            let number = retail(12, from: 0...9)
            (text, bars) = (joined(number), LinearModules.upcA(number))
        case .code128:
            text = characters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-", 10, &random)
            bars = LinearModules.code128(text)
        case .code39:
            text = characters("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", 8, &random)
            bars = LinearModules.code39(text)
        case .itf:
            let number = LinearModules.checked(digits(13))
            (text, bars) = (joined(number), LinearModules.itf(number))
        default: preconditionFailure("no encoder for \(symbology.rawValue)")
        }
        return SampleSymbol(
            symbology: symbology, text: text, pattern: ModulePattern(bars: bars), label: "\(symbology.rawValue) \(text)"
        )
    }

    private static func joined(_ digits: [Int]) -> String { digits.map(String.init).joined() }

    private static func characters(_ alphabet: String, _ count: Int, _ random: inout SeededGenerator) -> String {
        let all = Array(alphabet)
        return String((0..<max(1, count)).map { _ in all.randomElement(using: &random) ?? "0" })
    }
}
