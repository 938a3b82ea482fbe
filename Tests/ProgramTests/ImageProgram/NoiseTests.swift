import TestSupport
import Testing

extension ProgramTests {
    /// zbar writes to standard error by itself; none of that may reach the user.
    @Suite struct NoiseTests {
        /// Returns pictures that make zbar search thoroughly: noise, texture, and bars with a few widths like
        /// DataBar.
        static func pictures(seed: UInt64) -> [[UInt8]] {
            var numbers = SeededGenerator(seed: seed)
            let (width, height) = (400, 120)
            func picture(_ pixel: (Int, Int) -> UInt8) -> [UInt8] {
                Pictures.pgm(
                    width: width, height: height, (0..<height).flatMap { y in (0..<width).map { pixel($0, y) } })
            }
            func bars(of widths: ClosedRange<Int>) -> [UInt8] {
                var row: [UInt8] = []
                var isDark = false
                while row.count < width {
                    row += [UInt8](repeating: isDark ? 0 : 255, count: Int.random(in: widths, using: &numbers))
                    isDark.toggle()
                }
                return row
            }
            var made: [[UInt8]] = []
            for _ in 0..<6 {
                made.append(picture { _, _ in UInt8.random(in: 0...255, using: &numbers) })
                made.append(picture { _, _ in Bool.random(using: &numbers) ? 0 : 255 })
                let row = bars(of: 1...9)
                made.append(picture { x, _ in row[x] })
                let rows = (0..<4).map { _ in bars(of: 2...8) }
                made.append(picture { x, y in rows[y / 30][x] })
                let cells = (0..<2000).map { _ in Bool.random(using: &numbers) }
                made.append(picture { x, y in cells[x / 5 + y / 5 * 80] ? 20 : 235 })
            }
            return made
        }

        @Test func nothingOfZbarsIsHeard() async throws {
            let seed: UInt64 = 20_240_815
            print("noise from seed \(seed)")
            let folder = try TemporaryFolder()
            var names: [String] = []
            for (index, picture) in Self.pictures(seed: seed).enumerated() {
                names.append(try folder.file("\(index).pgm", picture))
            }
            names += ["databar.png", "databar-stacked.png", "databar-expanded-stacked.png"].map(Samples.path)
            let batch = try await decodeImage(["--json", "--effort", "thorough", "--formats", "all"] + names)
            #expect(batch.messages == "")
            #expect(batch.lines.count == names.count)
            for name in names {
                let alone = try await decodeImage(["--json", "--effort", "thorough", "--formats", "all", name])
                #expect(alone.messages == "", "\(name), seed \(seed)")
                #expect(try alone.answer().error == nil)
            }
        }
    }
}
