import Synchronization

/// Where the function patterns of a version are, what they look like, and in which order the other modules are read.
///
/// Source: ISO/IEC 18004, "Function patterns" and "Codeword placement in matrix". Places are `y * width + x`.
package final class FunctionPatterns: Sendable {
    /// What a module is for.
    package enum Role: UInt8, Sendable {
        /// Part of a codeword, or one of the remainder bits.
        case data
        /// A function module that is always light: finder, separator, timing, alignment.
        case light
        /// A function module that is always dark: the same, and the dark module.
        case dark
        /// Format or version information.
        case information
    }

    /// Modules in a row.
    package let width: Int
    /// Modules in a column.
    package let height: Int
    /// The role of each module, row by row.
    package let roles: [Role]
    /// The places of the data modules in the order in which the bits of the codewords fill them.
    package let dataOrder: [UInt16]

    /// Patterns of which the roles are known.
    ///
    /// - Parameters:
    ///   - lastColumn: the right one of the first two columns that hold data.
    ///   - timingColumn: a column between two pairs that has no data.
    /// - Precondition: there are `width` by `height` roles, fewer than 65,536.
    init(width: Int, height: Int, roles: [Role], lastColumn: Int, timingColumn: Int?) {
        self.width = width
        self.height = height
        self.roles = roles
        dataOrder = Self.makeDataOrder(
            width: width, height: height, roles: roles, lastColumn: lastColumn, timingColumn: timingColumn)
    }

    /// Patterns of a symbol whose data modules are read in an order of its own.
    init(width: Int, height: Int, roles: [Role], dataOrder: [UInt16]) {
        self.width = width
        self.height = height
        self.roles = roles
        self.dataOrder = dataOrder
    }

    private convenience init(version: Int) {
        let size = QRVersion.size(version)
        self.init(
            width: size, height: size, roles: Self.makeRoles(version: version), lastColumn: size - 1, timingColumn: 6)
    }

    // Forty versions take about a megabyte when all are used; each is made when it is first met.
    private static let cache = Mutex([FunctionPatterns?](repeating: nil, count: 40))

    /// The patterns of a version.
    ///
    /// - Precondition: `version` is within 1...40.
    package static func of(version: Int) -> FunctionPatterns {
        cache.withLock { cache in
            if let made = cache[version - 1] { return made }
            let made = FunctionPatterns(version: version)
            cache[version - 1] = made
            return made
        }
    }

    private static func makeRoles(version: Int) -> [Role] {
        let size = QRVersion.size(version)
        var roles = [Role](repeating: .data, count: size * size)
        func set(_ x: Int, _ y: Int, _ role: Role) {
            if x >= 0, x < size, y >= 0, y < size { roles[y * size + x] = role }
        }
        for index in 8..<(size - 8) {
            set(index, 6, index % 2 == 0 ? .dark : .light)
            set(6, index, index % 2 == 0 ? .dark : .light)
        }
        for center in QRVersion.alignmentCenters(version) {
            for dy in -2...2 {
                for dx in -2...2 {
                    set(center.x + dx, center.y + dy, max(abs(dx), abs(dy)) == 1 ? .light : .dark)
                }
            }
        }
        for place in InformationPlaces.format(size: size).joined() {
            roles[place] = .information
        }
        if version >= 7 {
            for place in InformationPlaces.version(size: size).joined() {
                roles[place] = .information
            }
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for dy in -4...4 {
                for dx in -4...4 {
                    let ring = max(abs(dx), abs(dy))
                    set(x + dx, y + dy, ring == 2 || ring == 4 ? .light : .dark)
                }
            }
        }
        set(8, size - 8, .dark)
        return roles
    }

    /// Two columns at a time from the right, upwards first and then by turns.
    private static func makeDataOrder(
        width: Int, height: Int, roles: [Role], lastColumn: Int, timingColumn: Int?
    ) -> [UInt16] {
        var order: [UInt16] = []
        order.reserveCapacity(width * height)
        var isUpward = true
        var right = lastColumn
        while right > 0 {
            if right == timingColumn { right -= 1 }
            for step in 0..<height {
                let y = isUpward ? height - 1 - step : step
                for x in [right, right - 1] where roles[y * width + x] == .data {
                    order.append(UInt16(y * width + x))
                }
            }
            isUpward.toggle()
            right -= 2
        }
        return order
    }
}

/// Where the format and version information stands: two copies of each, the most significant bit first.
///
/// Source: ISO/IEC 18004, "Format information" and "Version information". Places are `y * size + x`.
package enum InformationPlaces {
    /// The 15 places of both copies: around the top left finder pattern, and split between the other two.
    package static func format(size: Int) -> [[Int]] {
        var first: [Int] = []
        for x in 0...5 { first.append(8 * size + x) }
        first += [8 * size + 7, 8 * size + 8, 7 * size + 8]
        for y in (0...5).reversed() { first.append(y * size + 8) }
        var second: [Int] = []
        for y in ((size - 7)..<size).reversed() { second.append(y * size + 8) }
        for x in (size - 8)..<size { second.append(8 * size + x) }
        return [first, second]
    }

    /// The 18 places of both copies: at the top right, three modules wide, and at the bottom left, three high.
    package static func version(size: Int) -> [[Int]] {
        var topRight: [Int] = []
        var bottomLeft: [Int] = []
        for major in (0...5).reversed() {
            for minor in ((size - 11)...(size - 9)).reversed() {
                topRight.append(major * size + minor)
                bottomLeft.append(minor * size + major)
            }
        }
        return [topRight, bottomLeft]
    }
}
