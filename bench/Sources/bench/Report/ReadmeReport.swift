/// The tables and the chart of a run for README.md and docs/speed.md.
enum ReadmeReport {
    private static let (start, end) = ("<!-- bench -->", "<!-- /bench -->")
    /// The readers named in README.md, which report their decode time.
    private static let named = ["quietzone", "zbar", "zxing-cpp"]
    private static let titles = [
        "quietzone": "Quietzone", "quietzone-fast": "fast", "quietzone-thorough": "thorough",
    ]

    /// Returns the chart: symbols found against time, one chart per class.
    static func plot(_ results: Results) -> String {
        ChartSheet(charts: Plots.foundAgainstDecoding(results), columns: 3).svg(isAlone: true)
    }

    /// Returns the short table for README.md, with the chart at the path `plot`.
    static func summary(_ results: Results, plot: String) -> String {
        let classes = ClassFigures.shown(results).filter { $0.score("quietzone")?.expected != 0 }
        let readers = named.filter { name in classes.contains { $0.count(name) > 0 } }
        let peers = readers.filter { $0 != "quietzone" }
        let count = classes.reduce(0) { $0 + $1.count() }
        let versions = peers.map { "\($0) \(results.versions[$0] ?? "")" }.joined(separator: " and ")
        var lines = block(
            "Symbols read in \(count) pictures, wrong readings in parentheses, and the median time of decoding as a "
                + "multiple of a peer's\(peers.isEmpty ? "" : ", beside \(versions)"):",
            ["pictures", "symbols"] + readers.map(title) + peers.map { "time / \($0)" },
            classes.map { item in
                [label(item), symbols(item)] + readers.map { found(item.score($0)) }
                    + peers.map { Format.ratio(item.ratio("quietzone", to: $0)) }
            })
        guard !lines.isEmpty else { return "" }
        lines.removeFirst()
        lines += ["", image(plot)]
        return lines.joined(separator: "\n")
    }

    /// Returns the tables for docs/speed.md as Markdown, with the machine and the versions; the chart is in the same
    /// folder.
    static func markdown(_ results: Results) -> String {
        var lines = [
            image("found-against-time.svg"),
            "",
            "Measured by `make bench` at \(TextReport.commit(results)) on \(TextReport.machine(results)); "
                + "\(TextReport.versions(results)).",
        ]
        lines += classes(results) + seconds(results) + frames(results)
        lines += block(
            "What something costs, as a ratio of medians taken in turns:", ["cost", "ratio", "should be"],
            CostFigures.all(results).map { [$0.name, Format.ratio($0.ratio), $0.goal + ($0.isKept ? "" : ", missed")] })
        let processes = results.readers.filter { $0.group == "all" && $0.reader.hasSuffix("(process)") }
        lines += block(
            "The mean time of a whole process for one picture:",
            ["pictures"] + unique(processes.map(\.reader)).map { $0.replacing(" (process)", with: "") },
            unique(processes.map(\.set)).map { set in
                let members = processes.filter { $0.set == set }
                return ["\(set), \(members.first?.pictures ?? 0)"]
                    + unique(processes.map(\.reader)).map { name in
                        members.first { $0.reader == name }.map { "\(mean($0)) ms" } ?? "-"
                    }
            })
        if let rates = throughput(results) { lines += ["", rates] }
        return lines.joined(separator: "\n")
    }

    /// The symbols found, and the times with their ratios, one row per class.
    private static func classes(_ results: Results) -> [String] {
        let classes = ClassFigures.shown(results)
        let readers = ClassFigures.readers(results)
        let peers = readers.filter { !ClassFigures.efforts.contains($0) }
        guard !classes.isEmpty else { return [] }
        let all = ClassFigures.sum(classes, name: "all")
        var rows = classes.map { item in
            [label(item), symbols(item)] + readers.map { found(item.score($0)) }
        }
        if let retail = retail(results, readers) { rows.append(retail) }
        return block(
            "Symbols found, wrong readings in parentheses; Quietzone by effort:",
            ["pictures", "symbols"] + readers.map { $0 == "quietzone" ? "normal" : title($0) }, rows)
            + block(
                "Decoding alone, in milliseconds a picture, median and mean:",
                ["pictures"] + readers.map { $0 == "quietzone" ? "normal" : title($0) },
                (classes + [all]).map { item in
                    [label(item)]
                        + readers.map { reader in
                            [item.median(reader), item.mean(reader)].map { $0.map(Format.milliseconds) ?? "-" }
                                .joined(separator: ", ")
                        }
                })
            + block(
                "The ratios of these medians:",
                ["pictures"] + peers.flatMap { ["normal / \($0)", "fast / \($0)"] } + ["thorough / normal"],
                (classes + [all]).map { item in
                    [label(item)]
                        + peers.flatMap { peer in
                            ["quietzone", "quietzone-fast"].map { Format.ratio(item.ratio($0, to: peer)) }
                        } + [Format.ratio(item.ratio("quietzone-thorough", to: "quietzone"))]
                })
    }

    /// The row of EAN and UPC over the groups of the corpus.
    private static func retail(_ results: Results, _ readers: [String]) -> [String]? {
        let groups = results.readers.filter {
            $0.set.hasPrefix("corpus/") && $0.group != "all" && PictureClass.isRetail($0.group)
        }
        func score(_ reader: String) -> Score? {
            let scores = groups.filter { $0.reader == reader }.compactMap(\.score)
            return scores.isEmpty ? nil : scores.reduce(into: Score()) { $0.add($1) }
        }
        guard let ours = score("quietzone") else { return nil }
        return ["zxing-cpp: EAN and UPC of the linear", "\(ours.expected)"] + readers.map { found(score($0)) }
    }

    /// Loading and decoding, in seconds of processor time.
    private static func seconds(_ results: Results) -> [String] {
        let seconds = ClassFigures.processorSeconds(results)
        guard !seconds.isEmpty else { return [] }
        let classes = ClassFigures.shown(results)
        let words = seconds.map { reader, seconds in
            let name = titles[reader].map { $0 == "Quietzone" ? $0 : "Quietzone with --effort \($0)" } ?? reader
            return "\(name) \(Format.fixed(seconds, 1)) s"
        }
        return [
            "",
            "Loading and decoding all \(classes.reduce(0) { $0 + $1.count() }) on one core, in turns, takes of the "
                + "processor: \(words.joined(separator: ", ")).",
        ]
    }

    /// The camera frames, one row per film.
    private static func frames(_ results: Results) -> [String] {
        let frames = results.measurements.filter { $0.measure == "frame" }
        let readers = unique(frames.compactMap(\.reader))
        let films = unique(frames.map { [$0.name, $0.subject] })
        return block(
            "Camera frames, from pixels to codes, median and 99th percentile in milliseconds; the last column is the "
                + "ratio of the medians:",
            ["frames"] + readers.map { $0 == "quietzone" ? "normal" : title($0) } + ["fast / zxing-cpp"],
            films.map { film in
                func latency(_ reader: String) -> Latency? {
                    frames.first { [$0.name, $0.subject] == film && $0.reader == reader }?.latency
                }
                let ratio = latency("quietzone-fast").flatMap { one in
                    latency("zxing-cpp").map { one.p50 / $0.p50 }
                }
                return [film.joined(separator: ", ").replacing("_", with: " ")]
                    + readers.map { reader in
                        latency(reader).map {
                            "\(Format.milliseconds($0.p50)), \(Format.milliseconds($0.p99))"
                        } ?? "-"
                    } + [Format.ratio(ratio)]
            })
    }

    private static func block(_ title: String, _ head: [String], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let lines = [head, head.map { _ in "---" }] + rows
        return ["", title, ""] + lines.map { "| " + $0.joined(separator: " | ") + " |" }
    }

    private static func title(_ reader: String) -> String { titles[reader] ?? reader }

    private static func label(_ item: ClassFigures) -> String { "\(item.name), \(item.count())" }

    private static func symbols(_ item: ClassFigures) -> String {
        item.score("quietzone").map { "\($0.expected)" } ?? "-"
    }

    private static func found(_ score: Score?) -> String {
        score.map { "\($0.found)" + ($0.misread > 0 ? " (\($0.misread))" : "") } ?? "-"
    }

    private static func image(_ path: String) -> String {
        "![Symbols found against the time of decoding, for each reader: up and to the left is better](\(path))"
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

    /// Returns the page with the text between the two markers replaced; `nil` if it has no markers.
    static func replace(in page: String, by text: String) -> String? {
        guard let first = page.firstRange(of: start), let last = page.firstRange(of: end),
            first.upperBound <= last.lowerBound
        else { return nil }
        return page[..<first.upperBound] + "\n" + text + "\n" + page[last.lowerBound...]
    }
}

extension String {
    /// Returns the text with every `part` replaced.
    fileprivate func replacing(_ part: String, with other: String) -> String {
        var (result, rest) = ("", self[...])
        while let range = rest.firstRange(of: part) {
            result += rest[..<range.lowerBound] + other
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
