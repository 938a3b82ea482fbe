import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@testable import Symbols

/// Pictures that were stretched in one direction, as programs do that make all pictures square.
@Suite("Stretched pictures")
struct StretchTests {
    @Test("A symbol is read", arguments: MatrixCase.all, [1.3, 1.6, 2, 2.5, 3, 3.5])
    func isRead(_ test: MatrixCase, ratio: Double) throws {
        let grid = try test.grid()
        let (short, margin) = (Double(grid.width) * 4, 40.0)
        for (width, height) in [(short, short * ratio), (short * ratio, short)] {
            let corners = Quadrilateral(
                topLeft: Point(x: margin, y: margin), topRight: Point(x: margin + width, y: margin),
                bottomRight: Point(x: margin + width, y: margin + height),
                bottomLeft: Point(x: margin, y: margin + height))
            let image = SymbolRenderer(
                grid, corners: corners, width: Int(width + 2 * margin), height: Int(height + 2 * margin)
            ).image()
            #expect(try BarcodeDecoder().decode(image).map(\.bytes) == [try test.bytes()], "\(width) by \(height)")
        }
    }
}
