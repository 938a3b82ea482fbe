internal import BarcodeCore

/// Reads EAN and UPC from clear element widths.
///
/// Only unambiguous symbols are read: each digit fits well and clearly better than any other, the sets of the digits
/// and the check digit are right, and both sides are light. Blurred symbols are left to ``EANReader``, which fits
/// patterns to gray levels. Source: ISO/IEC 15420, tables 1 to 6.
enum RetailWidths {
    private struct Layout {
        var symbology: Symbology
        /// The numbers of digits before and after the middle guard.
        var left: Int
        var right: Int
        var middle: Int
        var end: Int
        var modules: Float

        var elements: Int { 3 + 4 * left + middle + 4 * right + end }
    }
    private static let layouts = [
        Layout(symbology: .ean13, left: 6, right: 6, middle: 5, end: 3, modules: 95),
        Layout(symbology: .ean8, left: 4, right: 4, middle: 5, end: 3, modules: 67),
        Layout(symbology: .upcE, left: 6, right: 0, middle: 0, end: 6, modules: 51),
    ]

    /// Set A as a left digit, beginning with a space; set B is the reverse, and set C is set A beginning with a bar.
    private static let setA: [SIMD4<Float>] = [
        [3, 2, 1, 1], [2, 2, 2, 1], [2, 1, 2, 2], [1, 4, 1, 1], [1, 1, 3, 2],
        [1, 2, 3, 1], [1, 1, 1, 4], [1, 3, 1, 2], [1, 2, 1, 3], [3, 1, 1, 2],
    ]
    private static let setB = setA.map { SIMD4($0.w, $0.z, $0.y, $0.x) }
    static let leftDigits = setA + setB

    /// The largest mean square deviation of the elements of a digit, in modules: a quarter of a module each.
    static let largestMisfit: Float = 0.06
    /// The additional error of an element of an EAN-13 in a row, several of which must agree, in samples.
    ///
    /// The middle of a faint narrow bar is lighter than that of the others: measured where these have their edges, it is
    /// too narrow. An edge of a bent bar is off by as much. If a module has many samples, such an error is rather the
    /// edge of an object that covers a part of the symbol.
    private static let edgeErrorInRow: Float = 0.5
    /// The largest mean square deviation of the elements of a digit of such an EAN-13, in modules.
    private static let largestMisfitInRow: Float = 0.1
    /// The smallest lead over the second-best digit, in the same unit as the misfit.
    ///
    /// Two digits that differ by half a module in two elements have a difference of about a half without blur.
    static let smallestLead: Float = 0.2
    /// The same for a row, several of which must agree: in an enlarged drawing, whose edges are rounded to whole
    /// pixels, 0.12 are left.
    private static let smallestLeadInRow: Float = 0.1
    /// The largest ratio of the module sizes of neighboring digits, and of a digit to the mean.
    ///
    /// Around a round package the module size shrinks by a half towards both sides, at 60 degrees, and a little from
    /// each of 12 digits to the next.
    private static let largestStretch: Float = 1.25
    private static let largestStretchOfAll: Float = 1.8
    /// The largest deviation of an element of a guard, in modules.
    private static let largestGuardError: Float = 0.6
    /// The required quiet zone, in modules; the standard has 7 to 11, but labels are trimmed.
    ///
    /// A part of a longer symbol has bars there.
    private static let quietModules: Float = 4.5
    /// The same for an EAN-13, which is not part of any longer symbol, if several rows must agree: more than a space
    /// next to a guard.
    private static let quietModulesOfWhole: Float = 2
    /// The weight of a change of the growth from guards to digits, in elements.
    private static let steadiness: Float = 3

    /// Returns the symbols on the line, in its direction.
    ///
    /// - Parameter isRow: true if the line is one of many rows, several of which must agree.
    static func read(_ line: BarElements, isRow: Bool = false) -> [LineReading] {
        var place = 0
        var result: [LineReading] = []
        while place + 33 <= line.widths.count {
            let layout = layouts.first {
                line.widths.count >= place + $0.elements && isFramed(line, place, $0, isRow: isRow)
            }
            let flat = layout.flatMap { layout in
                number(line, place, layout, isRow: isRow).map { (layout: layout, bytes: $0) }
            }
            if let (layout, bytes) = flat ?? foreshortened(line, place, isRow: isRow) {
                let end = place + layout.elements
                result.append(
                    LineReading(
                        symbology: layout.symbology, bytes: bytes, range: line.place(of: place..<end),
                        isReversed: line.isReversed))
                place = end + 1
            } else {
                place += 2
            }
        }
        return result
    }

    /// The largest ratio of a space or bar of a guard to another, before the module sizes are made equal.
    private static let largestUnevenness: Float = 2.5

    /// Reads an EAN-13 or UPC-A around a round package, after its modules were made equally wide.
    ///
    /// On the receding side of a package, the module size differs by a third from digit to digit, and within a digit.
    /// The ends of all digits are known, because each has four elements and seven modules.
    private static func foreshortened(_ line: BarElements, _ start: Int, isRow: Bool) -> (Layout, [UInt8])? {
        let layout = layouts[0]
        let end = start + layout.elements
        let middle = start + 3 + 4 * layout.left
        // Most places fail here.
        guard end <= line.widths.count,
            line.isClear(before: start, quiet: quietModulesOfWhole, module: line.width(start..<start + 3) / 3),
            isEven(line, start..<start + 3), isEven(line, end - 3..<end), isEven(line, middle..<middle + layout.middle)
        else { return nil }
        let left = (0...layout.left).map { (edge: start + 3 + 4 * $0, modules: Float(3 + 7 * $0)) }
        let right = (0...layout.right).map { digit in
            (edge: end - 3 - 4 * digit, modules: layout.modules - Float(3 + 7 * digit))
        }
        guard let even = line.withEqualModules(at: left + right.reversed()),
            isFramed(even, start, layout, isRow: isRow),
            let bytes = number(even, start, layout, isRow: isRow)
        else { return nil }
        return (layout, bytes)
    }

    /// Indicates whether elements may be those of a guard, whatever the module size.
    private static func isEven(_ line: BarElements, _ places: Range<Int>) -> Bool {
        let widths = line.widths[places]
        guard let least = widths.min(), let most = widths.max() else { return false }
        return most <= largestUnevenness * least
    }

    /// The smallest number of digits beside the middle guard in a recognizable part of a symbol.
    private static let fewestDigits = 7

    /// Indicates whether elements are most of an EAN-13 or UPC-A.
    ///
    /// Such a part has a middle guard of five modules, and beside it digits of four elements and seven modules.
    static func isPart(_ line: BarElements, _ range: Range<Int>) -> Bool {
        stride(from: range.lowerBound + 1, to: range.upperBound - 5, by: 2).contains { middle in
            let left = stride(from: middle - 4, through: max(range.lowerBound, middle - 24), by: -4)
            let right = stride(from: middle + 5, through: min(range.upperBound - 4, middle + 25), by: 4)
            let digits = (Array(left) + Array(right)).map { line.width($0..<$0 + 4) / 7 }
            guard digits.count >= fewestDigits, let least = digits.min(), let most = digits.max() else { return false }
            let module = line.width(middle..<middle + 5) / 5
            return most <= largestStretch * least && max(module, most) <= largestStretch * min(module, least)
        }
    }

    /// Indicates whether both sides are light and the outer guards have the width expected for the length of the
    /// symbol.
    private static func isFramed(_ line: BarElements, _ start: Int, _ layout: Layout, isRow: Bool) -> Bool {
        let end = start + layout.elements
        let module = line.width(start..<end) / layout.modules
        if layout.symbology == .ean13 {
            let quiet = isRow ? quietModulesOfWhole : quietModules
            guard line.isClear(before: start, quiet: quiet, module: module),
                line.isClear(at: end, quiet: quiet, module: module)
            else { return false }
        } else {
            guard min(line.space(before: start), line.space(at: end)) >= quietModules * module else { return false }
        }
        return isGuard(line, start..<start + 3, module) && isGuard(line, end - layout.end..<end, module)
    }

    /// Indicates whether each element is about one module wide, by the mean or the local module size.
    private static func isGuard(_ line: BarElements, _ places: Range<Int>, _ module: Float) -> Bool {
        let size = line.width(places) / Float(places.count)
        guard max(size, module) <= largestStretchOfAll * min(size, module) else { return false }
        return [module, size].contains { module in
            places.allSatisfy { abs(line.widths[$0] - module) <= largestGuardError * module }
        }
    }

    /// Returns the ASCII digits; `nil` if one of them is unclear or the number is invalid.
    private static func number(_ line: BarElements, _ start: Int, _ layout: Layout, isRow: Bool) -> [UInt8]? {
        let smallestLead = isRow ? smallestLeadInRow : smallestLead
        let module = line.width(start..<start + layout.elements) / layout.modules
        var largestMisfit = largestMisfit
        if isRow, layout.symbology == .ean13 {
            let error = edgeErrorInRow / max(module, .leastNormalMagnitude)
            largestMisfit = min(largestMisfit + error * error, largestMisfitInRow)
        }
        let middle = start + 3 + 4 * layout.left
        guard layout.middle == 0 || isGuard(line, middle..<middle + layout.middle, module) else { return nil }
        // Ink spread and threshold widen all bars equally, as the guard shows, whose elements are one module each.
        var growth = (line.widths[start] + line.widths[start + 2] - 2 * line.widths[start + 1]) / 4
        // The module size of the guard, then of the digit before.
        var before = (line.width(start..<start + 3) - growth) / 3
        guard max(before, module) <= largestStretchOfAll * min(before, module) else { return nil }
        var digits: [Int] = []
        var parity = 0
        for place in 0..<layout.left {
            guard
                let digit = digit(
                    line, start + 3 + 4 * place, among: layout.symbology == .ean8 ? setA : leftDigits, module: module,
                    before: &before, growth: &growth, isBarFirst: false, largestMisfit: largestMisfit,
                    smallestLead: smallestLead)
            else { return nil }
            digits.append(digit % 10)
            parity = parity << 1 | digit / 10
        }
        for place in 0..<layout.right {
            guard
                let digit = digit(
                    line, middle + layout.middle + 4 * place, among: setA, module: module, before: &before,
                    growth: &growth, isBarFirst: true, largestMisfit: largestMisfit, smallestLead: smallestLead)
            else { return nil }
            digits.append(digit)
        }
        return RetailNumber.bytes(layout.symbology, digits, parity: parity)
    }

    /// Returns the index of the digit that best fits four elements; `nil` if none fits well, or another almost as
    /// well.
    ///
    /// - Parameters:
    ///   - line: the elements of the line.
    ///   - place: the index of the first element.
    ///   - digits: the element widths of the possible digits, in modules.
    ///   - module: the mean module size.
    ///   - before: the module size of the digit before; updated to that of this digit.
    ///   - growth: the growth of the bars in the digit before; updated to that of this digit. From the middle of a
    ///     round package to its side the light changes, and with it the apparent edges.
    ///   - isBarFirst: true if the first element is a bar.
    ///   - largestMisfit: the largest mean square deviation of an element, in modules.
    ///   - smallestLead: the smallest lead over the second-best digit, in the same unit.
    static func digit(
        _ line: BarElements, _ place: Int, among digits: [SIMD4<Float>], module: Float,
        before: inout Float, growth: inout Float, isBarFirst: Bool, largestMisfit: Float = largestMisfit,
        smallestLead: Float = smallestLead
    ) -> Int? {
        let unit = line.width(place..<place + 4) / 7
        guard max(unit, module) <= largestStretchOfAll * min(unit, module),
            [module, before].contains(where: { max(unit, $0) <= largestStretch * min(unit, $0) })
        else { return nil }
        let sign: Float = isBarFirst ? 1 : -1
        let known = sign * growth / unit
        before = unit
        let widths =
            SIMD4(line.widths[place], line.widths[place + 1], line.widths[place + 2], line.widths[place + 3]) / unit
        let signs = SIMD4<Float>(1, -1, 1, -1)
        var (best, next) = ((index: 0, misfit: Float.infinity, growth: Float(0)), Float.infinity)
        for (index, digit) in digits.enumerated() {
            let rests = widths - digit
            let difference = (rests * signs).sum()
            let own = (difference + steadiness * known) / (4 + steadiness)
            let change = own - known
            let square = (rests * rests).sum() - 2 * own * difference + 4 * own * own + steadiness * change * change
            if square < best.misfit {
                next = best.misfit
                best = (index, square, own)
            } else {
                next = min(next, square)
            }
        }
        growth = sign * best.growth * unit
        guard best.misfit <= 4 * largestMisfit, next - best.misfit >= 4 * smallestLead else { return nil }
        return best.index
    }
}
