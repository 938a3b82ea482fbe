public import BarcodeCore

/// Reads the data track of the code on the edge of a 35 mm film, whose clock track is known.
///
/// The clock says where the code is, how long its modules are and which way it runs; the bits are looked up along lines beside
/// it. Source: ANSI/NAPM IT1.14 (DX film edge barcode), as used since 1983.
public struct FilmEdgeReader: Sendable {
    /// How far a module must be from the middle of dark and light, as a share of their difference.
    private static let smallestMargin: Float = 0.08
    /// Levels of gray between ink and film at least.
    private static let smallestContrast: Float = 12
    /// Lines that must agree, and times as many as on anything else.
    private static let votes = 3
    private static let rivalry = 3
    /// Modules from the clock to the farthest line on either side, and from one line to the next.
    private static let reach = 5.0
    private static let step = 0.4
    /// How far the film may be turned against the line on which the clock was seen, as tangents.
    private static let slants = [0, 0.025, -0.025, 0.05, -0.05]
    /// Modules of a symbol with the number of the frame.
    private static let longSize = 31

    /// A reader.
    public init() {}

    /// Reads the data beside a clock.
    ///
    /// - Parameters:
    ///   - start: the outer edge of the clock's bar of five modules.
    ///   - end: the outer edge of its bar of three modules.
    ///   - modules: how many there are between the two, 31 or 23.
    /// - Returns: the reading, its corners in pixels of `image`; nil where no data track stands beside the clock.
    public func read(_ image: LumaImage, start: Point, end: Point, modules: Int) -> Reading? {
        let across = Point(x: (end.x - start.x) / Double(modules), y: (end.y - start.y) / Double(modules))
        let module = (across.x * across.x + across.y * across.y).squareRoot()
        guard module >= 1 else { return nil }
        var best: (message: [UInt8], places: [Double], slant: Double)?
        for slant in Self.slants {
            // A quarter turn from the direction of the clock, and as far aside as the slant says.
            let down = Point(x: -across.y + slant * across.x, y: across.x + slant * across.y)
            var found: [(message: [UInt8], places: [Double])] = []
            for place in stride(from: -Self.reach, through: Self.reach, by: min(Self.step, 1 / module)) {
                // The clock itself has no data, and its line lies somewhere in it.
                let first = Point(x: start.x + place * down.x, y: start.y + place * down.y)
                guard let bits = Self.bits(image, first, across, modules), let message = Self.message(bits) else {
                    continue
                }
                if let index = found.firstIndex(where: { $0.message == message }) {
                    found[index].places.append(place)
                } else {
                    found.append((message, [place]))
                }
            }
            guard let most = found.max(by: { $0.places.count < $1.places.count }), most.places.count >= Self.votes,
                !found.contains(where: {
                    $0.message != most.message && $0.places.count * Self.rivalry > most.places.count
                }), most.places.count > best?.places.count ?? 0
            else { continue }
            best = (most.message, most.places, slant)
        }
        guard let best, let first = best.places.min(), let last = best.places.max() else { return nil }
        // From the clock to the far side of the data.
        let down = Point(x: -across.y + best.slant * across.x, y: across.x + best.slant * across.y)
        let (top, bottom) = (min(0, first), max(0, last))
        func corner(_ point: Point, _ place: Double) -> Point {
            Point(x: point.x + place * down.x, y: point.y + place * down.y)
        }
        let corners = Quadrilateral(
            topLeft: corner(start, top), topRight: corner(end, top), bottomRight: corner(end, bottom),
            bottomLeft: corner(start, bottom))
        return Reading(
            symbology: .filmEdge, bytes: best.message, corners: corners, orientation: corners.orientation,
            quality: best.places.count)
    }

    /// The message of the modules of a data track; nil for others.
    ///
    /// A start mark, a blank, seven bits of the product, a blank, four of its generation; then, in the longer one, six of the
    /// frame's number, one for a half frame and a blank; the parity, a blank, a stop mark.
    static func message(_ bits: [Bool]) -> [UInt8]? {
        func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 * 2 + (bits[$1] ? 1 : 0) } }
        let hasFrame = bits.count == longSize
        let end = bits.count - 3
        let blanks = hasFrame ? [5, 13, 25, 27] : [5, 13, 19]
        guard end > 19, number(0..<5) == 0b10101, number(end..<bits.count) == 0b101,
            blanks.allSatisfy({ !bits[$0] }), number(6..<13) > 0
        else { return nil }
        let parity = end - 2
        guard bits[5..<parity].count(where: { $0 }) % 2 == (bits[parity] ? 1 : 0) else { return nil }
        var text = "\(number(6..<13))-\(number(14..<18))"
        if hasFrame { text += "/\(number(18..<24))" + (bits[24] ? "A" : "") }
        return Array(text.utf8)
    }

    /// The modules along a line, true for dark; nil where one is neither dark nor light, or beyond the picture.
    private static func bits(_ image: LumaImage, _ start: Point, _ across: Point, _ modules: Int) -> [Bool]? {
        var values: [Float] = []
        values.reserveCapacity(modules)
        for place in 0..<modules {
            // The mean of three points in the middle of the module.
            var sum = 0
            for shift in [-0.15, 0, 0.15] {
                let along = Double(place) + 0.5 + shift
                let (x, y) = (start.x + along * across.x, start.y + along * across.y)
                guard x >= 0, y >= 0, x < Double(image.width), y < Double(image.height) else { return nil }
                sum += Int(image[x: Int(x), y: Int(y)])
            }
            values.append(Float(sum) / 3)
            // The start mark, dark and light in turn, is seen first: most lines end here.
            if place == 4, max(values[0], values[2], values[4]) >= min(values[1], values[3]) { return nil }
        }
        guard let dark = values.min(), let light = values.max(), light - dark >= smallestContrast else { return nil }
        let middle = (light + dark) / 2
        guard values.allSatisfy({ abs($0 - middle) >= smallestMargin * (light - dark) }) else { return nil }
        return values.map { $0 < middle }
    }
}
