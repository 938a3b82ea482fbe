/// The throughput of `decode-image` in pictures a second, with one to N jobs.
final class ThroughputMeasure: Measure {
    let title = "throughput"

    private let program: String
    private let list: String
    private let count: Int
    private let jobs: [Int]
    private var rates: [[Double]]

    /// - Parameter most: the largest number of jobs.
    init(_ pictures: [WorkPicture], program: String, scratch: String, most: Int) throws {
        self.program = program
        // Enough pictures to make the start of the workers a small share.
        let files = Array(repeating: pictures.map(\.path), count: max(1, 200 / max(1, pictures.count))).joined()
        list = scratch + "/throughput.txt"
        count = files.count
        jobs = Array(1...max(1, most))
        rates = jobs.map { _ in [] }
        try Files.write(Array((files.joined(separator: "\n") + "\n").utf8), to: list)
    }

    func measure(round: Int) throws {
        for (index, number) in jobs.enumerated() {
            let arguments = [program, "--json", "--quiet", "--jobs", "\(number)", "--files-from", list]
            let (nanoseconds, _, result) = try Timing.measure { try ChildProcess.run(arguments) }
            guard result.status == 0 || result.status == 4 else {
                throw BenchError("\(arguments.joined(separator: " ")) ended with status \(result.status)")
            }
            rates[index].append(Double(count) / (Double(nanoseconds) / 1e9))
        }
    }

    func report(to results: inout Results) {
        for (number, rates) in zip(jobs, rates) {
            results.throughput.append(
                Results.Throughput(jobs: number, pictures: count, picturesPerSecond: rates))
        }
    }
}
