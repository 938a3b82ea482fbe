/// Reads the add-on of two or five digits beside an EAN or UPC symbol, from the widths of its bars and spaces.
///
/// The symbol gives the start of the add-on and the module size. Each row of the image is read separately, and an
/// add-on is accepted if enough rows agree. Source: ISO/IEC 15420, 4.5 and tables 7 and 8.
public struct AddOnReader: Sendable {
    /// The end of the symbol to which an add-on belongs.
    public struct Anchor: Sendable {
        /// The column at which the last bar of the symbol ends.
        var end: Double
        /// The module size of the symbol, in columns.
        var module: Double
        /// The columns inside the image.
        var seen: Range<Double>
        /// The width of the paper between the edge of the image and the first bar of the symbol, in modules.
        var paperBefore: Double

        /// Creates an anchor.
        public init(end: Double, module: Double, seen: Range<Double>, paperBefore: Double) {
            self.end = end
            self.module = module
            self.seen = seen
            self.paperBefore = paperBefore
        }
    }

    /// Rows as they are, with two degrees of sharpening, and without grain.
    private static let preparations =
        LinearReader.sharpenings.prefix(3) + [EdgeFinder.Sharpening(reach: 0, strength: 0, swing: 0.2)]
    /// The numbers of rows that are averaged, in turn; more rows halve the noise, if too few single rows agree.
    private static let joinedRows = [1, 4]

    /// Creates a reader.
    public init() {}

    /// Returns the ASCII digits of the add-on behind a symbol; `nil` if too few rows agree.
    ///
    /// - Parameters:
    ///   - rows: the brightness, one sample a column, from top to bottom, along the direction of the symbol.
    ///   - anchor: the end of the symbol.
    public func read(_ rows: [[Float]], behind anchor: Anchor) -> [UInt8]? {
        for joined in Self.joinedRows {
            let values = Self.means(rows, of: joined)
            let finders = values.map(EdgeFinder.init)
            for sharpening in Self.preparations {
                var tally = AddOnTally(rows: finders.count)
                for (row, finder) in finders.enumerated() {
                    guard let line = finder.elements(sharpening, fewestEdges: AddOnLine.fewestEdges) else { continue }
                    if let reading = AddOnLine(line, values[row], anchor).reading { tally.add(reading, row: row) }
                }
                if let digits = tally.answer { return digits }
            }
        }
        return nil
    }

    /// Returns the means of `count` rows each.
    private static func means(_ rows: [[Float]], of count: Int) -> [[Float]] {
        guard count > 1 else { return rows }
        return stride(from: 0, to: rows.count, by: count).map { first in
            let part = rows[first..<min(rows.count, first + count)]
            return part[first].indices.map { column in part.reduce(0) { $0 + $1[column] } / Float(part.count) }
        }
    }
}

/// Counts the rows that agree on an add-on.
private struct AddOnTally {
    let rows: Int
    private var votes: [AddOnLine.Reading: Set<Int>] = [:]

    init(rows: Int) { self.rows = rows }

    mutating func add(_ reading: AddOnLine.Reading, row: Int) { votes[reading, default: []].insert(row) }

    /// The add-on that enough rows show and less than a third as many contradict.
    ///
    /// A wrong add-on of five digits passes its check in one of 32 cases, one of two digits in one of four.
    var answer: [UInt8]? {
        guard let (best, own) = votes.max(by: { $0.value.count < $1.value.count }), case .digits(let digits) = best,
            own.count >= (digits.count == 5 ? max(2, rows / 8) : max(3, rows / 6)),
            votes.allSatisfy({ $0.key == best || 3 * $0.value.count < own.count })
        else { return nil }
        return digits
    }
}

/// A row of samples behind a symbol, and its add-on.
private struct AddOnLine {
    /// The result of a row.
    enum Reading: Hashable {
        /// Two or five ASCII digits.
        case digits([UInt8])
        /// Two digits that may be the rest of a partly hidden add-on.
        case doubtful
    }

    /// The number of edges of an add-on of two digits and the bar before it.
    static let fewestEdges = 16

    /// The sets of the digits for each remainder of the check; 1 is set B, the leftmost digit in the highest bit.
    private static let parities = [
        2: [0b00, 0b01, 0b10, 0b11],
        5: [
            0b11000, 0b10100, 0b10010, 0b10001, 0b01100, 0b00110, 0b00011, 0b01010, 0b01001, 0b00101,
        ],
    ]
    /// The gap in modules between a symbol and its add-on: the standard has 7 to 12, and a curved package makes it
    /// narrower.
    private static let gap = 4.5...16.0
    /// The largest offset in modules of the last bar of a symbol from its measured location.
    private static let looseness = 4.0
    /// The largest ratio of the module size of the add-on to that of the symbol or of the digit before.
    private static let largestStretch: Float = 1.8
    /// The largest deviation of an element of one module, in modules.
    private static let largestError: Float = 0.6
    /// The width in modules of the paper required behind an add-on of two digits: a longer add-on has a bar after
    /// one module.
    private static let paperBehindTwo: Float = 2.5
    /// The width in modules of the part of this paper that must be inside the image.
    private static let paperSeenBehindTwo = 1.8
    /// The largest width in modules of the paper beside the bars of a cropped image, and the largest difference of
    /// both sides.
    private static let paperOfCrop = 1.2
    private static let differenceOfCrop = 0.6
    /// The range in modules behind an add-on of two digits that may hold the other bars of a longer one, the largest
    /// width of these, and the largest number of them in an add-on of two digits.
    private static let restOfFive: Float = 28
    private static let widestBar: Float = 5
    private static let mostBarsBehind = 1
    /// The largest mean square deviation of an element in an add-on of two digits, in modules.
    private static let largestMisfitOfTwo: Float = 0.03
    /// The width in modules of an element whose center has the brightness of paper or ink in spite of blur.
    private static let wideElement: Float = 1.6
    /// The largest variation of paper and ink, as a share of the contrast.
    private static let largestTone: Float = 0.3

    private let line: BarElements
    private let values: [Float]
    private let anchor: AddOnReader.Anchor

    /// - Parameter values: the brightness from which the elements were measured.
    init(_ line: BarElements, _ values: [Float], _ anchor: AddOnReader.Anchor) {
        self.line = line
        self.values = values
        self.anchor = anchor
    }

    /// The add-on behind the last bar of the symbol; `nil` if there is none.
    var reading: Reading? {
        for place in stride(from: 2, to: line.widths.count, by: 2) {
            let (before, start) = (Double(line.edges[place - 1]), Double(line.edges[place]))
            guard abs(before - anchor.end) <= Self.looseness * anchor.module,
                Self.gap.contains((start - before) / anchor.module)
            else { continue }
            if let digits = digits(5, at: place) { return .digits(digits) }
            guard let digits = digits(2, at: place) else { continue }
            return isWhole(place..<place + 13) ? .digits(digits) : .doubtful
        }
        return nil
    }

    /// Returns the digits of an add-on that begins with the bar at `place`; `nil` if one is unclear or the sets are
    /// wrong.
    private func digits(_ count: Int, at place: Int) -> [UInt8]? {
        let elements = 3 + 4 * count + 2 * (count - 1)
        guard place + elements <= line.widths.count else { return nil }
        let module = line.width(place..<place + elements) / Float(4 + 7 * count + 2 * (count - 1))
        let expected = Float(anchor.module)
        guard max(module, expected) <= Self.largestStretch * min(module, expected) else { return nil }
        // The guard is a bar of one module, a space of one and a bar of two; ink spread and threshold widen all bars
        // equally.
        let (one, space, two) = (line.widths[place], line.widths[place + 1], line.widths[place + 2])
        var growth = (one + two - 3 * space) / 5
        var before = (one + space + two - growth) / 4
        guard max(before, module) <= Self.largestStretch * min(before, module),
            zip([one - growth, space + growth, two - growth], [1, 1, 2]).allSatisfy({
                abs($0 - $1 * before) <= Self.largestError * before
            })
        else { return nil }
        var digits: [Int] = []
        var parity = 0
        for index in 0..<count {
            let first = place + 3 + 6 * index
            if index > 0, !isSeparator(first - 2, before, growth) { return nil }
            guard
                let digit = RetailWidths.digit(
                    line, first, among: RetailWidths.leftDigits, module: module, before: &before, growth: &growth,
                    isBarFirst: false,
                    largestMisfit: count == 2 ? Self.largestMisfitOfTwo : RetailWidths.largestMisfit)
            else { return nil }
            digits.append(digit % 10)
            parity = parity << 1 | digit / 10
        }
        let check =
            count == 2
            ? (10 * digits[0] + digits[1]) % 4
            : (3 * (digits[0] + digits[2] + digits[4]) + 9 * (digits[1] + digits[3])) % 10
        guard Self.parities[count]?[check] == parity else { return nil }
        return digits.map { UInt8(0x30 + $0) }
    }

    /// Indicates whether a space and a bar at `place` are one module wide each.
    private func isSeparator(_ place: Int, _ module: Float, _ growth: Float) -> Bool {
        abs(line.widths[place] + growth - module) <= Self.largestError * module
            && abs(line.widths[place + 1] - growth - module) <= Self.largestError * module
    }

    /// Indicates whether two digits are a whole add-on, not part of a longer one that is covered or cut off.
    private func isWhole(_ elements: Range<Int>) -> Bool {
        let end = elements.upperBound
        let module = Float(anchor.module)
        let last = line.edges[end]
        let seen = (anchor.seen.upperBound - Double(last)) / anchor.module
        // A cropped image has equally little paper on both sides.
        let isCrop =
            seen <= Self.paperOfCrop && anchor.paperBefore <= Self.paperOfCrop
            && abs(seen - anchor.paperBefore) <= Self.differenceOfCrop
        guard line.space(at: end) >= Self.paperBehindTwo * module, seen >= Self.paperSeenBehindTwo || isCrop else {
            return false
        }
        let tones = Tones(
            paper: brightness(middleOf: elements.lowerBound - 1),
            ink: stride(from: elements.lowerBound, to: end, by: 2).map(brightness(middleOf:)).min() ?? 0)
        // An object that covers part of an add-on seldom has the brightness of paper or ink.
        let hasTwoTones = elements.allSatisfy { place in
            guard line.widths[place] >= Self.wideElement * module else { return true }
            let isBar = (place - elements.lowerBound) % 2 == 0
            return isBar ? tones.isInk(brightness(middleOf: place)) : tones.isPaper(brightness(middleOf: place))
        }
        guard hasTwoTones, tones.isPaper(brightness(last + Self.paperBehindTwo / 2 * module)) else { return false }
        let bars = stride(from: end + 1, to: line.widths.count, by: 2).prefix {
            line.edges[$0] - last <= Self.restOfFive * module
        }
        return bars.count {
            line.widths[$0] <= Self.widestBar * module && tones.isPaper(brightness(middleOf: $0 - 1))
        } <= Self.mostBarsBehind
    }

    /// The brightness of paper and ink.
    private struct Tones {
        var paper: Float
        var ink: Float

        func isPaper(_ value: Float) -> Bool { abs(value - paper) <= largestTone * (paper - ink) }
        func isInk(_ value: Float) -> Bool { abs(value - ink) <= largestTone * (paper - ink) }
    }

    private func brightness(middleOf place: Int) -> Float {
        brightness((line.edges[place] + line.edges[place + 1]) / 2)
    }

    private func brightness(_ column: Float) -> Float { values[min(max(0, Int(column)), values.count - 1)] }
}
