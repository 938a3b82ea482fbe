import BarcodeCore
import Testing

/// Corners and derived geometry.
@Suite(.timeLimit(.minutes(10))) struct GeometryTests {
    /// Returns a square of 10 pixels with its top left at (5, 5), rotated clockwise around its center by quarter
    /// turns.
    static func square(turned quarters: Int) -> Quadrilateral {
        let points = [Point(x: 5, y: 5), Point(x: 15, y: 5), Point(x: 15, y: 15), Point(x: 5, y: 15)]
        return Quadrilateral(
            topLeft: points[quarters % 4], topRight: points[(quarters + 1) % 4],
            bottomRight: points[(quarters + 2) % 4], bottomLeft: points[(quarters + 3) % 4])
    }

    @Test(arguments: [(0, 0.0), (1, 90), (2, 180), (3, 270)]) func orientation(_ quarters: Int, _ degrees: Double) {
        let square = Self.square(turned: quarters)
        #expect(square.orientation == degrees)
        #expect(square.center == Point(x: 10, y: 10))
        #expect(square.boundingBox == Rectangle(x: 5, y: 5, width: 10, height: 10))
        #expect(square.points == [square.topLeft, square.topRight, square.bottomRight, square.bottomLeft])
    }

    @Test(arguments: [
        ("inside", Point(x: 10, y: 10), true), ("near a corner", Point(x: 5.1, y: 5.1), true),
        ("left", Point(x: 4, y: 10), false), ("right", Point(x: 16, y: 10), false),
        ("above", Point(x: 10, y: 4), false),
        ("below", Point(x: 10, y: 16), false), ("level with an edge", Point(x: 0, y: 5), false),
    ])
    func contains(_ label: String, _ point: Point, _ isInside: Bool) {
        for quarters in 0..<4 { #expect(Self.square(turned: quarters).contains(point) == isInside, "\(label)") }
        #expect(Self.square(turned: 0).boundingBox.contains(point) == isInside)
    }

    @Test func aBoxHoldsItsEdge() {
        let box = Rectangle(x: 1, y: 2, width: 3, height: 4)
        #expect(box.contains(Point(x: 1, y: 2)) && box.contains(Point(x: 4, y: 6)))
        #expect(!box.contains(Point(x: 4.01, y: 6)))
    }

    @Test("The image of a square lies in the box of its corners, unless the horizon crosses the square")
    func bounds() throws {
        let tilted = Quadrilateral(
            topLeft: Point(x: 40, y: 30), topRight: Point(x: 90, y: 42), bottomRight: Point(x: 130, y: 160),
            bottomLeft: Point(x: 10, y: 120))
        let map = try #require(Homography(unitSquareTo: tilted))
        let box = try #require(map.bounds(x: 0.4, y: 0.6, reach: 0.3))
        for row in -6...6 {
            for column in -6...6 {
                let point = map.map(0.4 + 0.05 * Double(column), 0.6 + 0.05 * Double(row))
                #expect(box.x.lowerBound - 1e-9 <= point.x && point.x <= box.x.upperBound + 1e-9)
                #expect(box.y.lowerBound - 1e-9 <= point.y && point.y <= box.y.upperBound + 1e-9)
            }
        }
        #expect(map.bounds(x: 0.5, y: 0.5, reach: 100) == nil)
        #expect(map.bounds(x: .nan, y: 0.5, reach: 1) == nil)
    }

    @Test func scaled() {
        let large = Self.square(turned: 1).scaled(by: 4)
        #expect(large.boundingBox == Rectangle(x: 20, y: 20, width: 40, height: 40))
        #expect(large.orientation == 90)
    }

    @Test func aPointIsAQuadrilateralToo() {
        let point = Point(x: 3, y: 4)
        let flat = Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
        #expect(flat.boundingBox == Rectangle(x: 3, y: 4, width: 0, height: 0))
        #expect(flat.orientation == 0)
        #expect(!flat.contains(point))
    }
}
