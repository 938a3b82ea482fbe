/// The charts of a run.
enum Plots {
    /// The share of symbols found against the time, one chart per set; up and to the left is better.
    static func foundAgainstTime(_ results: Results) -> [Chart] {
        let readers = results.readers.filter { $0.group == "all" && ($0.score?.expected ?? 0) > 0 }
        return unique(readers.map(\.set)).compactMap { set in
            let members = readers.filter { $0.set == set }
            guard !members.isEmpty else { return nil }
            let series = members.map { reader in
                let mean = (Spread.median(reader.totals) ?? 0) / Double(max(1, reader.pictures))
                let score = reader.score ?? Score()
                return Chart.Series(
                    name: reader.reader,
                    points: [(mean, 100 * Double(score.found) / Double(max(1, score.expected)))], isLine: false,
                    hint: "\(reader.reader): \(Format.score(score)) found, \(score.misread) misread, "
                        + "\(Format.milliseconds(mean)) ms a picture")
            }
            let expected = members.compactMap { $0.score?.expected }.max() ?? 0
            return Chart(
                title: "\(set): \(expected) symbols in \(members[0].pictures) pictures",
                xLabel: "milliseconds a picture, mean", yLabel: "symbols found, per cent",
                yScale: .percent, series: series, namesPoints: true)
        }
    }

    /// The share of symbols found against the decode time, one chart per class and one for all.
    ///
    /// Quietzone's efforts are connected by a line.
    static func foundAgainstDecoding(_ results: Results) -> [Chart] {
        let readers = ClassFigures.readers(results)
        let efforts = readers.filter(ClassFigures.efforts.contains)
        let classes = ClassFigures.shown(results).filter { ($0.score("quietzone")?.expected ?? 0) > 0 }
        func point(_ item: ClassFigures, _ reader: String) -> (Double, Double)? {
            guard let mean = item.mean(reader), let score = item.score(reader), score.expected > 0 else { return nil }
            return (mean, 100 * Double(score.found) / Double(score.expected))
        }
        func hint(_ item: ClassFigures, _ readers: [String]) -> String {
            readers.map { reader in
                "\(reader): \(Format.score(item.score(reader))), "
                    + "\(item.mean(reader).map(Format.milliseconds) ?? "-") ms a picture"
            }.joined(separator: "; ")
        }
        let all = classes.count > 1 ? [ClassFigures.sum(classes, name: "All of these")] : []
        return (classes + all).map { item in
            let line = Chart.Series(
                name: "quietzone", points: efforts.compactMap { point(item, $0) }, hasDots: false,
                hint: hint(item, efforts))
            let points = readers.compactMap { reader in
                point(item, reader).map {
                    Chart.Series(name: reader, points: [$0], isLine: false, hint: hint(item, [reader]))
                }
            }
            return Chart(
                title: item.name, xLabel: "milliseconds to decode a picture, mean", yLabel: "symbols found, %",
                yScale: .percent, series: points.isEmpty ? [] : [points[0], line] + points.dropFirst(), width: 300,
                height: 240)
        }
    }

    /// The share of pictures decoded within a time, one chart per set.
    static func distributions(_ results: Results) -> [Chart] {
        let readers = results.readers.filter { $0.group == "all" && $0.quantiles.count == 41 }
        return unique(readers.map(\.set)).map { set in
            Chart(
                title: set, xLabel: "milliseconds from file to codes", yLabel: "share of pictures, per cent",
                yScale: .percent,
                series: readers.filter { $0.set == set }.map { reader in
                    Chart.Series(
                        name: reader.reader,
                        points: reader.quantiles.enumerated().map { ($0.element, Double($0.offset) * 2.5) },
                        hint: "\(reader.reader): p50 \(Format.milliseconds(reader.latency.p50)) ms, "
                            + "p99 \(Format.milliseconds(reader.latency.p99)) ms")
                })
        }
    }

    /// The time against the picture size: the same scene in several sizes, and every picture of all sets.
    static func sizes(_ results: Results) -> [Chart] {
        let pictures = results.pictures.filter { $0.megapixels > 0 }
        func series(_ chosen: [Results.PictureResult], isLine: Bool) -> [Chart.Series] {
            unique(chosen.map(\.reader)).map { reader in
                Chart.Series(
                    name: reader,
                    points: chosen.filter { $0.reader == reader }.map { ($0.megapixels, $0.milliseconds) }
                        .sorted { $0.0 < $1.0 },
                    isLine: isLine)
            }
        }
        func chart(_ title: String, _ series: [Chart.Series]) -> Chart {
            Chart(title: title, xLabel: "megapixels", yLabel: "milliseconds from file to codes", series: series)
        }
        let scene = pictures.filter { $0.set == "sizes" }
        guard !scene.isEmpty else { return [] }
        let floor = unique(scene.map(\.picture)).compactMap { name in
            results.floors[name].flatMap { floor in
                scene.first { $0.picture == name }.map { ($0.megapixels, floor.p50) }
            }
        }
        return [
            chart(
                "The same scene in several sizes",
                series(scene, isLine: true) + [Chart.Series(name: "floor", points: floor.sorted { $0.0 < $1.0 })])
        ]
    }

    /// The cost of each stage, one chart per picture, with the stages from the cheapest to the most expensive.
    static func stages(_ results: Results) -> [StageBars] {
        let stages = results.measurements.filter { $0.measure == "stage" && $0.state == "warm" }
        return unique(stages.map(\.subject)).map { subject in
            StageBars(
                title: subject,
                bars: stages.filter { $0.subject == subject }.map { ($0.name, $0.latency.p50) },
                floor: results.floors[subject]?.p50)
        }
    }
}

/// Bars for the stages of one picture, as HTML.
struct StageBars {
    var title: String
    var bars: [(name: String, p50: Double)]
    var floor: Double?

    var html: String {
        let longest = max(bars.map(\.p50).max() ?? 1, floor ?? 0, 1e-9)
        func row(_ name: String, _ value: Double, _ note: String, _ style: String) -> String {
            "<div class=\"bar\"><span class=\"what\">\(escaped(name))</span>"
                + "<span class=\"track\"><span class=\"fill \(style)\" "
                + "style=\"width:\(Format.fixed(100 * value / longest, 1))%\"></span></span>"
                + "<span class=\"much\">\(Format.milliseconds(value)) ms</span>"
                + "<span class=\"note\">\(note)</span></div>"
        }
        let rows = bars.map { bar in
            row(
                bar.name, bar.p50, floor.map { "\(Format.ratio(bar.p50 / $0)) x floor" } ?? "",
                bar.name == "file_to_codes" ? "whole" : "part")
        }
        let bottom = floor.map { [row("floor", $0, "luma alone", "floor")] } ?? []
        return "<div class=\"bars\"><h3>\(escaped(title))</h3>\((bottom + rows).joined(separator: "\n"))</div>"
    }
}
