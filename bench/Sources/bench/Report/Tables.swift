/// A table, independent of the output format.
struct Table {
    var title: String
    /// An explanation of the columns, if the headers are not enough.
    var note = ""
    var head: [String]
    var rows: [[String]]
    /// The number of columns from the left with words; the others have figures and are right-aligned.
    var words = 1
}

/// The tables of a run.
enum Tables {
    static func all(_ results: Results) -> [Table] {
        [
            classes(results), readers(results), pairs(results), frames(results), costs(results), stages(results),
            sizes(results), throughput(results), memory(results), groups(results),
        ].filter { !$0.rows.isEmpty }
    }

    private static func classes(_ results: Results) -> Table {
        let readers = ClassFigures.readers(results)
        let peers = readers.filter { !ClassFigures.efforts.contains($0) }
        let classes = ClassFigures.all(results)
        return Table(
            title: "By class of picture, decoding alone",
            note:
                "Symbols found, wrong readings in brackets, median and mean in milliseconds; then the ratios of the "
                + "medians to each peer's, effort normal and fast. Of each picture the least of the rounds counts.",
            head: ["class", "pictures", "symbols"] + readers
                + peers.flatMap { ["/ \($0)", "fast / \($0)"] },
            rows: classes.map { item in
                [item.name, "\(item.count())", item.score("quietzone").map { "\($0.expected)" } ?? "-"]
                    + readers.map { reader in
                        let found = item.score(reader).map { "\($0.found) (\($0.misread)), " } ?? ""
                        let times = [item.median(reader), item.mean(reader)].map {
                            $0.map(Format.milliseconds) ?? "-"
                        }
                        return found + times.joined(separator: ", ")
                    }
                    + peers.flatMap { peer in
                        ["quietzone", "quietzone-fast"].map { Format.ratio(item.ratio($0, to: peer)) }
                    }
            })
    }

    private static func costs(_ results: Results) -> Table {
        Table(
            title: "What it costs, and what it should",
            head: ["cost", "ratio", "noise", "should be", ""],
            rows: CostFigures.all(results).map { cost in
                [cost.name, Format.ratio(cost.ratio), noise(cost.noise), cost.goal, cost.isKept ? "kept" : "MISSED"]
            })
    }

    private static func readers(_ results: Results) -> Table {
        Table(
            title: "Readers, from file to codes",
            note:
                "Milliseconds a picture. Wrong readings in brackets. \"x floor\" is the sum of all times as a multiple "
                + "of decoding the luma of the same files and nothing else.",
            head: ["set", "reader", "found", "mean", "p50", "p90", "p99", "max", "load", "x floor", "noise"],
            rows: results.readers.filter { $0.group == "all" }.map { reader in
                let total = Spread.median(reader.totals) ?? 0
                return [
                    "\(reader.set) (\(reader.pictures))", reader.reader, Format.score(reader.score),
                    Format.milliseconds(total / Double(max(1, reader.pictures))),
                    Format.milliseconds(reader.latency.p50), Format.milliseconds(reader.latency.p90),
                    Format.milliseconds(reader.latency.p99), Format.milliseconds(reader.latency.max),
                    reader.load.map(Format.milliseconds) ?? "-",
                    Format.ratio(reader.floorTotal.flatMap { $0 > 0 ? total / $0 : nil }),
                    noise(Spread.relative(reader.totals)),
                ]
            }, words: 2)
    }

    private static func groups(_ results: Results) -> Table {
        let parts = results.readers.filter { $0.group != "all" && $0.set.hasPrefix("corpus/") }
        let readers = unique(parts.map(\.reader)).filter { !$0.hasSuffix("(process)") }
        return Table(
            title: "The corpus, group by group",
            note: "Symbols found, wrong readings in brackets, milliseconds a picture.",
            head: ["group", "pictures", "symbols"] + readers,
            rows: unique(parts.map { "\($0.set)/\($0.group)" }).map { name in
                let members = parts.filter { "\($0.set)/\($0.group)" == name }
                return [name, "\(members[0].pictures)", members[0].score.map { "\($0.expected)" } ?? "-"]
                    + readers.map { reader in
                        guard let item = members.first(where: { $0.reader == reader }) else { return "-" }
                        let mean = (Spread.median(item.totals) ?? 0) / Double(max(1, item.pictures))
                        let found = item.score.map { "\($0.found) (\($0.misread)), " } ?? ""
                        return found + Format.milliseconds(mean)
                    }
            })
    }

    private static func pairs(_ results: Results) -> Table {
        Table(
            title: "Quietzone's time as a multiple of a peer's, picture by picture",
            note:
                "Below 1 Quietzone is faster. Each pair is the same picture in the same round; half of the ratios lie "
                + "between the quartiles. \"decode\" leaves loading out.",
            head: ["set", "peer", "part", "median", "lower quartile", "upper quartile", "pairs"],
            rows: results.pairs.map { pair in
                [
                    pair.set, pair.peer, pair.part, Format.ratio(pair.ratio.median),
                    Format.ratio(pair.ratio.lowerQuartile), Format.ratio(pair.ratio.upperQuartile),
                    "\(pair.ratio.count)",
                ]
            }, words: 3)
    }

    private static func stages(_ results: Results) -> Table {
        let stages = results.measurements.filter { $0.measure == "stage" }
        return Table(
            title: "Stages",
            note: "Milliseconds. Cold is the first time in a new process, the file in the page cache.",
            head: ["picture", "stage", "MP", "p50", "p90", "p99", "max", "x floor", "noise", "cold p50", "cold max"],
            rows: stages.filter { $0.state == "warm" }.map { item in
                let cold = stages.first { $0.name == item.name && $0.subject == item.subject && $0.state == "cold" }
                return [item.subject, item.name, Format.fixed(item.megapixels, 2)] + times(item.latency)
                    + [
                        Format.ratio(item.ratioToFloor), noise(item.latency.noise),
                        cold.map { Format.milliseconds($0.latency.p50) } ?? "-",
                        cold.map { Format.milliseconds($0.latency.max) } ?? "-",
                    ]
            }, words: 2)
    }

    private static func frames(_ results: Results) -> Table {
        Table(
            title: "Camera frames, from pixels to codes",
            note: "Milliseconds a frame, without loading it; the last ratio is that of the medians.",
            head: [
                "scene", "frame", "reader", "complete", "p50", "p90", "p99", "max", "p99 / p50", "/ zxing-cpp", "noise",
            ],
            rows: results.measurements.filter { $0.measure == "frame" }.map { item in
                let peer = results.measurements.first {
                    $0.measure == "frame" && $0.reader == "zxing-cpp" && $0.name == item.name
                        && $0.subject == item.subject
                }
                return [item.name, item.subject, item.reader ?? "", "\(item.complete ?? 0) of \(item.outOf ?? 0)"]
                    + times(item.latency)
                    + [
                        Format.ratio(item.latency.p99 / item.latency.p50),
                        Format.ratio(peer.map { item.latency.p50 / $0.latency.p50 }), noise(item.latency.noise),
                    ]
            }, words: 3)
    }

    private static func sizes(_ results: Results) -> Table {
        let pictures = results.pictures.filter { $0.set == "sizes" }
        let readers = unique(pictures.map(\.reader))
        return Table(
            title: "Cost against megapixels",
            note: "Milliseconds from file to codes; the same scene in several sizes.",
            head: ["picture", "MP", "floor"] + readers,
            rows: unique(pictures.map(\.picture)).map { name in
                let row = pictures.filter { $0.picture == name }
                return [name, Format.fixed(row.first?.megapixels ?? 0, 1)]
                    + [results.floors[name].map { Format.milliseconds($0.p50) } ?? "-"]
                    + readers.map { reader in
                        row.first { $0.reader == reader }.map { Format.milliseconds($0.milliseconds) } ?? "-"
                    }
            })
    }

    private static func throughput(_ results: Results) -> Table {
        let single = results.throughput.first.flatMap { Spread.median($0.picturesPerSecond) }
        return Table(
            title: "Throughput of decode-image", note: "Samples, over and over, with starting and ending the workers.",
            head: ["jobs", "pictures a second", "x one job", "noise"],
            rows: results.throughput.map { item in
                let rate = Spread.median(item.picturesPerSecond) ?? 0
                return [
                    "\(item.jobs)", Format.fixed(rate, 0), Format.ratio(single.map { rate / $0 }),
                    noise(Spread.relative(item.picturesPerSecond)),
                ]
            })
    }

    private static func memory(_ results: Results) -> Table {
        Table(
            title: "Peak memory of a process", note: "VmHWM in megabytes of 1,000,000 bytes.",
            head: ["program", "picture", "MB"],
            rows: results.memory.map { [$0.program, $0.subject, Format.fixed($0.peakMegabytes, 1)] }, words: 2)
    }

    private static func times(_ latency: Latency) -> [String] {
        [latency.p50, latency.p90, latency.p99, latency.max].map(Format.milliseconds)
    }

    private static func noise(_ share: Double?) -> String { share.map { "± " + Format.percent($0) } ?? "-" }
}

/// Returns the distinct values, in the order of their first occurrence.
func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
}
