internal import Glibc

/// A chart of points or lines with two axes, drawn as SVG.
struct Chart {
    struct Series {
        var name: String
        var points: [(x: Double, y: Double)]
        var isLine = true
        /// Indicates whether a line with few points has a dot at each.
        var hasDots = true
        /// The tooltip of the series.
        var hint = ""
    }

    enum Scale {
        /// A linear scale from the given minimum.
        case linear(from: Double, to: Double)
        /// Percent, with space above 100 for labels.
        case percent
        /// A logarithmic scale.
        case logarithmic
    }

    var title: String
    var xLabel: String
    var yLabel: String
    var xScale: Scale = .logarithmic
    var yScale: Scale = .logarithmic
    var series: [Series]
    /// Indicates whether the names are beside the points instead of in the legend.
    var namesPoints = false

    var width = 420.0
    var height = 300.0
    private static let (left, right, top, bottom) = (56.0, 16.0, 34.0, 46.0)

    /// Returns the elements of the chart, with its top left corner at (`x`, `y`).
    func svg(x: Double, y: Double) -> String {
        let xAxis = Axis(xScale, series.flatMap { $0.points.map(\.x) }, from: Self.left, to: width - Self.right)
        let yAxis = Axis(yScale, series.flatMap { $0.points.map(\.y) }, from: height - Self.bottom, to: Self.top)
        var out = ["<g transform=\"translate(\(number(x)) \(number(y)))\">"]
        out.append(text(title, Self.left, 20, "title"))
        for (value, name) in xAxis.ticks {
            let place = xAxis.place(value)
            out.append(line(place, Self.top, place, height - Self.bottom, "grid"))
            out.append(text(name, place, height - Self.bottom + 16, "tick", anchor: "middle"))
        }
        for (value, name) in yAxis.ticks {
            let place = yAxis.place(value)
            out.append(line(Self.left, place, width - Self.right, place, "grid"))
            out.append(text(name, Self.left - 6, place + 4, "tick", anchor: "end"))
        }
        out.append(text(xLabel, (Self.left + width - Self.right) / 2, height - 10, "label", anchor: "middle"))
        let middle = (Self.top + height - Self.bottom) / 2
        out.append(
            "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(14 \(number(middle))) rotate(-90)\">"
                + "\(escaped(yLabel))</text>")
        for item in series {
            let places = item.points.map { (xAxis.place($0.x), yAxis.place($0.y)) }
            let hint = "<title>\(escaped(item.hint.isEmpty ? item.name : item.hint))</title>"
            if item.isLine {
                let points = places.map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
                out.append(
                    "<polyline class=\"line \(SeriesColor.of(item.name))\" points=\"\(points)\">\(hint)</polyline>")
            }
            if !item.isLine || (item.hasDots && places.count <= 12) {
                for place in places {
                    out.append(dot(item.name, x: place.0, y: place.1, radius: item.isLine ? 3 : 5, inner: hint))
                }
            }
        }
        if namesPoints { out += names(xAxis, yAxis) }
        out.append("</g>")
        return out.joined(separator: "\n")
    }

    /// Returns the names beside their points, moved apart if they would overlap.
    private func names(_ xAxis: Axis, _ yAxis: Axis) -> [String] {
        let labels = series.compactMap { item in
            item.points.first.map { (item.name, xAxis.place($0.x), yAxis.place($0.y)) }
        }
        var taken: [(x: ClosedRange<Double>, y: Double)] = []
        return labels.sorted { $0.2 < $1.2 }.map { name, x, y in
            // The legend shows which readers are processes.
            let label = name.hasSuffix(" (process)") ? String(name.dropLast(" (process)".count)) : name
            let width = Double(label.count) * 7.4
            let isLeft = x + 9 + width > self.width
            let start = isLeft ? x - 9 - width : x + 9
            let range = start...(start + width)
            var place = y + 4
            // Must not overlap the earlier names and the other points.
            func isTaken(_ place: Double) -> Bool {
                taken.contains { $0.x.overlaps(range) && abs($0.y - place) < 13 }
                    || labels.contains { range.contains($0.1) && abs($0.2 + 4 - place) < 9 }
            }
            while isTaken(place) { place += 1 }
            taken.append((range, place))
            let style = "name tint \(SeriesColor.of(name))"
            return text(label, isLeft ? x - 9 : x + 9, place, style, anchor: isLeft ? "end" : "start")
        }
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
        "<line class=\"\(style)\" x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\"/>"
    }
}

/// One axis: the mapping from values to coordinates, and the ticks.
private struct Axis {
    private let scale: Chart.Scale
    private let range: ClosedRange<Double>
    private let (from, to): (Double, Double)

    init(_ scale: Chart.Scale, _ values: [Double], from: Double, to: Double) {
        self.scale = scale
        (self.from, self.to) = (from, to)
        switch scale {
        case .linear(let least, let most):
            range = least...max(most, least + 1e-9)
        case .percent:
            range = 0...106
        case .logarithmic:
            // From half a step below the minimum to half a step above the maximum, so that no point lies on the
            // frame.
            let positive = values.filter { $0 > 0 }
            let least = (positive.min() ?? 1) / 1.4
            range = log10(least)...max(log10((positive.max() ?? 10) * 1.4), log10(least) + 0.5)
        }
    }

    func place(_ value: Double) -> Double {
        let position: Double
        switch scale {
        case .linear, .percent: position = value
        case .logarithmic: position = log10(max(value, 1e-9))
        }
        let share = (position - range.lowerBound) / (range.upperBound - range.lowerBound)
        return from + (to - from) * min(max(share, 0), 1)
    }

    var ticks: [(value: Double, name: String)] {
        switch scale {
        case .linear:
            let span = range.upperBound - range.lowerBound
            return (0...5).map {
                let value = range.lowerBound + span * Double($0) / 5
                return (value, Format.fixed(value, span >= 10 ? 0 : 1))
            }
        case .percent:
            return stride(from: 0.0, through: 100, by: 20).map { ($0, Format.fixed($0, 0)) }
        case .logarithmic:
            let decades = Int(range.lowerBound.rounded(.down))...Int(range.upperBound.rounded(.up))
            // Fewer ticks if there are many decades.
            let steps: [Double] =
                switch decades.count {
                case ...2: [1, 2, 3, 5, 7]
                case 3: [1, 2, 5]
                case 4: [1, 3]
                default: [1]
                }
            return decades.flatMap { decade in
                steps.map { step in
                    let value = step * pow(10, Double(decade))
                    return (value, Format.fixed(value, value >= 1 ? 0 : -decade))
                }
            }.filter { range.contains(log10($0.0)) }
        }
    }
}

/// The color of a reader, the same in every chart.
enum SeriesColor {
    private static let known = [
        "quietzone", "zbar", "zxing-cpp", "opencv", "decode-image (process)", "zbarimg (process)", "floor", "",
        "quietzone-fast", "quietzone-thorough",
    ]

    /// Returns the CSS class of a reader's color.
    static func of(_ name: String) -> String {
        "s\(known.firstIndex(of: name) ?? 7)"
    }
}

/// Several charts in rows, with a legend above them.
struct ChartSheet {
    var charts: [Chart]
    var columns = 2

    /// Returns the SVG element; with `isAlone`, it includes the style for a file of its own.
    func svg(isAlone: Bool) -> String {
        let columns = max(1, min(columns, charts.count))
        let rows = (charts.count + columns - 1) / columns
        // All charts have the same size.
        let (chartWidth, chartHeight) = (charts.first?.width ?? 0, charts.first?.height ?? 0)
        let names = unique(charts.flatMap { $0.series.map(\.name) })
        let legendRows = legendPlaces(names, width: chartWidth * Double(columns))
        let legend = 12 + 20 * Double((legendRows.map(\.row).max() ?? -1) + 1)
        let (width, height) = (chartWidth * Double(columns), chartHeight * Double(rows) + legend)
        var out = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(number(width)) \(number(height))\" "
                + "style=\"max-width:\(number(width * 1.2))px\" "
                + "\(isAlone ? "width=\"\(number(width))\" height=\"\(number(height))\" " : "")role=\"img\" class=\"plot\">"
        ]
        if isAlone {
            out.append("<style>\(PlotStyle.css)</style>")
            out.append("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>")
        }
        for (name, place) in zip(names, legendRows) {
            let y = 16 + 20 * Double(place.row)
            out.append(dot(name, x: place.x, y: y - 4, radius: 5))
            out.append(text(name, place.x + 10, y, "name"))
        }
        for (index, chart) in charts.enumerated() {
            out.append(
                chart.svg(
                    x: chartWidth * Double(index % columns), y: legend + chartHeight * Double(index / columns)))
        }
        out.append("</svg>")
        return out.joined(separator: "\n") + "\n"
    }

    private func legendPlaces(_ names: [String], width: Double) -> [(x: Double, row: Int)] {
        var (x, row) = (62.0, 0)
        return names.map { name in
            let needed = Double(name.count) * 7.4 + 34
            if x + needed > width, x > 62 { (x, row) = (62, row + 1) }
            defer { x += needed }
            return (x, row)
        }
    }
}

/// The style of the charts, in light and dark mode.
enum PlotStyle {
    /// The colors of Okabe and Ito, which color-blind people can distinguish, lightened for dark mode.
    static let css = """
        .plot{--ground:#fff;--ink:#1b1f24;--faint:#57606a;--grid:#d8dee4;--c0:#d55e00;--c1:#0072b2;--c2:#009e73;\
        --c3:#b5569a;--c4:#b58900;--c5:#3a9bd0;--c6:#6e7781;--c7:#1b1f24;--c8:#e8915a;--c9:#8f3a00;font-family:system-ui,sans-serif}
        @media(prefers-color-scheme:dark){.plot{--ground:#0d1117;--ink:#e6edf3;--faint:#9da7b1;--grid:#30363d;\
        --c0:#ff8c42;--c1:#58a6ff;--c2:#3fcf9b;--c3:#e59ac8;--c4:#e3c04f;--c5:#9fd4f5;--c6:#8b949e;--c7:#e6edf3;--c8:#ffc199;\
        --c9:#d9661c}}
        .ground{fill:var(--ground)}.title{font-size:14px;font-weight:600;fill:var(--ink)}
        .label,.tick{font-size:11.5px;fill:var(--faint)}.name{font-size:12px;fill:var(--ink)}
        .grid{stroke:var(--grid);stroke-width:1}.line{fill:none;stroke-width:2}.dot{stroke:var(--ground);stroke-width:1}
        .s0{--c:var(--c0)}.s1{--c:var(--c1)}.s2{--c:var(--c2)}.s3{--c:var(--c3)}.s4{--c:var(--c4)}.s5{--c:var(--c5)}\
        .s6{--c:var(--c6)}.s7{--c:var(--c7)}.s8{--c:var(--c8)}.s9{--c:var(--c9)}.tint{fill:var(--c)}.line{stroke:var(--c)}.dot{fill:var(--c)}
        """
}

/// Returns the mark of a series: a triangle for the fast effort, a square for thorough, a circle for all others.
func dot(_ name: String, x: Double, y: Double, radius: Double, inner: String = "") -> String {
    let style = "class=\"dot \(SeriesColor.of(name))\""
    if name.hasSuffix("-fast") {
        let (side, low) = (radius * 1.15, radius * 0.85)
        let points = [(x - side, y + low), (x + side, y + low), (x, y - side)]
        let list = points.map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
        return "<polygon \(style) points=\"\(list)\">\(inner)</polygon>"
    }
    if name.hasSuffix("-thorough") {
        let half = radius * 0.9
        return "<rect \(style) x=\"\(number(x - half))\" y=\"\(number(y - half))\" width=\"\(number(2 * half))\" "
            + "height=\"\(number(2 * half))\">\(inner)</rect>"
    }
    return "<circle \(style) cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\">\(inner)</circle>"
}

func text(_ content: String, _ x: Double, _ y: Double, _ style: String, anchor: String = "start") -> String {
    "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(escaped(content))</text>"
}

/// Formats a coordinate to a tenth of a pixel.
func number(_ value: Double) -> String { Format.fixed(value, 1) }

/// Escapes text for HTML and SVG.
func escaped(_ text: String) -> String {
    var out = ""
    for character in text {
        switch character {
        case "&": out += "&amp;"
        case "<": out += "&lt;"
        case ">": out += "&gt;"
        case "\"": out += "&quot;"
        default: out.append(character)
        }
    }
    return out
}
