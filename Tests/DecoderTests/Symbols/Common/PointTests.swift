import BarcodeCore
import Testing

@testable import Symbols

@Suite struct PointTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var point: Point
        var isInside: Bool

        init(_ label: String, _ x: Double, _ y: Double, _ isInside: Bool) {
            (testDescription, point, self.isInside) = (label, Point(x: x, y: y), isInside)
        }
    }

    @Test(arguments: [
        Case("the upper left corner", 0, 0, true),
        Case("in the last pixel", 3.999, 1.999, true),
        Case("the right edge", 4, 1, false),
        Case("the lower edge", 1, 2, false),
        Case("left of the image", -0.001, 1, false),
        Case("above the image", 1, -0.001, false),
        Case("not a number", .nan, 1, false),
        Case("infinite", 1, .infinity, false),
    ])
    func isInsideAnImageOf4By2Pixels(_ row: Case) {
        #expect(row.point.isInside(width: 4, height: 2) == row.isInside)
    }
}
