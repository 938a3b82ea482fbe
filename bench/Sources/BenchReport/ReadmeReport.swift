public import BenchCore

/// What the project's README shows of a run.
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

    /// The tables, as Markdown, with the machine and the versions.
    public static func markdown(_ results: Results) -> String {
        var lines = [
            "Measured by `make bench` at \(TextReport.commit(results)) on \(TextReport.machine(results)); "
                + "\(TextReport.versions(results)).",
            "",
            "| pictures | reader | found | wrong | ms a picture, mean | p50 | p99 | x floor |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        for reader in results.readers where reader.group == "all" {
            let total = Spread.median(reader.totals) ?? 0
            let found = reader.score.map { "\($0.found) of \($0.expected)" } ?? "-"
            lines.append(
                "| \(reader.set), \(reader.pictures) | \(reader.reader) | \(found) | "
                    + "\(reader.score.map { "\($0.misread)" } ?? "-") | "
                    + "\(Format.milliseconds(total / Double(max(1, reader.pictures)))) | "
                    + "\(Format.milliseconds(reader.latency.p50)) | \(Format.milliseconds(reader.latency.p99)) | "
                    + "\(Format.ratio(reader.floorTotal.flatMap { $0 > 0 ? total / $0 : nil })) |")
        }
        let frames = results.measurements.filter { $0.measure == "frame" }
        if !frames.isEmpty {
            lines += [
                "", "| camera frame | scene | p50 | p99 | x floor | frames read |",
                "| --- | --- | --- | --- | --- | --- |",
            ]
            lines += frames.map {
                "| \($0.subject) | \($0.name) | \(Format.milliseconds($0.latency.p50)) ms | "
                    + "\(Format.milliseconds($0.latency.p99)) ms | \(Format.ratio($0.ratioToFloor)) | "
                    + "\($0.complete ?? 0) of \($0.outOf ?? 0) |"
            }
        }
        if let rates = throughput(results) { lines += ["", rates] }
        return lines.joined(separator: "\n")
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
        guard let first = page.range(of: start), let last = page.range(of: end), first.upperBound <= last.lowerBound
        else { return nil }
        return page[..<first.upperBound] + "\n" + text + "\n" + page[last.lowerBound...]
    }
}

extension String {
    fileprivate func range(of part: String) -> Range<String.Index>? { firstRange(of: part) }
}
