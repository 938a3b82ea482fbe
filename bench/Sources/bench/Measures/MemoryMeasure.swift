internal import CBench

/// The peak memory of each program for a picture; one round is enough, as it hardly varies.
final class MemoryMeasure: Measure {
    let title = "memory"

    private let programs: [(name: String, arguments: [String])]
    private let pictures: [WorkPicture]
    private var peaks: [Results.Memory] = []
    private var failures: [String] = []

    init(_ programs: [(name: String, arguments: [String])], _ pictures: [WorkPicture]) {
        self.programs = programs
        self.pictures = pictures
    }

    func measure(round: Int) {
        guard round == 0 else { return }
        for picture in pictures {
            for (name, arguments) in programs {
                var kilobytes: Int64 = -1
                let status = withCStrings(arguments + [picture.path]) { qzb_peak_memory($0, &kilobytes) }
                if status == 0 || status == 4, kilobytes > 0 {
                    peaks.append(
                        Results.Memory(
                            program: name, subject: picture.name, peakMegabytes: Double(kilobytes) * 1024 / 1e6))
                } else {
                    failures.append("memory of \(name) with \(picture.name) is not known: status \(status)")
                }
            }
        }
    }

    func report(to results: inout Results) {
        results.memory += peaks
        results.notes += failures
    }
}
