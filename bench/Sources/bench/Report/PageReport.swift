/// The report of a run as a self-contained HTML page.
enum PageReport {
    /// Returns the HTML of a run.
    static func html(_ results: Results) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Quietzone benchmark</title>
        <style>\(PlotStyle.css)
        \(style)</style>
        </head>
        <body class="plot">
        <h1>How fast does Quietzone read, and against whom</h1>
        <p class="facts">\(TextReport.header(results).map(escaped).joined(separator: "<br>"))</p>
        \(results.notes.isEmpty ? "" : "<ul>\(results.notes.map { "<li>\(escaped($0))</li>" }.joined())</ul>")
        \(section(
            "Found against time",
            "A fast reader that misses is not fast: up and to the left is better. A library call for most, a whole "
                + "process where it says so, from the file to the codes.",
            Plots.foundAgainstTime(results)))
        \(section(
            "Found against the time of decoding",
            "The same without loading, by class of picture; the three efforts of Quietzone are on a line.",
            Plots.foundAgainstDecoding(results), columns: 3))
        \(section(
            "Latency distribution", "The share of pictures that were done within a time; to the left is better.",
            Plots.distributions(results)))
        \(section(
            "Cost against megapixels",
            "The floor decodes the luma of the file with the format's own library and does nothing else.",
            Plots.sizes(results)))
        \(stages(results))
        <h2>Figures</h2>
        \(Tables.all(results).map(table).joined(separator: "\n"))
        </body>
        </html>

        """
    }

    private static func section(_ title: String, _ note: String, _ charts: [Chart], columns: Int = 2) -> String {
        guard !charts.isEmpty else { return "" }
        return "<h2>\(escaped(title))</h2><p>\(escaped(note))</p>"
            + "<figure>\(ChartSheet(charts: charts, columns: columns).svg(isAlone: false))</figure>"
    }

    private static func stages(_ results: Results) -> String {
        let bars = Plots.stages(results)
        guard !bars.isEmpty else { return "" }
        return "<h2>Stages</h2><p>The median of each stage alone, warm. What the decoder does with a picture is not "
            + "the sum: it runs some stages at several sizes and leaves others out.</p>"
            + "<div class=\"grid2\">\(bars.map(\.html).joined(separator: "\n"))</div>"
    }

    private static func table(_ table: Table) -> String {
        func cells(_ row: [String], _ tag: String) -> String {
            row.enumerated().map { column, cell in
                "<\(tag)\(column < table.words ? " class=\"w\"" : "")>\(escaped(cell))</\(tag)>"
            }.joined()
        }
        return "<h3>\(escaped(table.title))</h3>" + (table.note.isEmpty ? "" : "<p>\(escaped(table.note))</p>")
            + "<div class=\"wide\"><table><thead><tr>\(cells(table.head, "th"))</tr></thead>\n<tbody>"
            + table.rows.map { "<tr>\(cells($0, "td"))</tr>" }.joined(separator: "\n") + "</tbody></table></div>"
    }

    private static let style = """
        body{background:var(--ground);color:var(--ink);max-width:980px;margin:0 auto;padding:24px 20px 80px;\
        line-height:1.45}
        h1{font-size:26px;margin:0 0 8px}h2{font-size:20px;margin:44px 0 4px}h3{font-size:15px;margin:24px 0 4px}
        p,li{color:var(--faint);font-size:14px;margin:4px 0 10px;max-width:78ch}.facts{font-size:13px}
        figure{margin:8px 0}figure svg{width:100%;height:auto}
        .wide{overflow-x:auto}table{border-collapse:collapse;font-size:12.5px;font-variant-numeric:tabular-nums}
        th,td{text-align:right;padding:3px 10px;border-bottom:1px solid var(--grid);white-space:nowrap}
        th{color:var(--faint);font-weight:600}.w{text-align:left}
        .grid2{display:grid;grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:4px 28px}
        .bar{display:grid;grid-template-columns:108px 1fr 74px 104px;gap:8px;font-size:12px;align-items:center;\
        margin:3px 0}
        .track{background:var(--grid);height:11px;border-radius:2px}.fill{display:block;height:100%;border-radius:2px}
        .part{background:var(--c1)}.whole{background:var(--c0)}.floor{background:var(--c6)}
        .much{text-align:right;font-variant-numeric:tabular-nums}.note{color:var(--faint)}
        """
}
