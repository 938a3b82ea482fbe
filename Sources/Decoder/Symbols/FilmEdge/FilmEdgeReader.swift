public import BarcodeCore

/// Reads the data track of the DX code on the edge of a 35 mm film, whose clock track is known.
///
/// The clock gives the location, the module length and the direction of the code. The bits are sampled along lines
/// beside it. Source: ANSI/NAPM IT1.14 (DX film edge barcode), as used since 1983.
public struct FilmEdgeReader: Sendable {
    /// The minimum distance of a module from the midpoint of dark and light, as a share of their difference.
    private static let smallestMargin: Float = 0.08
    /// The minimum contrast between ink and film, in gray levels.
    private static let smallestContrast: Float = 12
    /// The minimum number of lines that agree, and its minimum ratio to the lines with any other result.
    private static let votes = 3
    private static let rivalry = 3
    /// The minimum distance in modules between the outermost of these lines, and of those that show the clock.
    ///
    /// Tracks are two or three modules high, and two rows of pixels of small text, or a row of modules of another
    /// symbol, may look like one by chance. The light of the perforation reaches into the clock beside it.
    private static let leastHeight = (data: 1.5, clock: 1.2)
    /// The minimum share of the lines between these that show the same.
    private static let leastShare = 2.0 / 3
    /// The distance from the clock to the farthest line on either side, and between lines, in modules.
    private static let reach = 5.0
    private static let step = 0.4
    /// The tangents of the angles at which the film may be rotated against the line of the clock.
    private static let slants = [0, 0.025, -0.025, 0.05, -0.05]
    /// The modules of a symbol with a frame number.
    private static let longSize = 31

    /// Creates a reader.
    public init() {}

    /// Reads the data beside a clock.
    ///
    /// - Parameters:
    ///   - start: the outer edge of the clock's bar of five modules, in pixels.
    ///   - end: the outer edge of its bar of three modules, in pixels.
    ///   - modules: the length of the clock in modules, 31 or 23.
    /// - Returns: the reading, with its corners in pixels of `image`; `nil` if there is no data track beside the
    ///   clock.
    public func read(_ image: LumaImage, start: Point, end: Point, modules: Int) -> Reading? {
        let across = Point(x: (end.x - start.x) / Double(modules), y: (end.y - start.y) / Double(modules))
        let module = (across.x * across.x + across.y * across.y).squareRoot()
        guard module >= 1 else { return nil }
        var best: (message: [UInt8], places: [Double], slant: Double)?
        for slant in Self.slants {
            // A quarter turn from the direction of the clock, plus the slant.
            let down = Point(x: -across.y + slant * across.x, y: across.x + slant * across.y)
            var found: [(message: [UInt8], places: [Double])] = []
            var clock: [Double] = []
            let step = min(Self.step, 1 / module)
            for place in stride(from: -Self.reach, through: Self.reach, by: step) {
                // The clock itself has no data; its line may be anywhere within its height.
                let first = Point(x: start.x + place * down.x, y: start.y + place * down.y)
                guard let bits = Self.bits(image, first, across, modules) else { continue }
                if Self.isClock(bits) { clock.append(place) }
                guard let message = Self.message(bits) else { continue }
                if let index = found.firstIndex(where: { $0.message == message }) {
                    found[index].places.append(place)
                } else {
                    found.append((message, [place]))
                }
            }
            guard let most = found.max(by: { $0.places.count < $1.places.count }), most.places.count >= Self.votes,
                Self.isTrack(most.places, step, leastHeight: Self.leastHeight.data),
                Self.isTrack(clock, step, leastHeight: Self.leastHeight.clock),
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
        var reading = Reading(
            symbology: .filmEdge, bytes: best.message, corners: corners, orientation: corners.orientation,
            quality: best.places.count)
        reading.modulesAcross = modules
        return reading
    }

    /// Indicates whether most lines of something as high as a track are at some places, in modules and in order.
    private static func isTrack(_ places: [Double], _ step: Double, leastHeight: Double) -> Bool {
        let height = (places.last ?? 0) - (places.first ?? 0)
        return height >= leastHeight && Double(places.count) >= leastShare * (height / step + 1)
    }

    /// Indicates whether modules are those of a clock track: five dark, light and dark ones in turn, and three dark.
    private static func isClock(_ bits: [Bool]) -> Bool {
        let end = bits.count - 3
        return bits.indices.allSatisfy { bits[$0] == ($0 < 5 || $0 >= end || $0 % 2 == 0) }
    }

    /// Returns the message of the modules of a data track; `nil` if they are not valid.
    ///
    /// A track has a start mark, a blank, seven bits of the product, a blank, four of its generation; in the long
    /// form also six of the frame number, one for a half frame and a blank; then the parity, a blank and a stop mark.
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

    /// Returns the modules along a line, true for dark; `nil` if one is neither clearly dark nor light, or outside
    /// the picture.
    private static func bits(_ image: LumaImage, _ start: Point, _ across: Point, _ modules: Int) -> [Bool]? {
        var values: [Float] = []
        values.reserveCapacity(modules)
        for place in 0..<modules {
            // The mean of three points in the middle of the module.
            var sum = 0
            for shift in [-0.15, 0, 0.15] {
                let along = Double(place) + 0.5 + shift
                let point = Point(x: start.x + along * across.x, y: start.y + along * across.y)
                guard point.isInside(width: image.width, height: image.height) else { return nil }
                sum += Int(image[x: Int(point.x), y: Int(point.y)])
            }
            values.append(Float(sum) / 3)
            // Most lines end here: they have neither a start mark, alternately dark and light, nor the wide bar of a
            // clock.
            if place == 5, max(values[0], values[2], values[4]) >= min(values[1], values[3]),
                values[..<5].max() ?? 0 >= values[5]
            {
                return nil
            }
        }
        guard let dark = values.min(), let light = values.max(), light - dark >= smallestContrast else { return nil }
        let middle = (light + dark) / 2
        guard values.allSatisfy({ abs($0 - middle) >= smallestMargin * (light - dark) }) else { return nil }
        return values.map { $0 < middle }
    }
}
