import Synchronization

/// The function patterns of a version: their locations and modules, and the order of the other modules.
///
/// Source: ISO/IEC 18004, "Function patterns" and "Codeword placement in matrix".
/// The index of a module is `y * width + x`.
package final class FunctionPatterns: Sendable {
    /// The role of a module.
    package enum Role: UInt8, Sendable {
        /// A module of a codeword, or a remainder bit.
        case data
        /// A function module that is always light: finder, separator, timing, alignment.
        case light
        /// A function module that is always dark: the same patterns, and the dark module.
        case dark
        /// A module of the format or version information.
        case information
    }

    /// The number of modules in a row.
    package let width: Int
    /// The number of modules in a column.
    package let height: Int
    /// The role of each module, row by row.
    package let roles: [Role]
    /// The indices of the data modules, in the order of the bits of the codewords.
    package let dataOrder: [UInt16]

    /// Creates patterns from known roles.
    ///
    /// - Parameters:
    ///   - width: the number of modules in a row.
    ///   - height: the number of modules in a column.
    ///   - roles: the role of each module, row by row.
    ///   - lastColumn: the right one of the first two columns with data.
    ///   - timingColumn: a column between two pairs that has no data.
    /// - Precondition: there are `width` × `height` roles, fewer than 65,536.
    init(width: Int, height: Int, roles: [Role], lastColumn: Int, timingColumn: Int?) {
        self.width = width
        self.height = height
        self.roles = roles
        dataOrder = Self.makeDataOrder(
            width: width, height: height, roles: roles, lastColumn: lastColumn, timingColumn: timingColumn)
    }

    /// Creates patterns of a symbol with a custom order of its data modules.
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

    // All forty versions take about a megabyte; each is created at its first use.
    private static let cache = Mutex([FunctionPatterns?](repeating: nil, count: 40))

    /// Returns the patterns of a version.
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
        for place in InformationModules.format(size: size).joined() {
            roles[place] = .information
        }
        if version >= 7 {
            for place in InformationModules.version(size: size).joined() {
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

    /// Returns the indices of the data modules: two columns at a time from the right, alternately upwards and
    /// downwards.
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

/// The modules of the format and version information: two copies of each, the most significant bit first.
///
/// Source: ISO/IEC 18004, "Format information" and "Version information". Module indices are `y * size + x`.
package enum InformationModules {
    /// Returns the 15 modules of both copies: around the top left finder pattern, and split between the other two.
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

    /// Returns the 18 modules of both copies: at the top right, three modules wide, and at the bottom left, three
    /// high.
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
