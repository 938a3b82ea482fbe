import Synchronization

/// The locations and modules of the function patterns of a Han Xin symbol.
///
/// Source: ISO/IEC 20830, 4.3 (finder patterns, alignment patterns, function information) and annex A.
enum HanXinPatterns {
    // All 84 versions together take about 1.5 megabytes; each is made at its first use.
    private static let cache = Mutex([HanXinVersion: FunctionPatterns]())

    /// Returns the patterns of a version.
    static func of(_ version: HanXinVersion) -> FunctionPatterns {
        cache.withLock { cache in
            if let made = cache[version] { return made }
            let made = make(version)
            cache[version] = made
            return made
        }
    }

    /// Returns the centers of the cores of the four finder patterns in modules: top left, top right, bottom right,
    /// bottom left.
    ///
    /// The bottom left pattern points to the top right, as its neighbor does; the others point to their own corner.
    static func cores(size: Double) -> [(x: Double, y: Double)] {
        [(5.5, 5.5), (size - 5.5, 5.5), (size - 5.5, size - 5.5), (1.5, size - 1.5)]
    }

    /// Returns the modules of the four finder patterns.
    ///
    /// Each is a core of three by three modules inside two bows, which meet in a corner.
    static func finders(size: Int) -> [(x: Int, y: Int, isDark: Bool)] {
        let last = 6
        let (low, high) = (0, size - 1 - last)
        return [
            (low, low, false, false), (high, low, true, false), (high, high, true, true), (low, high, true, false),
        ].flatMap { left, top, pointsRight, pointsDown in
            (0...last).flatMap { y in
                (0...last).map { x in
                    let depth = min(pointsRight ? last - x : x, pointsDown ? last - y : y)
                    return (left + x, top + y, depth != 1 && depth != 3)
                }
            }
        }
    }

    /// Returns the modules of the function information, the most significant bit first, for each of the two copies of
    /// 34 modules.
    static func information(size: Int) -> [[(x: Int, y: Int)]] {
        let (near, far) = (8, size - 9)
        // Along the sides of the top left corner, then down and along those of the top right.
        let first: [(x: Int, y: Int)] =
            (0...near).map { (x: $0, y: near) } + (1...near).map { (x: near, y: near - $0) }
            + (0...near).map { (x: far, y: $0) } + (1...near).map { (x: far + $0, y: near) }
        return [first, first.map { (x: size - 1 - $0.x, y: size - 1 - $0.y) }]
    }

    private static func make(_ version: HanXinVersion) -> FunctionPatterns {
        let size = version.size
        var roles = [FunctionPatterns.Role](repeating: .data, count: size * size)
        /// Sets the role of a module that has none yet.
        func set(_ x: Int, _ y: Int, _ role: FunctionPatterns.Role) {
            guard x >= 0, x < size, y >= 0, y < size, roles[y * size + x] == .data else { return }
            roles[y * size + x] = role
        }
        for module in finders(size: size) { set(module.x, module.y, module.isDark ? .dark : .light) }
        for copy in information(size: size) {
            for place in copy { set(place.x, place.y, .information) }
        }
        // The rest of the corners is the light margin of the finder patterns.
        for y in 0..<size where y < 8 || y >= size - 8 {
            for x in 0..<size where x < 8 || x >= size - 8 { set(x, y, .light) }
        }
        drawAlignment(version, set)
        let order = roles.indices.filter { roles[$0] == .data }.map { UInt16($0) }
        return FunctionPatterns(width: size, height: size, roles: roles, dataOrder: order)
    }

    /// Draws the lattice of alignment lines: dark, with a light line beside each on the inner side.
    private static func drawAlignment(
        _ version: HanXinVersion, _ set: (_ x: Int, _ y: Int, _ role: FunctionPatterns.Role) -> Void
    ) {
        let last = version.size - 1
        let crossings = version.crossings
        // Small marks at which lines would meet the edges.
        func mark(_ x: Int, _ y: Int) {
            set(x, y, .dark)
            for dy in -1...1 {
                for dx in -1...1 { set(x + dx, y + dy, .light) }
            }
        }
        let isOdd = crossings.count % 2 == 1
        for (index, crossing) in crossings.enumerated() {
            let isEven = index % 2 == 0
            // With an odd number of crossings, the marks of one side are at other crossings.
            if isEven == isOdd { mark(0, crossing.place) }
            if !isEven { mark(last, crossing.place) }
        }
        for (index, crossing) in crossings.enumerated() {
            let isEven = index % 2 == 0
            if isEven == isOdd { mark(last - crossing.place, last) }
            if !isEven { mark(last - crossing.place, 0) }
        }
        for (row, down) in crossings.enumerated() {
            for (column, across) in crossings.enumerated() where (row + column) % 2 == 0 && row + column > 0 {
                let (x, y) = (last - across.place, down.place)
                // From the crossing to the left and down.
                for step in 0...max(0, across.step) {
                    set(x - step, y, .dark)
                    set(x - step - 1, y + 1, .light)
                }
                for step in 1..<max(1, down.step) {
                    set(x, y + step, .dark)
                    set(x - 1, y + step + 1, .light)
                }
            }
        }
    }
}
