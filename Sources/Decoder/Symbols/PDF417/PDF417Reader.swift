public import BarcodeCore
internal import Glibc

/// Reads a PDF417 symbol whose start pattern, stop pattern or both were found in an image.
///
/// The row indicators encode the size of the symbol and the locations of its rows. From there the reader follows the
/// codewords column by column, correlates the mean of all lines through each with the patterns, and corrects them,
/// with the least confident as erasures. The work is bounded, and deterministic for an image.
public struct PDF417Reader: Sendable {
    /// The drift from column to column, in rows, above which lines are placed again.
    private static let greatestDrift = 0.6
    private static let maximumRounds = 3
    /// The largest number of sizes from the row indicators that are tried.
    private static let maximumSizes = 3

    /// Creates a reader.
    public init() {}

    /// The remaining effort for candidates in an image that are not decoded.
    public struct Budget: Sendable {
        /// The number of codewords that may be examined in failed attempts: four symbols of the largest size, plus
        /// one for each 500 pixels.
        ///
        /// A codeword takes about 300,000 instructions, including its share of the error correction.
        private var codewords: Int
        private static let codewordsOfAnyPicture = 4 * PDF417Size.maximumCodewords
        private static let pixelsOfCodeword = 500

        /// Creates the budget of an image.
        public init(_ image: LumaImage) {
            codewords = Self.codewordsOfAnyPicture + image.pixelCount / Self.pixelsOfCodeword
        }

        /// True if the budget is used up.
        public var isSpent: Bool { codewords <= 0 }

        mutating func spend(_ count: Int) { codewords -= min(count, codewords) }
    }

    /// Reads the symbol between two sides, or beside one.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - start: the start pattern, if found.
    ///   - stop: the stop pattern, if found.
    ///   - budget: the remaining budget of the image; if it is used up, no attempt is made.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed furthest.
    public func read(
        _ image: LumaImage, start: PDF417Side?, stop: PDF417Side?, budget: inout Budget
    ) throws(MatrixDecodeFailure) -> PDF417Reading {
        try read(image, start: start, stop: stop, budget: &budget, isComposite: false)
    }

    /// Reads the symbol between two sides, or beside one.
    ///
    /// - Parameter isComposite: true to read only parts of composite symbols, false to read only other symbols.
    func read(
        _ image: LumaImage, start: PDF417Side?, stop: PDF417Side?, budget: inout Budget, isComposite: Bool
    ) throws(MatrixDecodeFailure) -> PDF417Reading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image), let side = start ?? stop else {
                throw MatrixDecodeFailure(.noFinderPattern, "the picture has no side of a symbol")
            }
            return try PDF417Attempt(
                pixels: pixels, start: start, stop: stop, direction: side.direction, isComposite: isComposite
            ).read(&budget)
        }
    }

    /// An attempt with one placement of the lines across a symbol.
    private struct PDF417Attempt {
        let pixels: PixelSampler
        let start: PDF417Side?
        let stop: PDF417Side?
        /// The direction of the rows if only one side was found.
        let direction: Point
        let isComposite: Bool

        /// Returns the direction of the line from one side to the same relative height of the other.
        private func direction(at place: Double, of side: PDF417Side) -> Point {
            guard let start, let stop else { return direction }
            let height = place / max(1, side.length)
            return start.position(height * start.length).direction(to: stop.position(height * stop.length))
        }

        func read(_ budget: inout Budget) throws(MatrixDecodeFailure) -> PDF417Reading {
            // Glare may hide part of a pattern; the other side has the same length.
            let length = max(start?.length ?? 0, stop?.length ?? 0)
            func indicators(_ side: PDF417Side, _ other: PDF417Side?) -> PDF417RowIndicators? {
                let modules = Double(PDF417Patterns.width)
                let width = other.map { PDF417Foreshortening(from: side, to: $0).distance(ofModules: modules) }
                return PDF417RowIndicators.best(pixels, side, length: length, width: width ?? modules * side.module) {
                    direction(at: $0, of: side)
                }
            }
            let left = start.flatMap { indicators($0, stop) }
            let right = stop.flatMap { indicators($0, start) }
            var farthest = MatrixDecodeFailure(.formatUnreadable, "the row indicators cannot be read")
            var votes = PDF417RowIndicators.Votes()
            if let left { votes.add(left.votes) }
            if let right { votes.add(right.votes) }
            for size in votes.sizes.prefix(PDF417Reader.maximumSizes) {
                var direction = direction.turned(degrees: (left ?? right)?.tilt ?? 0)
                for _ in 0..<PDF417Reader.maximumRounds where !budget.isSpent {
                    guard let mesh = mesh(size, left: left, right: right, direction: direction), mesh.hasRows else {
                        break
                    }
                    do throws(MatrixDecodeFailure) { return try decode(mesh) } catch {
                        budget.spend(size.codewordCount)
                        if error.rank > farthest.rank { farthest = error }
                    }
                    // With one side, rotate the lines to follow the other rows.
                    guard left == nil || right == nil, let fit = left?.rows ?? right?.rows else { break }
                    let drift = mesh.drift(isForward: left != nil)
                    guard abs(drift) > PDF417Reader.greatestDrift else { break }
                    let span = Double(PDF417Patterns.width * (size.columns + 1)) * mesh.lines.module
                    let angle = atan2(-drift / fit.slope, span) * 180 / .pi
                    direction = direction.turned(degrees: left != nil ? angle : -angle)
                }
            }
            throw farthest
        }

        /// The smallest confidence of a codeword of which anything was visible.
        private static let leastConfidence: Float = 0.02
        /// The number of lines per row.
        private static let linesPerRow = 6.0
        private static let maximumLines = 420.0

        /// Places lines along the rows and follows the codewords on them.
        private func mesh(
            _ size: PDF417Size, left: PDF417RowIndicators?, right: PDF417RowIndicators?, direction: Point
        ) -> PDF417Mesh? {
            let count = Int(min(Self.maximumLines, Self.linesPerRow * Double(size.rows)))
            let width = Double(PDF417Patterns.width * (size.columns + 2))
            var lines: [PDF417Lines.Line] = []
            var rows: [Double] = []
            for index in 0..<count {
                let row = (Double(index) + 0.5) / Double(count) * Double(size.rows)
                let from = left?.rows.place(row).flatMap { start?.position($0) }
                let to = right?.rows.place(row).flatMap { stop?.position($0) }
                if let from, let to {
                    let length = to.distance(to: from)
                    lines.append(.init(origin: from, direction: from.direction(to: to), start: 0, stop: length))
                } else if left != nil, right != nil {
                    continue
                } else if let from {
                    var way = direction
                    if let start, stop != nil, let place = left?.rows.place(row) {
                        way = self.direction(at: place, of: start)
                    }
                    lines.append(.init(origin: from, direction: way, start: 0))
                } else if let to {
                    var way = direction
                    if let stop, start != nil, let place = right?.rows.place(row) {
                        way = self.direction(at: place, of: stop)
                    }
                    lines.append(.init(origin: to, direction: way, stop: 0))
                } else {
                    continue
                }
                rows.append(row)
            }
            guard lines.count >= 6, let side = left != nil ? start : stop else { return nil }
            let range: ClosedRange<Double>
            var module = side.module
            if left != nil, right != nil {
                let lengths = lines.compactMap(\.stop).sorted()
                module = lengths[lengths.count / 2] / width
                range = -2 * module...(lengths.last ?? 0) + 2 * module
            } else {
                let reach = (width * 1.2 + 4) * module
                range = left != nil ? -2 * module...reach : -reach...2 * module
            }
            guard module > 0.5,
                let field = PDF417Lines(
                    pixels, lines, range: range, module: module, startModule: start.map { moduleAlong(lines, $0) },
                    stopModule: stop.map { moduleAlong(lines, $0) }, isInverted: side.isInverted)
            else { return nil }
            // Rows that slant downwards leave the lines upwards; the lines of a single side slant with them.
            func drift(_ indicators: PDF417RowIndicators) -> Double {
                guard start != nil, stop != nil else { return 0 }
                return -tan(indicators.tilt * .pi / 180) * Double(PDF417Patterns.width) * module * indicators.rows.slope
            }
            return PDF417Mesh(
                field, size: size, rows: rows, startDrift: left.map(drift), stopDrift: right.map { -drift($0) })
        }

        /// Returns the module size of a side in pixels along lines that do not cross it at a right angle.
        private func moduleAlong(_ lines: [PDF417Lines.Line], _ side: PDF417Side) -> Double {
            let direction = lines[lines.count / 2].direction
            return side.module / max(0.5, direction.dot(side.direction))
        }

        private func decode(_ mesh: PDF417Mesh) throws(MatrixDecodeFailure) -> PDF417Reading {
            var farthest = MatrixDecodeFailure(.formatUnreadable, "the codewords cannot be read")
            for templates in [PDF417Templates.middle, PDF417Templates.sharp] + PDF417Templates.all.suffix(1) {
                let matches = mesh.matches(templates)
                // Each unreadable codeword takes one check codeword.
                let known = matches.count { $0.confidence > Self.leastConfidence }
                guard known >= mesh.size.codewordCount - mesh.size.checkCount else { continue }
                do throws(MatrixDecodeFailure) {
                    let message = try PDF417Decoder.decode(
                        matches.map(\.value), confidences: matches.map(\.confidence), size: mesh.size,
                        isComposite: isComposite)
                    return reading(message, mesh)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
            throw farthest
        }

        private func reading(_ message: PDF417Message, _ mesh: PDF417Mesh) -> PDF417Reading {
            let isCompact = stop == nil && !mesh.hasRightIndicators
            let corners = mesh.corners(isCompact: isCompact)
            return PDF417Reading(
                message: message, corners: corners, isInverted: (start ?? stop)?.isInverted ?? false,
                isMirrored: corners.runsCounterclockwise, isCompact: isCompact)
        }
    }
}

extension Point {
    /// Returns the direction rotated clockwise, as images are shown.
    func turned(degrees: Double) -> Point {
        let angle = degrees * .pi / 180
        return Point(x: x * cos(angle) - y * sin(angle), y: x * sin(angle) + y * cos(angle))
    }

    /// Returns the unit vector to another point.
    fileprivate func direction(to other: Point) -> Point {
        let length = max(1e-9, hypot(other.x - x, other.y - y))
        return Point(x: (other.x - x) / length, y: (other.y - y) / length)
    }
}
