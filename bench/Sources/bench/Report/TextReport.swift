/// The reports for the terminal.
enum TextReport {
    /// Returns the tables of a run.
    static func table(_ results: Results) -> String {
        var lines = header(results)
        for table in Tables.all(results) {
            lines += ["", table.title] + text(table)
        }
        lines += results.notes.isEmpty ? [] : [""] + results.notes.map { "note: \($0)" }
        return lines.joined(separator: "\n")
    }

    /// Returns the changes between two runs; ends with a line feed.
    ///
    /// - Parameter showsAll: true if unchanged figures are listed too.
    static func comparison(
        _ comparison: Comparison, _ before: Results, _ after: Results, showsAll: Bool
    ) -> String {
        var lines = ["before: \(commit(before))", "after:  \(commit(after))"]
        if before.machine != after.machine {
            lines.append("The machines differ: \(machine(before)), then \(machine(after)). Only ratios mean something.")
        }
        lines.append(
            "The machine itself: \(Format.change(comparison.drift)) time for the floors, which is taken out below.")
        let shown = comparison.changes.filter { showsAll || $0.verdict != .unchanged }
        if !shown.isEmpty {
            let order: [Comparison.Verdict] = [.slower, .faster, .unchanged]
            let rows = order.flatMap { verdict in
                shown.filter { $0.verdict == verdict }.sorted { abs($0.ratio - 1) > abs($1.ratio - 1) }
            }
            lines.append("")
            lines += text(
                Table(
                    title: "", head: ["", "what", "before", "after", "change", "noise"],
                    rows: rows.map { change in
                        [
                            change.verdict == .unchanged ? "same" : change.verdict.rawValue, change.name,
                            Format.milliseconds(change.before), Format.milliseconds(change.after),
                            Format.change(change.ratio), change.noise.map { "± " + Format.percent($0) } ?? "one round",
                        ]
                    }, words: 2))
        }
        if !comparison.detections.isEmpty {
            lines += ["", "Read differently:"]
            lines += comparison.detections.map {
                "  \($0.name): \(Format.score($0.before)) before, \(Format.score($0.after)) after"
            }
        }
        func count(_ verdict: Comparison.Verdict) -> Int { comparison.changes.count { $0.verdict == verdict } }
        lines += [
            "",
            "\(count(.slower)) slower, \(count(.faster)) faster, \(count(.unchanged)) within the noise; "
                + "\(comparison.detections.count) sets read differently; \(comparison.unmatched) figures in one run only",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the findings of the gate.
    static func gate(_ findings: [Gate.Finding], differences: [String]) -> String {
        var lines = text(
            Table(
                title: "", head: ["workload", "expected", "counted", "change", ""],
                rows: findings.map { finding in
                    let ratio = finding.expected.flatMap { expected in
                        finding.counted.map { Double($0) / Double(max(1, expected)) }
                    }
                    return [
                        finding.workload, finding.expected.map(Format.grouped) ?? "-",
                        finding.counted.map(Format.grouped) ?? "-", ratio.map(Format.change) ?? "-",
                        finding.verdict.rawValue,
                    ]
                }))
        if !differences.isEmpty {
            lines += ["", "The counts were written down with other versions, so the slack is wider:"]
            lines += differences.map { "  " + $0 }
        }
        let slack = Format.percent(differences.isEmpty ? Gate.slack : Gate.slackAcrossVersions)
        lines.append("")
        if findings.contains(where: { $0.verdict == .failed }) {
            lines.append(
                "gate: FAILED, more instructions than \(slack) of slack allow. Make it cheaper, or, where it is worth "
                    + "its cost, write it down by `make gate-update` and say why in the commit.")
        } else if findings.contains(where: { $0.verdict == .unknown }) {
            lines.append("gate: FAILED, the workloads are not those of the file: make gate-update")
        } else if findings.contains(where: { $0.verdict == .improved }) {
            lines.append("gate: passed, with a gain that should be kept: make gate-update")
        } else {
            lines.append("gate: passed, within \(slack)")
        }
        return lines.joined(separator: "\n")
    }

    static func header(_ results: Results) -> [String] {
        [
            "Quietzone \(commit(results)), \(results.started), \(Format.fixed(results.seconds, 0)) s",
            machine(results), versions(results),
        ]
    }

    static func commit(_ results: Results) -> String {
        results.commit.name.prefix(12) + (results.commit.isModified ? " with changes" : "")
    }

    static func machine(_ results: Results) -> String {
        let machine = results.machine
        return "\(machine.processor), \(machine.processors) processors (\(machine.architecture)), "
            + "\(machine.memoryMegabytes) MB, \(machine.system)"
    }

    static func versions(_ results: Results) -> String {
        results.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    /// Aligns the columns by their widest cells, two spaces apart.
    static func text(_ table: Table) -> [String] {
        let rows = [table.head] + table.rows
        let widths = table.head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += (column > 0 ? "  " : "") + (column < table.words ? cell + padding : padding + cell)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
