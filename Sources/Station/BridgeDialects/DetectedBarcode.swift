public import BarcodeCore

/// A `DetectedBarcode` of the W3C's Barcode Detection API.
///
/// Source: Accelerated Shape Detection in Images, "DetectedBarcode". The corners start at the symbol's own top left
/// and run clockwise. Numbers have two decimals.
public struct DetectedBarcode: Sendable, Hashable, Encodable {
    /// A corner, in pixels of the picture.
    public struct Corner: Sendable, Hashable, Encodable {
        /// Pixels from the left.
        public var x: Double
        /// Pixels from the top.
        public var y: Double
    }

    /// A `DOMRectReadOnly`.
    public struct Box: Sendable, Hashable, Encodable {
        /// The left edge.
        public var x: Double
        /// The upper edge.
        public var y: Double
        /// The width.
        public var width: Double
        /// The height.
        public var height: Double
        /// The upper edge.
        public var top: Double
        /// The right edge.
        public var right: Double
        /// The lower edge.
        public var bottom: Double
        /// The left edge.
        public var left: Double
    }

    /// The text.
    public var rawValue: String
    /// The W3C's name of the symbology, see `SymbologyTraits.webName`.
    public var format: String
    /// The smallest upright rectangle around the corners (bounding box).
    public var boundingBox: Box
    /// The four corners.
    public var cornerPoints: [Corner]

    /// Creates the barcode of a decoded symbol.
    public init(_ symbol: Symbol) {
        self.init(symbology: symbol.symbology, text: symbol.text, corners: symbol.corners)
    }

    /// Creates the barcode of a symbol; without corners it lies at the origin.
    public init(_ symbol: BridgeSymbol) {
        let origin = Point(x: 0, y: 0)
        self.init(
            symbology: symbol.symbology, text: symbol.text,
            corners: symbol.corners
                ?? Quadrilateral(topLeft: origin, topRight: origin, bottomRight: origin, bottomLeft: origin))
    }

    init(symbology: Symbology, text: String, corners: Quadrilateral) {
        rawValue = text
        format = symbology.webName
        let box = corners.boundingBox
        let (left, top) = (box.x.hundredths, box.y.hundredths)
        let (right, bottom) = ((box.x + box.width).hundredths, (box.y + box.height).hundredths)
        boundingBox = Box(
            x: left, y: top, width: (right - left).hundredths, height: (bottom - top).hundredths, top: top,
            right: right, bottom: bottom, left: left)
        cornerPoints = corners.points.map { Corner(x: $0.x.hundredths, y: $0.y.hundredths) }
    }

    /// The barcode as a JSON object.
    public var json: JSON {
        let box: JSON = [
            "x": .number(boundingBox.x), "y": .number(boundingBox.y), "width": .number(boundingBox.width),
            "height": .number(boundingBox.height), "top": .number(boundingBox.top),
            "right": .number(boundingBox.right), "bottom": .number(boundingBox.bottom),
            "left": .number(boundingBox.left),
        ]
        return [
            "rawValue": .string(rawValue), "format": .string(format), "boundingBox": box,
            "cornerPoints": .array(cornerPoints.map { ["x": .number($0.x), "y": .number($0.y)] }),
        ]
    }
}

extension Double {
    /// The number rounded to two decimals; corners are not more precise than that.
    fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}
