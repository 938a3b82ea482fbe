/// The 18 bits in which symbols of version 7 and above name their version.
///
/// A BCH (18, 6) code of distance 8. Source: ISO/IEC 18004, annex D.
package enum QRVersionInformation {
    /// How many bits may be wrong in a copy.
    static let maximumDistance = 3

    /// The words of versions 7 to 40, in that order.
    package static let words: [UInt32] = (7...40).map { BCH.encode(UInt32($0), checkBits: 12, generator: 0x1F25) }

    /// The version that the nearer copy names, with three wrong bits at most; nil when neither can be read.
    ///
    /// - Precondition: the grid is as large as version 7, 45 modules a side.
    static func read(in grid: ModuleGrid) -> Int? {
        var best: (version: Int, distance: Int)?
        for places in InformationPlaces.version(size: grid.size) {
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
