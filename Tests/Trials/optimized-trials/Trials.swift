import ArgumentParser

/// Trials that require an optimized build: they draw and decode many pictures, or measure what a part costs.
@main
struct Trials: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "optimized-trials",
        abstract: "Try and measure optimized code.",
        subcommands: [
            NegativesTrial.self, GridTrial.self, LimitsTrial.self, EffortsTrial.self, CameraTrials.self,
            DispatchBenchmark.self,
        ])

    /// Prints how many of the cases failed, and ends the program with status 1 if one did.
    static func end(_ failures: Int, of what: String, clause: String) throws {
        print("\(failures) of \(what) \(clause)")
        if failures > 0 { throw ExitCode.failure }
    }
}
