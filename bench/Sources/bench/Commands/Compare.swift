internal import ArgumentParser

/// Prints the changes between two runs.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what changed between two runs, beyond the noise.",
        discussion: "Ends with status 1 where something got slower or is read less than before.")

    @Argument(help: "The results.json of the run before.")
    var before: String
    @Argument(help: "The results.json of the run after.")
    var after: String
    @Flag(help: "List what did not change too.")
    var all = false

    func run() throws {
        let first = try Results(json: Files.read(before), name: before)
        let second = try Results(json: Files.read(after), name: after)
        let comparison = Comparison(first, second)
        print(TextReport.comparison(comparison, first, second, showsAll: all), terminator: "")
        if comparison.isWorse { throw ExitCode(1) }
    }
}
