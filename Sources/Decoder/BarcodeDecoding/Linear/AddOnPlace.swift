internal import BarcodeCore

/// The place of an EAN or UPC symbol in a picture, with that to its right where an add-on would stand.
struct AddOnPlace {
    /// The symbol and what is beside it, an upright rectangle of the picture.
    let x: Range<Int>
    let y: Range<Int>
    /// Whether the symbol's lines run along rows, and whether along columns; both for a slanted one.
    let isAlongRows: Bool
    let isAlongColumns: Bool
    /// Whether paper and no more bars follow where an add-on of two digits ends: zbar takes the first bars of a longer
    /// one for one of two digits, also where the edge of the picture cuts it.
    let endsEarly: Bool

    /// Modules between a symbol and its add-on at least, and from there to the end of the shorter kind (ISO/IEC 15420,
    /// 4.5): 7 to 12 of paper, then 20.
    private static let nearest = 5.0
    private static let end = 34.0
    /// Modules from a symbol to the end of the longest add-on and its quiet zone: 12, 47 and 5.
    private static let farthest = 66.0
    /// Modules within which an add-on begins, how long that of two digits is, and by how much longer that of five.
    private static let beginning = nearest...16
    private static let shortLength = 20.0
    private static let furtherLength = 20.0
    /// Modules of paper that must be in the picture behind an add-on of two digits: a longer one has its next bar within
    /// two.
    private static let leastPaper = 1.5
    /// Modules from one sample of a row to the next.
    private static let step = 0.25
    /// Changes between dark and light that an add-on of two digits has 13 of.
    private static let fewestChanges = 8
    /// The share of the symbol's contrast that a change must have.
    private static let contrast: Float = 0.3

    /// Nil where nothing in the picture looks like an add-on.
    init?(of symbol: Symbol, in image: LumaImage, scale: Double) {
        let corners = symbol.corners.scaled(by: 1 / scale)
        guard let modules = symbol.symbology.traits.retailBars.map({ Double($0.modules) }) else { return nil }
        let across = Point(
            x: (corners.topRight.x - corners.topLeft.x) / modules, y: (corners.topRight.y - corners.topLeft.y) / modules
        )
        let down = Point(
            x: corners.bottomLeft.x - corners.topLeft.x, y: corners.bottomLeft.y - corners.topLeft.y)
        func point(_ column: Double, _ row: Double) -> Point {
            Point(
                x: corners.topLeft.x + column * across.x + row * down.x,
                y: corners.topLeft.y + column * across.y + row * down.y)
        }
        func samples(_ row: Double, _ from: Double, _ to: Double) -> [Float] {
            stride(from: from, to: to, by: Self.step).compactMap { column in
                let place = point(column, row)
                guard place.x >= 0, place.y >= 0, place.x < Double(image.width), place.y < Double(image.height) else {
                    return nil
                }
                return Float(image[x: Int(place.x), y: Int(place.y)])
            }
        }
        func changes(_ row: Double, _ from: Double, _ to: Double) -> Int {
            let own = samples(row, 0, modules)
            guard let dark = own.min(), let light = own.max() else { return 0 }
            let swing = max(6, (Self.contrast * (light - dark)).rounded(.down))
            return samples(row, modules + from, modules + to).turns(swing: swing)
        }
        let rows = [0.3, 0.5, 0.7, 0.9]
        guard rows.contains(where: { changes($0, Self.nearest, Self.end) >= Self.fewestChanges }) else { return nil }
        let endings = rows.compactMap { row -> Bool? in
            let own = samples(row, 0, modules)
            guard let dark = own.min(), let light = own.max() else { return nil }
            let before = samples(row, modules + Self.beginning.lowerBound, modules + Self.beginning.upperBound)
            guard let first = before.firstIndex(where: { 2 * $0 < dark + light }) else { return nil }
            let end = Self.beginning.lowerBound + Double(first) * Self.step + Self.shortLength
            let visible = Double(samples(row, modules + end, modules + end + Self.furtherLength).count) * Self.step
            let allowed = max(1, Int(Double(Self.fewestChanges) * visible / Self.furtherLength))
            return visible >= Self.leastPaper && changes(row, end, end + Self.furtherLength) < allowed
        }
        endsEarly = !endings.isEmpty && endings.allSatisfy { $0 }
        let ends = [-10, modules + Self.farthest].flatMap { [point($0, 0), point($0, 1)] }
        func range(_ values: [Double], _ limit: Int) -> Range<Int> {
            let first = min(max(values.min() ?? 0, 0), Double(limit))
            let last = min(max(values.max() ?? 0, first), Double(limit))
            return Int(first)..<Int(last.rounded(.up))
        }
        x = range(ends.map(\.x), image.width)
        y = range(ends.map(\.y), image.height)
        // Bars may be crossed at an angle of up to 60 degrees.
        isAlongRows = abs(across.x) > 0.5 * abs(across.y)
        isAlongColumns = abs(across.y) > 0.5 * abs(across.x)
    }
}
