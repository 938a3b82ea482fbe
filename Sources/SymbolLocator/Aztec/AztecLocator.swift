public import BarcodeCore

/// Finds where Aztec symbols may be: their bull's-eyes, squares in each other with sides of one module.
public struct AztecLocator: Sendable {
    /// A bull's-eye.
    public struct BullsEye: Sendable, Hashable {
        /// The corners of the square of seven modules around its centre, clockwise in the picture.
        public var outline: Quadrilateral
        /// Whether it is light on dark.
        public var isInverted: Bool

        /// Modules along the side of the outline.
        static let outlineModules = 7.0

        /// Pixels a module, in the mean.
        public var moduleSize: Double {
            let points = outline.points
            let perimeter = zip(points, points.dropFirst() + [points[0]]).reduce(0) { sum, side in
                let (x, y) = (side.1.x - side.0.x, side.1.y - side.0.y)
                return sum + (x * x + y * y).squareRoot()
            }
            return perimeter / (4 * Self.outlineModules)
        }
    }

    /// The bull's-eyes, dark on light and light on dark.
    public let bullsEyes: [BullsEye]

    /// Looks for bull's-eyes of about 1.5 to 12 pixels a module; larger ones are found in a smaller picture.
    ///
    /// - Parameter rowStep: how many rows lie from one that is walked to the next.
    public init(_ binary: BinaryImage, rowStep: Int = 1) {
        bullsEyes = BullsEyeScan(binary, rowStep: rowStep).patterns.compactMap { pattern in
            BullsEyeOutline.corners(of: pattern, in: binary).map { corners in
                BullsEye(
                    outline: Quadrilateral(
                        topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3]),
                    isInverted: pattern.isInverted)
            }
        }
    }
}
