internal import ArgumentParser

@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure how fast Quietzone reads, against whom, and what it misses.",
        subcommands: [Run.self, Compare.self, GateCheck.self, Page.self, Readme.self, Cold.self, GateWorkload.self],
        defaultSubcommand: Run.self)
}
