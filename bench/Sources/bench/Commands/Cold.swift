internal import ArgumentParser
internal import FoundationEssentials

/// Runs each stage for the first time in this process, to measure the cold time for `bench run`.
struct Cold: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Print the nanoseconds of each stage, by the clock and of the processor, in a process that has done nothing before.",
        shouldDisplay: false
    )

    @Argument(help: "A picture.")
    var picture: String
    @Flag(help: "Run the whole way, and not its stages.")
    var whole = false

    func run() throws {
        var times: [String: [UInt64]] = [:]
        if whole {
            let time = try Timing.measure { try Stages.whole(picture) }
            times[StageMeasure.wholeName] = [time.nanoseconds, time.processor]
        } else {
            for stage in try Stages(picture).all { times[stage.name] = stage.first }
        }
        print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
    }
}
