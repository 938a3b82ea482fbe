import TestSupport
import Testing

extension ProgramTests {
    /// The time for one small picture.
    @Suite struct SpeedTests {
        @Test(
            .enabled(if: Zbarimg.isInstalled, "zbarimg is not installed"),
            .enabled(if: ProgramRunner.programsFolder.hasSuffix("release/"), "the programs are not optimized"),
            arguments: ["qr.png", "ean13.png"])
        func onePictureTakesLessTimeThanZbarimg(_ file: String) async throws {
            let picture = Samples.path(file)
            let program = decodeImage
            var ratio = Double.infinity
            // On a shared machine, a disturbed round does not count.
            for round in 1...3 where ratio >= 1 {
                ratio = try await onThread {
                    func time(_ program: ProgramRunner, _ arguments: [String]) throws -> Duration {
                        let start = ContinuousClock.now
                        _ = try program.run(arguments)
                        return ContinuousClock.now - start
                    }
                    // Pairs in alternating order, so that a change in the machine's load affects both.
                    let ratios = try (0..<40).map { pair in
                        let isFirst = pair % 2 == 0
                        let one = isFirst ? try time(program, [picture]) : .zero
                        let other = try time(Zbarimg.program, ["-q", picture])
                        return (isFirst ? one : try time(program, [picture])) / other
                    }
                    return ratios.sorted()[ratios.count / 2]
                }
                print("\(file): \(ratio) times zbarimg's wall time, median of 40 pairs, round \(round)")
            }
            #expect(ratio < 1)
        }
    }
}
