import ArgumentParser
import BarcodeCore
import BarcodeDecoding
import TestSupport

/// Decodes 300 pictures without a symbol at normal effort, and every fifth at thorough effort too.
struct NegativesTrial: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "negatives", abstract: "Decode pictures without a symbol.")

    @Flag(help: "Ask for every symbology; a few false positives are expected of those that are off by default.")
    var all = false

    func run() throws {
        let seed: UInt64 = 20_260_101
        let symbologies = all ? Set(Symbology.all) : Symbology.standard
        print("pictures without a symbol, seed \(seed), \(symbologies.count) symbologies")
        var failures = 0
        for number in 0..<300 {
            let picture = TexturePicture(number, seed: seed)
            let image = picture.image()
            for effort in number / 20 % 5 == 0 ? [DecodeOptions.Effort.normal, .thorough] : [.normal] {
                let found = try BarcodeDecoder().decode(
                    image, options: DecodeOptions(symbologies: symbologies, effort: effort))
                guard !found.isEmpty else { continue }
                failures += 1
                let texts = found.map { "\($0.symbology.rawValue) \($0.text)" }.joined(separator: ", ")
                let file = try PictureFile.write(image, name: "texture-\(seed)-\(number)")
                print("\(picture), effort \(effort): \(texts); see \(file)")
            }
        }
        try Trials.end(failures, of: "300 pictures without a symbol", clause: "gave a symbol")
    }
}

/// Decodes renditions.
///
/// If one condition varies, all must be read at their location; if all vary together, 95 %.
///
/// Light symbols on a dark background that are also tilted and faint are not all found.
struct GridTrial: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "grid", abstract: "Decode drawn symbols.")

    func run() throws {
        let seed: UInt64 = 20_260_102
        print("rendered symbols, seed \(seed)")
        let single = try Rendition.grid(step: 15, seed: seed)
        let together = try Rendition.chances(600, seed: seed)
        let failures = (try judge(single, name: "single"), try judge(together, name: "together"))
        print("\(failures.1) of \(together.count) with everything varied were not read in their place; 30 may be")
        if failures.1 > together.count * 5 / 100 { throw ExitCode.failure }
        try Trials.end(failures.0, of: "\(single.count) with one thing varied", clause: "were not read in their place")
    }

    private func judge(_ renditions: [Rendition], name: String) throws -> Int {
        var failures = 0
        for (index, rendition) in renditions.enumerated() {
            let image = rendition.image()
            guard let problem = rendition.problem(try BarcodeDecoder().decode(image)) else { continue }
            failures += 1
            let file = try PictureFile.write(image, name: "\(name)-\(index)")
            print("\(rendition): \(problem); see \(file)")
        }
        return failures
    }
}
