import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Finding and reading Han Xin symbols in pictures")
struct HanXinPictureTests {
    static let fixtures: [MatrixFixture] = [1, 3, 4, 8, 11, 15, 30, 47, 84].compactMap { version in
        MatrixFixture.hanXin.first { $0.name.hasPrefix("\(version)-") }
    }

    static func read(_ picture: LumaImage) throws -> HanXinReading? {
        let step = picture.pixelCount > 300_000 ? 4 : 2
        let patterns = PDF417Locator(BinaryImage(picture), step: step, withCorners: true).cornerPatterns
        return try DrawnReading.first(of: HanXinLocator(patterns).candidates) { place in
            try HanXinReader().read(picture, cores: place.cores, size: place.size, isInverted: place.isInverted)
        }
    }

    static func check(
        _ renderer: SymbolRenderer, _ fixture: MatrixFixture, isInverted: Bool = false, _ label: String
    ) {
        DrawnReading.check(renderer, fixture, isInverted: isInverted, label, tolerance: 0.5) { picture in
            try read(picture).map {
                DrawnReading(
                    bytes: $0.message.bytes, corners: $0.corners, isInverted: $0.isInverted,
                    isMirrored: $0.message.isMirrored)
            }
        }
    }

    @Test("Symbols of all sizes are read at four angles", arguments: fixtures)
    func sizes(_ fixture: MatrixFixture) {
        for degrees in [0.0, 94, 187, 301] {
            Self.check(SymbolRenderer(fixture.grid, modulePixels: 3, degrees: degrees), fixture, "\(degrees) degrees")
        }
    }

    @Test("A symbol is read at every angle", arguments: Array(stride(from: 0.0, to: 360, by: 15)))
    func angles(degrees: Double) {
        let fixture = Self.fixtures[Int(degrees / 15) % 6]
        var renderer = SymbolRenderer(fixture.grid, modulePixels: 4, degrees: degrees)
        renderer.noise = 20
        renderer.seed = UInt64(degrees)
        Self.check(renderer, fixture, "\(degrees) degrees")
    }

    @Test("Mirrored and inverted symbols are recognized", arguments: [false, true], [false, true])
    func mirrored(isMirrored: Bool, isInverted: Bool) {
        for degrees in [0.0, 50] {
            let renderer = SymbolRenderer(
                Self.fixtures[2].grid, modulePixels: 5, degrees: degrees, isMirrored: isMirrored)
            Self.check(renderer, Self.fixtures[2], isInverted: isInverted, "\(degrees) degrees")
        }
    }

    static let hardships: [Hardship] = [
        Hardship(label: "strong noise") { $0.noise = 40 },
        Hardship(label: "little contrast") {
            $0.dark = 70
            $0.light = 160
            $0.noise = 4
        },
        Hardship(label: "blur of four tenths of a module") { $0.blur = 0.4 },
        Hardship(label: "small", modulePixels: 2) { $0.noise = 10 },
        Hardship(label: "tilted by 25 degrees") { $0.tilt = 25 },
        Hardship(label: "bent by half a module") { $0.bend = 0.5 },
    ]

    @Test("Degraded pictures are read", arguments: hardships, [0.0, 21])
    func badPictures(_ hardship: Hardship, degrees: Double) {
        for fixture in [Self.fixtures[1], Self.fixtures[4]] {
            var renderer = SymbolRenderer(fixture.grid, modulePixels: hardship.modulePixels ?? 5, degrees: degrees)
            hardship.change(&renderer)
            Self.check(renderer, fixture, "\(hardship.label), \(degrees) degrees")
        }
    }
}
