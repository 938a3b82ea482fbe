/// The modules of one square symbol, from its top left, and how sure each of them is.
///
/// `size` modules a side without the quiet zone; x counts to the right and y down, both from 0. A module is true where
/// it is dark (for an inverted symbol: where it would be dark if the symbol were not inverted).
public struct ModuleGrid: Sendable, Hashable {
    /// Modules along one side.
    public let size: Int

    /// One byte a module, row by row: 1 is dark.
    package var modules: [UInt8]
    /// One byte a module, row by row; empty while every module is certain.
    var confidences: [UInt8]

    /// A grid of light modules that are all certain.
    ///
    /// - Precondition: `size` is not negative.
    public init(size: Int) {
        precondition(size >= 0, "a grid has no negative side")
        self.size = size
        modules = [UInt8](repeating: 0, count: size * size)
        confidences = []
    }

    /// Whether the module is dark.
    ///
    /// - Precondition: both coordinates are within `0..<size`.
    public subscript(_ x: Int, _ y: Int) -> Bool {
        get {
            precondition(x >= 0 && x < size && y >= 0 && y < size, "no such module")
            return modules[y * size + x] != 0
        }
        set {
            precondition(x >= 0 && x < size && y >= 0 && y < size, "no such module")
            modules[y * size + x] = newValue ? 1 : 0
        }
    }

    /// How sure the colour of a module is: 255 is certain, and 0 says that nothing is known of it, an erasure.
    ///
    /// - Precondition: both coordinates are within `0..<size`.
    public func confidence(_ x: Int, _ y: Int) -> UInt8 {
        precondition(x >= 0 && x < size && y >= 0 && y < size, "no such module")
        return confidences.isEmpty ? 255 : confidences[y * size + x]
    }

    /// Says how sure the colour of a module is: 255 is certain, 0 is an erasure.
    ///
    /// - Precondition: both coordinates are within `0..<size`.
    public mutating func setConfidence(_ confidence: UInt8, _ x: Int, _ y: Int) {
        precondition(x >= 0 && x < size && y >= 0 && y < size, "no such module")
        if confidences.isEmpty {
            if confidence == 255 { return }
            confidences = [UInt8](repeating: 255, count: size * size)
        }
        confidences[y * size + x] = confidence
    }

    /// The grid mirrored along the diagonal from the top left to the bottom right, as a mirrored symbol shows itself.
    public func transposed() -> ModuleGrid {
        var result = self
        for y in 0..<size {
            for x in 0..<size {
                result.modules[x * size + y] = modules[y * size + x]
            }
        }
        if !confidences.isEmpty {
            for y in 0..<size {
                for x in 0..<size {
                    result.confidences[x * size + y] = confidences[y * size + x]
                }
            }
        }
        return result
    }
}
