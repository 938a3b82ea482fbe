import BarcodeCore
import Symbols
import TestSupport
import Testing

/// A condition that makes a rendered picture hard to read.
struct Hardship: CustomTestStringConvertible, Sendable {
    var label: String
    /// The pixels per module; `nil` for the test's default.
    var modulePixels: Double?
    var change: @Sendable (inout SymbolRenderer) -> Void = { _ in }
    var testDescription: String { label }
}

/// The decoded result of a rendered picture, for comparison.
struct DrawnReading {
    var bytes: [UInt8]
    var corners: Quadrilateral
    var isInverted: Bool
    var isMirrored: Bool

    /// Returns the result of the first candidate that can be read; `nil` if there are no candidates.
    ///
    /// - Throws: the last candidate's error, if all failed.
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

    /// Locates and decodes a picture, and compares the message, polarity and location with those rendered.
    ///
    /// - Parameters:
    ///   - read: locates and decodes the symbol; `nil` if it finds none.
    ///   - distance: the distance between the corners found and the true ones, in pixels.
    ///   - tolerance: the permitted distance in modules, in addition to the bend of the symbol.
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
            // The fitted plane has the corners of the bent symbol, except for the bend.
            let allowed = max(1.5, tolerance * renderer.modulePixels) + renderer.bend * renderer.modulePixels
            #expect(distance(reading.corners, renderer.corners) < allowed, "\(label)")
        } catch {
            Issue.record("\(label): \(error)")
        }
    }
}
