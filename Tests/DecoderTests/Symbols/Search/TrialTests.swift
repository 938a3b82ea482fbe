import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

/// A fast subset of the trials; `make test-slow` runs them all.
@Suite(.timeLimit(.minutes(10))) struct TrialTests {
    static let seed: UInt64 = 20_260_102

    @Test("Texture, text and noise have no symbol", arguments: 0..<30)
    func negatives(number: Int) throws {
        let picture = TexturePicture(number, seed: Self.seed, width: 320, height: 240)
        let image = picture.image()
        for effort in number < 24 ? [DecodeOptions.Effort.normal] : [.normal, .thorough] {
            let found = try BarcodeDecoder().decode(image, options: DecodeOptions(effort: effort))
            if found.isEmpty { continue }
            let file = try PictureFile.write(image, name: "texture-\(Self.seed)-\(number)")
            Issue.record("\(picture), effort \(effort): \(found.map(\.text)); see \(file)")
        }
    }

    static let renditions: [Rendition] = {
        guard let grid = try? Rendition.grid(step: 120, seed: seed), let chances = try? Rendition.chances(8, seed: seed)
        else { return [] }
        return stride(from: 0, to: grid.count, by: 4).map { grid[$0] } + chances
    }()

    @Test func thereAreRenditions() { #expect(Self.renditions.count > 30) }

    @Test("Rendered symbols are read, with correct corners", arguments: renditions)
    func rendition(_ rendition: Rendition) throws {
        let image = rendition.image()
        guard let problem = rendition.problem(try BarcodeDecoder().decode(image)) else { return }
        let file = try PictureFile.write(image, name: "rendition-\(rendition.renderer.seed)")
        Issue.record("\(rendition): \(problem); see \(file)")
    }
}
