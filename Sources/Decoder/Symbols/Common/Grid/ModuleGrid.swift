/// The modules of one symbol, from its top left, and the confidence in each.
///
/// `width` by `height` modules without the quiet zone; x counts to the right and y down, both from 0. A dark module
/// is true (in an inverted symbol: a module that would be dark if the symbol were not inverted).
public struct ModuleGrid: Sendable, Hashable {
    /// The number of modules in a row.
    public let width: Int
    /// The number of modules in a column.
    public let height: Int
    /// The number of modules along one side of a square symbol: the ``width``.
    public var size: Int { width }

    /// One byte for each module, row by row: 1 is dark.
    package var modules: [UInt8]
    /// One byte for each module, row by row; empty if every module is certain.
    var confidences: [UInt8]

    /// Creates a square grid of light modules that are all certain.
    ///
    /// - Precondition: `size` is not negative.
    public init(size: Int) {
        self.init(width: size, height: size)
    }

    /// Creates a grid of light modules that are all certain.
    ///
    /// - Precondition: neither side is negative.
    public init(width: Int, height: Int) {
        precondition(width >= 0 && height >= 0, "the sides of a grid must not be negative")
        self.width = width
        self.height = height
        modules = [UInt8](repeating: 0, count: width * height)
        confidences = []
    }

    /// True if the module is dark.
    ///
    /// - Precondition: `x` is within `0..<width` and `y` within `0..<height`.
    public subscript(_ x: Int, _ y: Int) -> Bool {
        get {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "the module is outside the grid")
            return modules[y * width + x] != 0
        }
        set {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "the module is outside the grid")
            modules[y * width + x] = newValue ? 1 : 0
        }
    }

    /// The confidence in the color of a module: 255 is certain, 0 is an erasure.
    ///
    /// - Precondition: `x` is within `0..<width` and `y` within `0..<height`.
    public func confidence(_ x: Int, _ y: Int) -> UInt8 {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "the module is outside the grid")
        return confidences.isEmpty ? 255 : confidences[y * width + x]
    }

    /// Sets the confidence in the color of a module: 255 is certain, 0 is an erasure.
    ///
    /// - Precondition: `x` is within `0..<width` and `y` within `0..<height`.
    public mutating func setConfidence(_ confidence: UInt8, _ x: Int, _ y: Int) {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "the module is outside the grid")
        if confidences.isEmpty {
            if confidence == 255 { return }
            confidences = [UInt8](repeating: 255, count: width * height)
        }
        confidences[y * width + x] = confidence
    }

    /// Returns the grid mirrored along the diagonal from the top left to the bottom right.
    ///
    /// A mirrored symbol looks like this if its origin is the top left.
    public func transposed() -> ModuleGrid {
        rearranged { x, y in x * height + y }
    }

    /// Returns the grid mirrored along the diagonal from the bottom left to the top right.
    ///
    /// A mirrored symbol looks like this if its origin is the bottom left.
    public func antitransposed() -> ModuleGrid {
        rearranged { x, y in (width - 1 - x) * height + (height - 1 - y) }
    }

    /// Returns the grid with columns and rows swapped; `place` returns the new index of the module at a column and a
    /// row.
    @inline(__always)
    private func rearranged(place: (_ x: Int, _ y: Int) -> Int) -> ModuleGrid {
        var result = ModuleGrid(width: height, height: width)
        result.confidences = confidences
        for y in 0..<height {
            for x in 0..<width {
                result.modules[place(x, y)] = modules[y * width + x]
            }
        }
        if !confidences.isEmpty {
            for y in 0..<height {
                for x in 0..<width {
                    result.confidences[place(x, y)] = confidences[y * width + x]
                }
            }
        }
        return result
    }
}
