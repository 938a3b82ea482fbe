/// The 18 bits of version information in symbols of version 7 and above.
///
/// They are a BCH (18, 6) code with distance 8. Source: ISO/IEC 18004, annex D.
package enum QRVersionInformation {
    /// The largest number of wrong bits in a copy.
    static let maximumDistance = 3

    /// The words of versions 7 to 40, in this order.
    package static let words: [UInt32] = (7...40).map { BCH.encode(UInt32($0), checkBits: 12, generator: 0x1F25) }

    /// Returns the version of the nearest copy with at most three wrong bits; `nil` if neither can be read.
    ///
    /// - Precondition: the grid has at least the size of version 7, 45 modules a side.
    static func read(in grid: ModuleGrid) -> Int? {
        var best: (version: Int, distance: Int)?
        for places in InformationModules.version(size: grid.size) {
            let copy = BCH.read(grid, at: places)
            for (index, word) in words.enumerated() {
                let distance = (copy ^ word).nonzeroBitCount
                if distance <= maximumDistance, distance < best?.distance ?? .max {
                    best = (index + 7, distance)
                }
            }
        }
        return best?.version
    }
}
