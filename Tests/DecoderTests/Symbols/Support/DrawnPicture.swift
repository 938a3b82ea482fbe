import BarcodeCore
import Symbols
import TestSupport
import Testing

/// What makes a drawn picture hard to read.
struct Hardship: CustomTestStringConvertible, Sendable {
    var label: String
    /// Nil for what the test takes.
    var modulePixels: Double?
    var change: @Sendable (inout SymbolRenderer) -> Void = { _ in }
    var testDescription: String { label }
}

/// What was read in a drawn picture, and held against what was drawn.
struct DrawnReading {
    var bytes: [UInt8]
    var corners: Quadrilateral
    var isInverted: Bool
    var isMirrored: Bool

    /// The first place of a picture that can be read; nil where there are none.
    ///
    /// - Throws: what the last place failed with, if all did.
    static func first<Places: Sequence, Value>(
        of places: Places, read: (Places.Element) throws -> Value
    ) throws -> Value? {
        var failure: (any Error)?
        for place in places {
            do { return try read(place) } catch { failure = error }
        }
        if let failure { throw failure }
        return nil
    }

    /// Finds and reads a picture, and holds message, polarity and place against what was drawn.
    ///
    /// - Parameters:
    ///   - read: finds the symbol and reads it; nil where it sees none.
    ///   - distance: pixels between the corners found and those drawn.
    ///   - tolerance: modules of this distance that are allowed, beside what the symbol is bent by.
    static func check(
        _ renderer: SymbolRenderer, _ fixture: MatrixFixture, isInverted: Bool, _ label: String, tolerance: Double,
        distance: (Quadrilateral, Quadrilateral) -> Double = { $0.distance(to: $1) },
        read: (LumaImage) throws -> DrawnReading?
    ) {
        let label = "\(fixture.name), \(label)"
        let picture = isInverted ? renderer.image().inverted() : renderer.image()
        do {
            let reading = try #require(try read(picture), "no symbol is seen: \(label)")
            #expect(reading.bytes == fixture.bytes, "\(label)")
            #expect(reading.isInverted == isInverted && reading.isMirrored == renderer.isMirrored, "\(label)")
            // A plane has its corners where those of a bent symbol are, but for the bend.
            let allowed = max(1.5, tolerance * renderer.modulePixels) + renderer.bend * renderer.modulePixels
            #expect(distance(reading.corners, renderer.corners) < allowed, "\(label)")
        } catch {
            Issue.record("\(label): \(error)")
        }
    }
}
