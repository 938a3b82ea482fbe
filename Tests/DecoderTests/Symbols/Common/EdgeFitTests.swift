import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Fit of the plane to edges")
struct EdgeFitTests {
    @Test("A map that is off by half a module is corrected to a quarter", arguments: [1, 4, 7], [false, true])
    func refined(version: Int, isInverted: Bool) throws {
        let grid = try QRPictureTests.symbol(version: version)
        var renderer = SymbolRenderer(grid, modulePixels: 4, degrees: 20)
        renderer.tilt = 30
        renderer.noise = 15
        let picture = isInverted ? renderer.image().inverted() : renderer.image()
        for seed in 0..<4 as Range<UInt64> {
            let rough = try #require(
                Homography(size: grid.size, to: renderer.corners(offBy: 0.4, seed: seed)))
            let refined = try picture.withUnsafePixels { buffer in
                let pixels = try #require(PixelSampler(buffer, of: picture))
                return EdgeFit(pixels, grid: grid, isInverted: isInverted).refined(rough)
            }
            let corners = refined.quadrilateral(side: Double(grid.size))
            #expect(corners.distance(to: renderer.corners) < 0.25 * renderer.modulePixels, "seed \(seed)")
        }
    }

    @Test("A map without edges is unchanged")
    func nothingToSee() throws {
        let grid = try QRPictureTests.symbol(version: 2)
        let picture = LumaImage(width: 200, height: 200, pixels: [UInt8](repeating: 99, count: 40_000))
        let map = try #require(Homography(size: grid.size, to: SymbolRenderer(grid, modulePixels: 4).corners))
        let refined = try picture.withUnsafePixels { buffer in
            let pixels = try #require(PixelSampler(buffer, of: picture))
            return EdgeFit(pixels, grid: grid, isInverted: false).refined(map)
        }
        #expect(refined == map)
    }
}
