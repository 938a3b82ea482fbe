import ArgumentParser
import BarcodeCore
import BarcodeDecoding
import Symbols
import TestSupport

/// Measures for each condition the limit up to which nine of ten renditions are read, compared with plain zbar.
struct LimitsTrial: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits", abstract: "Measure the table of docs/reference/limits.md.")

    /// A condition that makes a symbol hard to read, in steps from easy to hard.
    private struct Condition: Sendable {
        var title: String
        var steps: [Double]
        /// The label of a step in the table.
        var text: @Sendable (Double) -> String
        var change: @Sendable (inout SymbolRenderer, Double) -> Void
    }

    private static let renditions = 10
    private static let needed = 9
    /// The pixels per module if another condition varies.
    private static let modulePixels = 4.0

    private static let conditions = [
        Condition(
            title: "smallest module, pixels", steps: stride(from: 3, to: 0.55, by: -0.1).map { $0 },
            text: { decimals($0, 1) }, change: { $0.modulePixels = $1 }),
        Condition(
            title: "steepest tilt, degrees", steps: stride(from: 10, to: 81, by: 5).map { $0 },
            text: { decimals($0, 0) },
            change: {
                $0.tilt = $1
                // A linear symbol that is tilted along its bars only loses height.
                if $0.pattern.rows == 1 { $0.degrees += 90 }
            }),
        Condition(
            title: "strongest blur, sigma in modules", steps: stride(from: 0.1, to: 1.51, by: 0.05).map { $0 },
            text: { decimals($0, 2) }, change: { $0.blur = $1 }),
        Condition(
            title: "lowest contrast, of 255", steps: [60, 40, 30, 25, 20, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2],
            text: { decimals($0, 0) },
            change: { ($0.dark, $0.light, $0.background) = (128 - $1 / 2, 128 + $1 / 2, 128 + $1 / 2) }),
        Condition(
            title: "most noise, part of the contrast", steps: stride(from: 0.1, to: 2.51, by: 0.1).map { $0 },
            text: { decimals($0, 1) },
            change: { ($0.dark, $0.light, $0.noise) = (98, 158, 60 * $1) }),
    ]

    private static func decimals(_ value: Double, _ places: Int) -> String {
        let scale = [1.0, 10, 100][places]
        let whole = Int((value * scale).rounded())
        if places == 0 { return "\(whole)" }
        let rest = "\(whole % Int(scale))"
        return "\(whole / Int(scale))." + String(repeating: "0", count: places - rest.count) + rest
    }

    func run() throws { try Self.measure() }

    private static func measure() throws {
        let symbols: [(title: String, make: (UInt64) throws -> SampleSymbol)] = [
            ("QR version 2 M", { try .qr(version: 2, seed: $0) }),
            ("QR version 7 M", { try .qr(version: 7, seed: $0) }),
            ("EAN-13", { .linear(.ean13, seed: $0) }), ("Code 128", { .linear(.code128, seed: $0) }),
        ]
        print("| condition |" + symbols.map { " \($0.title) | zbar |" }.joined())
        print("| --- |" + symbols.map { _ in " --- | --- |" }.joined())
        for condition in conditions {
            var row = "| \(condition.title) |"
            for symbol in symbols {
                row += " \(try limit(condition, symbol.make) { try BarcodeDecoder().decode($0).map(\.text) }) |"
                row += " \(try limit(condition, symbol.make) { try plainZBar($0) }) |"
            }
            print(row)
        }
    }

    private static func plainZBar(_ image: LumaImage) throws -> [String] {
        try ZBarReader().read(image, symbologies: Symbology.standard).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Returns the hardest step up to which all steps are read.
    private static func limit(
        _ condition: Condition, _ symbol: (UInt64) throws -> SampleSymbol, _ read: (LumaImage) throws -> [String]
    ) throws -> String {
        var last: Double?
        for step in condition.steps {
            var count = 0
            for seed in 1...UInt64(renditions) {
                let symbol = try symbol(seed)
                let rendition = Rendition(symbol, modulePixels: modulePixels, seed: seed) {
                    // A camera's picture is never perfectly upright or sharp.
                    $0.degrees = Double(seed % 5) * 3 - 6
                    $0.noise = 2
                    $0.blur = 0.1
                    condition.change(&$0, step)
                }
                if try read(rendition.image()).contains(symbol.text) { count += 1 }
                // Stops early once too many were missed.
                if Int(seed) - count > renditions - needed { break }
            }
            if count < needed { break }
            last = step
        }
        return last.map(condition.text) ?? "-"
    }
}
