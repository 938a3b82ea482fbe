internal import CBench
internal import FoundationEssentials

/// The stages of some pictures, warm in this process and cold in new ones, with the floor of each file.
final class StageMeasure: Measure {
    /// The name of the complete path from file to codes.
    static let wholeName = "file_to_codes"

    let title = "stages"

    private struct Subject {
        var picture: WorkPicture
        var megapixels: Double
        var floor: TimedTask
        var warm: [(name: String, task: TimedTask)]
        var cold: [String: LatencyRecorder] = [:]
    }

    /// The number of cold processes per round.
    private static let coldRunsPerRound = 3
    private let settings: RunSettings
    private var subjects: [Subject]

    init(_ pictures: [WorkPicture], settings: RunSettings) throws {
        self.settings = settings
        subjects = try pictures.map { picture in
            let stages = try Stages(picture.path)
            return Subject(
                picture: picture, megapixels: stages.megapixels,
                floor: try TimedTask { try Floor.decode(picture.path) },
                warm: try stages.all.map { ($0.name, try TimedTask($0.run)) }
                    + [(Self.wholeName, try TimedTask { try Stages.whole(picture.path) })])
        }
    }

    func measure(round: Int) throws {
        for index in subjects.indices {
            try subjects[index].floor.spend(nanoseconds: settings.slice, round: round)
            for (_, task) in subjects[index].warm { try task.spend(nanoseconds: settings.slice, round: round) }
            for _ in 0..<Self.coldRunsPerRound {
                for option in [[], ["--whole"]] { try measureCold(index, option, round: round) }
            }
        }
    }

    private func measureCold(_ index: Int, _ option: [String], round: Int) throws {
        let path = subjects[index].picture.path
        let (output, status, _) = try ChildProcess.run([settings.program, "cold", path] + option)
        guard status == 0, let times = try? JSONDecoder().decode([String: [UInt64]].self, from: Data(output)) else {
            throw BenchError("`bench cold \(path)` ended with status \(status)")
        }
        for (name, time) in times where time.count == 2 {
            subjects[index].cold[name, default: LatencyRecorder()].record(
                nanoseconds: time[0], processor: time[1], round: round)
        }
    }

    func report(to results: inout Results) {
        for subject in subjects {
            let floor = subject.floor.recorder.latency
            results.floors[subject.picture.name] = floor
            for (name, task) in subject.warm {
                for (state, recorder) in [("warm", task.recorder), ("cold", subject.cold[name] ?? LatencyRecorder())] {
                    guard let latency = recorder.latency else { continue }
                    results.measurements.append(
                        Results.Measurement(
                            measure: "stage", name: name, subject: subject.picture.name, state: state,
                            megapixels: subject.megapixels, latency: latency, floor: floor?.p50))
                }
            }
        }
    }
}

/// The minimum cost of a picture file.
enum Floor {
    /// Decodes the luma of a file with the library of its format.
    static func decode(_ path: String) throws {
        guard qzb_floor_decode(path) == 0 else {
            throw BenchError("\(path) cannot be decoded by the library of its format")
        }
    }
}
