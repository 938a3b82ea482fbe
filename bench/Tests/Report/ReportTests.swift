import Testing

@testable import bench

@Suite("Reports of a run")
struct ReportTests {
    struct NumberCase: CustomTestStringConvertible, Sendable {
        var value: Double
        var digits: Int
        var expected: String
        var testDescription: String { "\(value) to \(digits)" }
    }

    static let numberCases = [
        NumberCase(value: 0, digits: 2, expected: "0.00"),
        NumberCase(value: 0.004, digits: 2, expected: "0.00"),
        NumberCase(value: -0.004, digits: 2, expected: "0.00"),
        NumberCase(value: 1.005, digits: 1, expected: "1.0"),
        NumberCase(value: -12.345, digits: 1, expected: "-12.3"),
        NumberCase(value: 999.96, digits: 1, expected: "1000.0"),
        NumberCase(value: 7, digits: 0, expected: "7"),
        NumberCase(value: .infinity, digits: 1, expected: "-"),
    ]

    @Test("numbers", arguments: numberCases)
    func numbers(_ item: NumberCase) {
        #expect(Format.fixed(item.value, item.digits) == item.expected)
    }

    @Test("thousands are grouped")
    func grouped() {
        #expect([0, 999, 1000, 1_234_567, -1000].map(Format.grouped) == ["0", "999", "1,000", "1,234,567", "-1,000"])
    }

    @Test("a table's columns stand under each other, words to the left and figures to the right")
    func columns() {
        let table = Table(title: "t", head: ["name", "ms"], rows: [["a", "1.5"], ["longer", "12"]])
        #expect(TextReport.text(table) == ["name     ms", "a       1.5", "longer   12"])
    }

    @Test("the page has every plot and table, and nothing from elsewhere")
    func page() {
        let html = PageReport.html(.example())
        for part in [
            "Found against time", "Latency distribution", "Cost against megapixels", "<h2>Stages</h2>", "find_qr",
            "Peak memory", "prefers-color-scheme:dark", "a &lt;note&gt;",
        ] {
            #expect(html.contains(part), "\(part) is missing")
        }
        for part in ["<script", "<link", "src=", "@import", "url("] {
            #expect(!html.contains(part), "\(part) would need a network")
        }
        // Of addresses only the name of SVG, which nothing is loaded from.
        #expect(html.split(separator: "http").dropFirst().allSatisfy { $0.hasPrefix("://www.w3.org/2000/svg") })
    }

    @Test("a point of a plot lies where its figures say")
    func chart() {
        let chart = Chart(
            title: "a < b", xLabel: "x", yLabel: "y", xScale: .linear(from: 0, to: 10),
            yScale: .linear(from: 0, to: 100), series: [Chart.Series(name: "zbar", points: [(5, 50)], isLine: false)])
        let svg = chart.svg(x: 0, y: 0)
        #expect(svg.contains("cx=\"230.0\" cy=\"144.0\" r=\"5.0\""))
        #expect(svg.contains("a &lt; b"))
    }

    @Test("names of points that are close stand apart")
    func names() {
        let series = ["one", "two", "three"].map { Chart.Series(name: $0, points: [(10, 90)], isLine: false) }
        let chart = Chart(
            title: "", xLabel: "", yLabel: "", yScale: .percent, series: series, namesPoints: true)
        let heights = chart.svg(x: 0, y: 0).split(separator: "\n").filter { $0.contains("class=\"name tint") }
            .compactMap { line in
                line.firstRange(of: " y=\"").flatMap { Double(line[$0.upperBound...].prefix { $0 != "\"" }) }
            }.sorted()
        #expect(heights.count == 3)
        #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= 13 })
    }

    @Test("the README's tables go between their marks, again and again")
    func readme() throws {
        let text = ReadmeReport.markdown(.example())
        for part in [
            "\n| pictures | symbols | normal | zxing-cpp |\n| --- | --- | --- | --- |\n| Samples: QR, 1 | 10 | 9 | 8 (1) |",
            "\n| pictures | normal | zxing-cpp |\n| --- | --- | --- |\n| Samples: QR, 1 | 15.0, 15.0 | 30.0, 30.0 |",
            "\n| moving qr, 640x480 | 2.00, 2.00 | 5.00, 5.00 | 0.40 |", "\n| one / other | 1.20 | at most 1.5 |",
        ] {
            #expect(text.contains(part), "\(part) is missing in\n\(text)")
        }
        let page = "before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n"
        let once = try #require(ReadmeReport.replace(in: page, by: text))
        #expect(once == "before\n<!-- bench -->\n\(text)\n<!-- /bench -->\nafter\n")
        #expect(ReadmeReport.replace(in: once, by: text) == once)
        #expect(ReadmeReport.replace(in: "no marks", by: text) == nil)
    }

    @Test("the README's short table has the ratio of the medians")
    func summary() {
        let text = ReadmeReport.summary(.example(), plot: "plot.svg")
        #expect(
            text.contains(
                "\n| pictures | symbols | Quietzone | zxing-cpp | time / zxing-cpp |\n| --- | --- | --- | --- | --- |\n"
                    + "| Samples: QR, 1 | 10 | 9 | 8 (1) | 0.50 |\n"))
        #expect(text.contains("](plot.svg)"))
    }

    @Test("a run without a picture of a class has tables without rows, and no plot")
    func bare() {
        var results = Results.example()
        results.pictures = []
        results.measurements = []
        results.costs = nil
        #expect(ReadmeReport.summary(results, plot: "plot.svg").isEmpty)
        #expect(!ReadmeReport.markdown(results).contains("| Samples"))
        #expect(ReadmeReport.plot(results).contains("</svg>"))
    }

    @Test("the plot of the efforts: a line of them, a mark for each, and one for each peer")
    func efforts() {
        var results = Results.example()
        for (reader, time) in [("quietzone-fast", 5.0), ("quietzone-thorough", 50)] {
            results.pictures.append(
                Results.PictureResult(
                    reader: reader, set: "samples", picture: "a.png", megapixels: 1, kind: "Samples: QR",
                    milliseconds: time + 1, decode: time, score: Score(expected: 10, found: 9, misread: 0)))
        }
        let svg = ReadmeReport.plot(results)
        for part in [
            ">quietzone-fast</text>", ">quietzone-thorough</text>", ">zxing-cpp</text>", "<polyline class=\"line s0\"",
            "<polygon class=\"dot s8\"", "<rect class=\"dot s9\"",
        ] {
            #expect(svg.contains(part), "\(part) is missing")
        }
    }

    @Test("a cost that is what it should be is kept, another one is missed")
    func costs() throws {
        var results = Results.example()
        results.throughput = [
            Results.Throughput(jobs: 1, pictures: 1, picturesPerSecond: [10]),
            Results.Throughput(jobs: 2, pictures: 1, picturesPerSecond: [17]),
        ]
        let costs = CostFigures.all(results)
        #expect(costs.map(\.ratio) == [1.2, 0.85])
        #expect(costs.map(\.isKept) == [true, false])
        #expect(costs.map(\.goal) == ["at most 1.5", "at least 0.9"])
    }

    @Test("a comparison names what changed and leaves out what did not")
    func comparison() {
        let (before, after) = (Results.example(), Results.example(stageFactor: 2))
        let text = TextReport.comparison(Comparison(before, after), before, after, showsAll: false)
        #expect(text.contains("slower  stage find_qr, a.png, warm"))
        #expect(text.contains("+100.0 %"))
        #expect(!text.contains("reader quietzone"))
        #expect(
            text.hasSuffix(
                "1 slower, 0 faster, 3 within the noise; 0 sets read differently; 0 figures in one run only\n"))
    }

    @Test("the gate says what to do")
    func gate() {
        let gate = Gate(versions: [:], instructions: ["load": 1000])
        func text(_ count: Int) -> String {
            TextReport.gate(gate.check(Gate(versions: [:], instructions: ["load": count])), differences: [])
        }
        #expect(text(1000).hasSuffix("gate: passed, within 3.0 %"))
        #expect(text(2000).contains("gate: FAILED"))
        #expect(text(500).contains("make gate-update"))
    }
}

extension Results {
    /// A run with one of each kind of figure.
    static func example(stageFactor: Double = 1) -> Results {
        func latency(_ rounds: [Double]) -> Latency {
            let middle = Spread.median(rounds) ?? 0
            return Latency(
                count: rounds.count, min: rounds.min() ?? 0, p50: middle, p90: middle, p99: middle,
                max: rounds.max() ?? 0, rounds: rounds)
        }
        var results = Results(
            started: "2026-01-02T03:04:05Z", seconds: 6, commit: Commit(name: "abc", isModified: false),
            machine: Machine(
                processor: "P", architecture: "x86_64", processors: 2, memoryMegabytes: 8000, system: "Debian"),
            versions: ["zbar": "0.23"], arguments: ["run"], roundCount: 3)
        results.floors = ["a.png": latency([1, 1])]
        results.measurements = [
            Measurement(
                measure: "stage", name: "find_qr", subject: "a.png", state: "warm", megapixels: 1,
                latency: latency([stageFactor, stageFactor * 1.01]), floor: 1)
        ]
        for (reader, time) in [("quietzone-fast", 2.0), ("zxing-cpp", 5)] {
            results.measurements.append(
                Measurement(
                    measure: "frame", name: "moving_qr", reader: reader, subject: "640x480", state: "warm",
                    megapixels: 0.3, latency: latency([time, time])))
        }
        results.costs = [Cost(name: "one / other", ratios: [1.2, 1.1, 1.3], limit: 1.5)]
        let score = Score(expected: 10, found: 9, misread: 0)
        results.readers = [
            ReaderResult(
                reader: "quietzone", set: "samples", group: "all", pictures: 3, score: score,
                latency: latency([20, 20]), load: 1, totals: [60, 60], floorTotal: 3,
                quantiles: (0...40).map { Double($0) + 1 })
        ]
        results.pictures = [
            PictureResult(
                reader: "quietzone", set: "sizes", picture: "a.png", megapixels: 1, milliseconds: 20, score: score),
            PictureResult(
                reader: "quietzone", set: "samples", picture: "a.png", megapixels: 1, kind: "Samples: QR",
                milliseconds: 20, decode: 15, score: score),
            PictureResult(
                reader: "zxing-cpp", set: "samples", picture: "a.png", megapixels: 1, kind: "Samples: QR",
                milliseconds: 40, decode: 30, score: Score(expected: 10, found: 8, misread: 1)),
        ]
        results.memory = [Memory(program: "decode-image", subject: "a.png", peakMegabytes: 12)]
        results.notes = ["a <note>"]
        return results
    }
}
