public import BenchCore

/// What docs/speed.md shows of a run.
public enum ReadmeReport {
    private static let (start, end) = ("<!-- bench -->", "<!-- /bench -->")

    /// The plot: found against time, a chart a set.
    public static func plot(_ results: Results) -> String {
        // The corpus says more than pictures that were rendered; without one these have to do.
        let sets = unique(results.readers.map(\.set))
        let corpus = sets.filter { $0.hasPrefix("corpus/") }
        return ChartSheet(charts: Plots.foundAgainstTime(results, sets: corpus.isEmpty ? sets : corpus))
            .svg(isAlone: true)
    }

    /// The tables, as Markdown for a file beside the plot, with the machine and the versions.
    public static func markdown(_ results: Results) -> String {
        var lines = [
            "![Symbols found against milliseconds a picture, for each reader: up and to the left is better]"
                + "(found-against-time.svg)",
            "",
            "Measured by `make bench` at \(TextReport.commit(results)) on \(TextReport.machine(results)); "
                + "\(TextReport.versions(results)).",
        ]
        let whole = results.readers.filter { $0.group == "all" }
        let calls = whole.filter { !$0.reader.hasSuffix("(process)") }
        let processes = whole.filter { $0.reader.hasSuffix("(process)") }
        lines += block(
            "Symbols found, wrong readings in brackets, and the mean time from file to codes, as a library call:",
            ["pictures", "symbols"] + unique(calls.map(\.reader)),
            unique(calls.map(\.set)).map { set in
                let members = calls.filter { $0.set == set }
                let expected = members.compactMap { $0.score?.expected }.max()
                return [label(set, members), expected.map { "\($0)" } ?? "-"]
                    + unique(calls.map(\.reader)).map { name in
                        members.first { $0.reader == name }.map { cell($0) } ?? "-"
                    }
            })
        lines += block(
            "The mean time of a whole process for one picture:",
            ["pictures"] + unique(processes.map(\.reader)).map { $0.replacing(" (process)", with: "") },
            unique(processes.map(\.set)).map { set in
                let members = processes.filter { $0.set == set }
                return [label(set, members)]
                    + unique(processes.map(\.reader)).map { name in
                        members.first { $0.reader == name }.map { "\(mean($0)) ms" } ?? "-"
                    }
            })
        let frames = results.measurements.filter { $0.measure == "frame" }
        lines += block(
            "Camera frames, from pixels to codes, median and 99th percentile:",
            ["frame"] + unique(frames.map(\.name)).map { $0.replacing("_", with: " ") },
            unique(frames.map(\.subject)).map { size in
                [size]
                    + unique(frames.map(\.name)).map { name in
                        frames.first { $0.subject == size && $0.name == name }.map {
                            "\(Format.milliseconds($0.latency.p50)), \(Format.milliseconds($0.latency.p99)) ms"
                        } ?? "-"
                    }
            })
        if let rates = throughput(results) { lines += ["", rates] }
        return lines.joined(separator: "\n")
    }

    private static func block(_ title: String, _ head: [String], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let lines = [head, head.map { _ in "---" }] + rows
        return ["", title, ""] + lines.map { "| " + $0.joined(separator: " | ") + " |" }
    }

    private static func label(_ set: String, _ members: [Results.ReaderResult]) -> String {
        "\(set), \(members.first?.pictures ?? 0)"
    }

    private static func cell(_ reader: Results.ReaderResult) -> String {
        (reader.score.map { "\($0.found) (\($0.misread)), " } ?? "") + mean(reader) + " ms"
    }

    private static func mean(_ reader: Results.ReaderResult) -> String {
        Format.milliseconds((Spread.median(reader.totals) ?? 0) / Double(max(1, reader.pictures)))
    }

    private static func throughput(_ results: Results) -> String? {
        guard !results.throughput.isEmpty else { return nil }
        let rates = results.throughput.map {
            "\(Format.fixed(Spread.median($0.picturesPerSecond) ?? 0, 0)) with \($0.jobs)"
        }
        return "Pictures of `Samples/` a second, by the number of jobs: \(rates.joined(separator: ", "))."
    }

    /// The page with the tables between the two marks exchanged; nil where it has no marks.
    public static func replace(in page: String, by text: String) -> String? {
        guard let first = page.firstRange(of: start), let last = page.firstRange(of: end),
            first.upperBound <= last.lowerBound
        else { return nil }
        return page[..<first.upperBound] + "\n" + text + "\n" + page[last.lowerBound...]
    }
}

extension String {
    /// The text with every `part` exchanged.
    fileprivate func replacing(_ part: String, with other: String) -> String {
        var (result, rest) = ("", self[...])
        while let range = rest.firstRange(of: part) {
            result += rest[..<range.lowerBound] + other
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
