import ArgumentParser
import BarcodeCore
import BarcodeDecoding
import Foundation

/// Checks that more effort never reads less: `normal` reads all that `fast` reads, and `thorough` all that `normal`
/// reads.
struct EffortsTrial: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "efforts", abstract: "Check that greater effort reads all that less effort reads.")

    @Argument(help: "Folders of pictures.")
    var folders: [String]

    func run() throws {
        try Trials.end(try Self.compare(folders), of: "the symbols of less effort", clause: "were lost by more")
    }

    /// The counts; a reading that greater effort replaces by another number is corrected, not lost.
    private struct Tally {
        var symbols: [DecodeOptions.Effort: Int] = [:]
        var corrected = 0
        var losses = 0
    }

    /// Decodes all pictures of some folders at each effort, and prints the symbols that a greater effort misses.
    ///
    /// - Returns: the number of symbols that a greater effort missed.
    private static func compare(_ folders: [String]) throws -> Int {
        var tally = Tally()
        var pictures = 0
        for folder in folders {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
                let path = folder + "/" + name
                // Skips files that are not supported pictures: scripts, lists, damaged files.
                guard (try? BarcodeDecoder().decode(contentsOf: path, options: DecodeOptions(symbologies: []))) != nil
                else { continue }
                pictures += 1
                try compare(path, &tally)
            }
        }
        let counts = DecodeOptions.Effort.allCases.map { "\($0) \(tally.symbols[$0] ?? 0)" }.joined(separator: ", ")
        print(
            "\(pictures) pictures: \(counts) symbols; \(tally.corrected) corrected, \(tally.losses) lost by more effort"
        )
        return pictures > 0 ? tally.losses : 1
    }

    private static func compare(_ path: String, _ tally: inout Tally) throws {
        var before: [Symbol] = []
        for effort in DecodeOptions.Effort.allCases {
            let symbols = try BarcodeDecoder().decode(contentsOf: path, options: DecodeOptions(effort: effort))
            tally.symbols[effort, default: 0] += symbols.count
            for symbol in before {
                func isInPlace(_ other: Symbol) -> Bool {
                    other.corners.boundingBox.overlap(with: symbol.corners.boundingBox) > 0
                }
                let rivals = symbols.filter(isInPlace)
                if rivals.contains(where: { $0.symbology == symbol.symbology && $0.bytes == symbol.bytes }) { continue }
                // Only an uncertain number may change: one that few scan lines of `fast` agreed on.
                let isCorrected = effort == .normal && !rivals.isEmpty
                if isCorrected { tally.corrected += 1 } else { tally.losses += 1 }
                print("\(path): \(effort) \(isCorrected ? "corrects" : "loses") \(symbol.symbology) \(symbol.text)")
            }
            before = symbols
        }
    }
}
