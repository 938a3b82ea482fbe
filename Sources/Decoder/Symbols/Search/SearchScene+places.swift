internal import BarcodeCore
internal import Glibc

/// The number of places in one size of a picture that are tried in vain before the rest is given up.
enum FailureLimit {
    case total(Int)
    /// So many one after the other.
    case inARow(Int)

    fileprivate var count: Int {
        switch self {
        case .total(let count), .inARow(let count): count
        }
    }
}

/// A symbol that was read at a place, in pixels of the picture in which it was read.
struct PlaceReading {
    var symbol: Symbol
    /// The description for people who read `--explain`.
    var sentence: String
}

/// A place at which nothing was read.
struct PlaceFailure<Place> {
    var place: Place
    /// The size of the picture in which it was looked at, and the pixels of that by one of the size in which it was seen.
    var level: Int
    var factor: Double
    var error: MatrixDecodeFailure
    /// Indicates that it counts against the limit and is reported.
    var counts = true
}

extension SearchScene {
    /// Reads the matrix symbols at places that were seen in the picture at 1/2^`level` of its size, and adds them.
    ///
    /// - Parameters:
    ///   - limit: places that are tried in vain.
    ///   - smallestModule: pixels a module below which a symbol is read in the next larger picture, where there is one;
    ///     `nil`: it is read where it was seen.
    ///   - outline: corners of a place and pixels a module, in the picture in which it was seen.
    ///   - isOpen: indicates whether a place is worth trying.
    ///   - isTaken: indicates whether a symbol was read where a point of the full picture lies: a matrix symbol by default.
    ///   - picture: a picture of some level to read from; the scene's own by default.
    ///   - read: reads a place in a picture of which so many pixels are one of the picture in which the place was seen.
    ///   - failed: hears of each place at which nothing was read, and may decide that it does not count.
    mutating func readPlaces<Place>(
        _ places: some Sequence<Place>, atLevel level: Int, limit: FailureLimit, smallestModule: Double? = 3,
        outline: (Place) -> (corners: Quadrilateral, module: Double),
        isOpen: (Place) -> Bool = { _ in true },
        isTaken: (FoundSymbols, Point) -> Bool = { $0.hasMatrixSymbol(at: $1) },
        picture: (inout SearchScene, Int) -> LumaImage = { $0.image(atLevel: $1) },
        read: (LumaImage, Place, _ factor: Double) throws(MatrixDecodeFailure) -> PlaceReading,
        failed: (inout SearchScene, inout PlaceFailure<Place>) -> Void = { _, _ in }
    ) {
        var failures = 0
        for place in places where failures < limit.count {
            guard isWorthwhile() else { return }
            let (corners, module) = outline(place)
            let seen = corners.scaled(by: exp2(Double(level)))
            guard isOpen(place), !isTaken(found, seen.center) else { continue }
            var readingLevel = level
            if let smallestModule {
                while readingLevel > 0, module * exp2(Double(level - readingLevel)) < smallestModule {
                    readingLevel -= 1
                }
            }
            let factor = exp2(Double(level - readingLevel))
            do throws(MatrixDecodeFailure) {
                let reading = try read(picture(&self, readingLevel), place, factor)
                var symbol = reading.symbol
                symbol.corners = symbol.corners.scaled(by: exp2(Double(readingLevel)))
                trace?(.matrixPlace(symbol.corners, wasRead: true, sentence: reading.sentence))
                if !isTaken(found, symbol.corners.center) { found.add(symbol) }
                if case .inARow = limit { failures = 0 }
            } catch {
                var failure = PlaceFailure(place: place, level: readingLevel, factor: factor, error: error)
                failed(&self, &failure)
                guard failure.counts else { continue }
                failures += 1
                trace?(.matrixPlace(seen, wasRead: false, sentence: "\(error)"))
            }
        }
    }
}
