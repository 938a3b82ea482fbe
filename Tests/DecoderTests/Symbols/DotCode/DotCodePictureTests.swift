import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Finding and reading DotCode symbols in pictures")
struct DotCodePictureTests {
    static let fixtures: [MatrixFixture] = ["8 of digits", "13 of letters", "40 of bytes", "20 columns"].compactMap {
        name in
        MatrixFixture.dotCode.first { $0.name == name }
    }

    /// The shape of the dots: each cell has five by five parts, of which a dot fills some.
    enum Dots: String, CaseIterable, Sendable {
        case small, round, touching

        func isDark(_ x: Int, _ y: Int) -> Bool {
            switch self {
            case .small: (1...3).contains(x) && (1...3).contains(y)
            case .round: abs(x - 2) + abs(y - 2) < 4 && !(x % 4 == 0 && y % 4 == 0)
            case .touching: true
            }
        }
    }

    static func renderer(
        _ fixture: MatrixFixture, _ dots: Dots, modulePixels: Double, degrees: Double, isMirrored: Bool = false
    ) -> SymbolRenderer {
        var grid = ModuleGrid(width: 5 * fixture.grid.width, height: 5 * fixture.grid.height)
        for y in 0..<grid.height {
            for x in 0..<grid.width { grid[x, y] = fixture.grid[x / 5, y / 5] && dots.isDark(x % 5, y % 5) }
        }
        var renderer = SymbolRenderer(
            grid, modulePixels: modulePixels / 5, degrees: degrees, isMirrored: isMirrored)
        renderer.quietZone = (15, 15)
        renderer.noise = 8
        return renderer
    }

    static func read(_ picture: LumaImage) throws -> DotCodeReading? {
        let binary = BinaryImage(picture)
        let kinds = [(false, false), (true, false), (false, true), (true, true)]
        let places = kinds.lazy.flatMap { isLight, touches in
            DotLocator(binary, isLight: isLight, coresOf: touches ? picture : nil).lattices.map { (isLight, $0) }
        }
        return try DrawnReading.first(of: places) { isLight, lattice in
            try DotCodeReader().read(
                picture, map: lattice.map, columns: lattice.columns, rows: lattice.rows, isInverted: isLight)
        }
    }

    static func check(
        _ renderer: SymbolRenderer, _ fixture: MatrixFixture, isInverted: Bool = false, _ label: String
    ) {
        DrawnReading.check(
            renderer, fixture, isInverted: isInverted, label, tolerance: 2.5, distance: greatestDistance
        ) { picture in
            try read(picture).map {
                DrawnReading(
                    bytes: $0.message.bytes, corners: $0.corners, isInverted: $0.isInverted,
                    isMirrored: $0.message.isMirrored)
            }
        }
    }

    /// Returns the largest distance in pixels from a true corner to the nearest one found.
    ///
    /// The corners found may be those of any rotation of the symbol.
    static func greatestDistance(_ found: Quadrilateral, _ drawn: Quadrilateral) -> Double {
        let distances = drawn.points.map { corner in
            found.points.map { point in
                let (x, y) = (point.x - corner.x, point.y - corner.y)
                return (x * x + y * y).squareRoot()
            }.min() ?? .infinity
        }
        return distances.max() ?? .infinity
    }

    @Test("The fixtures have several sizes")
    func fixturesAreThere() { #expect(Self.fixtures.count == 4) }

    @Test("Dots of three sizes are read at several angles", arguments: fixtures, Dots.allCases)
    func angles(_ fixture: MatrixFixture, _ dots: Dots) {
        for (degrees, modulePixels) in [(0.0, 4.0), (90, 5), (180, 4), (270, 6), (17, 5), (45, 4)] {
            let renderer = Self.renderer(fixture, dots, modulePixels: modulePixels, degrees: degrees)
            Self.check(renderer, fixture, "\(dots) dots of \(modulePixels) pixels at \(degrees) degrees")
        }
    }

    @Test("Mirrored and inverted symbols are recognized", arguments: [false, true], [false, true])
    func mirrored(isMirrored: Bool, isInverted: Bool) {
        for degrees in [0.0, 50] {
            let renderer = Self.renderer(
                Self.fixtures[1], .round, modulePixels: 5, degrees: degrees, isMirrored: isMirrored)
            Self.check(renderer, Self.fixtures[1], isInverted: isInverted, "\(degrees) degrees")
        }
    }

    @Test("Tilted, bent and blurred symbols are read", arguments: fixtures)
    func bad(_ fixture: MatrixFixture) {
        let plain = Self.renderer(fixture, .round, modulePixels: 6, degrees: 12)
        var renderer = plain
        renderer.tilt = 25
        Self.check(renderer, fixture, "tilted by 25 degrees")
        renderer = plain
        renderer.bend = 2.5
        Self.check(renderer, fixture, "bent by half a place")
        renderer = plain
        renderer.blur = 1.25
        Self.check(renderer, fixture, "blurred by a quarter of a place")
    }

    @Test("Lines of print and halftones are not symbols")
    func negatives() throws {
        for seed in 0..<8 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var grid = ModuleGrid(width: 100, height: 100)
            for y in 0..<20 {
                for x in 0..<20 where (x + y) % 2 == 0 && Bool.random(using: &random) {
                    for piece in 0..<9 { grid[5 * x + 1 + piece % 3, 5 * y + 1 + piece / 3] = true }
                }
            }
            let picture = SymbolRenderer(grid, modulePixels: 1, degrees: 0).image()
            #expect((try? Self.read(picture)) == nil, "seed \(seed)")
        }
    }
}
