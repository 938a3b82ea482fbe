public import BarcodeCore

/// A decoded composite component.
public struct CompositeReading: Sendable, Hashable {
    /// The message and the location of the component.
    public var component: CompositeComponent
    /// The number of wrong or unread codewords that were corrected.
    public var correctedCodewords: Int
}

/// Reads the composite component above a decoded linear symbol (ISO/IEC 24723).
///
/// A component is MicroPDF417 or PDF417 with a message encoding of its own. The linear symbol gives its location, so
/// the search costs almost nothing if there is no component.
public struct CompositeReader: Sendable {
    /// The maximum number of components tried for a symbol.
    private static let maximumTries = 4
    /// The margin along the side in modules: the bars of the linear symbol begin below.
    private static let margin = 3.0
    /// The length in modules of a side with so few rows that its direction matters, and the deviations to try, in
    /// degrees.
    private static let fewRows = 16.0
    private static let slants = [0, 1.2, -1.2, 2.4, -2.4]

    /// Creates a reader.
    public init() {}

    /// Reads the CC-A or CC-B above a linear symbol.
    ///
    /// - Parameter linear: the corners of the symbol, in reading direction. The upper ones may be those of the
    ///   component, whose bars may look like the symbol's own.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest; `noFinderPattern` if there is no sign of a
    ///   component.
    public func read(
        _ image: LumaImage, above linear: Quadrilateral, _ carrier: CompositeCarrier
    ) throws(MatrixDecodeFailure) -> CompositeReading {
        let sides = image.withUnsafePixels { buffer -> [(side: PDF417Side, candidates: [MicroPDF417Size])] in
            guard let pixels = PixelSampler(buffer, of: image) else { return [] }
            return CompositeRegion.regions(pixels, linear, carrier).flatMap { $0.sides(pixels, carrier) }
        }
        var farthest = MatrixDecodeFailure(.noFinderPattern, "there are no row address patterns above it")
        for (side, candidates) in sides.prefix(Self.maximumTries) {
            // With three rows, a slant of two degrees reaches another row at the far end.
            let slants = side.length < Self.fewRows * side.module ? Self.slants : [0]
            for slant in slants {
                do throws(MatrixDecodeFailure) {
                    return try read(image, side.turned(degrees: slant), candidates, margin: Self.margin)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                    guard error.code == .formatUnreadable else { break }
                }
            }
        }
        throw farthest
    }

    /// Reads the CC-B beside the left side of a MicroPDF417 symbol.
    ///
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest.
    public func read(_ image: LumaImage, side: PDF417Side) throws(MatrixDecodeFailure) -> CompositeReading {
        try read(image, side, MicroPDF417Size.all, margin: MicroPDF417Reader.margin)
    }

    private func read(
        _ image: LumaImage, _ side: PDF417Side, _ candidates: [MicroPDF417Size], margin: Double
    ) throws(MatrixDecodeFailure) -> CompositeReading {
        var kind = CompositeComponent.Kind.b
        let read = try MicroPDF417Reader().read(image, side: side, candidates: candidates, margin: margin) {
            (codewords, confidences, size) throws(MatrixDecodeFailure) in
            kind = MicroPDF417Size.compositeA.contains(size) ? .a : .b
            return try CompositeDecoder.decode(codewords, confidences: confidences, size: size)
        }
        guard !read.isMirrored else {
            throw MatrixDecodeFailure(.badPattern, "the component is mirrored, but the linear symbol is not")
        }
        return CompositeReading(
            component: CompositeComponent(kind: kind, bytes: read.message.bytes, corners: read.corners),
            correctedCodewords: read.message.correctedCodewords)
    }

    /// Reads the CC-C between two sides of a PDF417 symbol, or beside one.
    ///
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest.
    public func read(
        _ image: LumaImage, start: PDF417Side?, stop: PDF417Side?, budget: inout PDF417Reader.Budget
    ) throws(MatrixDecodeFailure) -> CompositeReading {
        let read = try PDF417Reader().read(image, start: start, stop: stop, budget: &budget, isComposite: true)
        let contents = try CompositeDecoder.contents(read.message)
        return CompositeReading(
            component: CompositeComponent(kind: .c, bytes: contents.bytes, corners: read.corners),
            correctedCodewords: contents.correctedCodewords)
    }
}
