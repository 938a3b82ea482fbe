internal import BarcodeCore
internal import Glibc

/// The number of failed candidates in one pyramid level after which the search ends.
enum FailureLimit {
    case total(Int)
    /// The number of consecutive failures.
    case inARow(Int)

    fileprivate var count: Int {
        switch self {
        case .total(let count), .inARow(let count): count
        }
    }
}

/// A symbol decoded at a candidate, in pixels of the image from which it was read.
struct CandidateReading {
    var symbol: Symbol
    /// A description for readers of `--explain`.
    var sentence: String
}

/// A candidate that was not decoded.
struct CandidateFailure<Candidate> {
    var candidate: Candidate
    /// The pyramid level from which it was read, and the size of that level relative to the one in which it was
    /// found.
    var level: Int
    var factor: Double
    var error: MatrixDecodeFailure
    /// True if it counts against the limit and is reported.
    var counts = true
}

extension SearchState {
    /// Reads matrix symbols at candidates found at 1/2^`level` of the image size, and adds them.
    ///
    /// - Parameters:
    ///   - candidates: the candidates.
    ///   - level: the pyramid level in which they were found.
    ///   - limit: the limit of failures.
    ///   - smallestModule: the module size in pixels below which a symbol is read in a larger level, if there is
    ///     one; `nil` to read it in the same level.
    ///   - outline: returns the corners and the module size of a candidate, in pixels of the level in which it was
    ///     found.
    ///   - isOpen: indicates whether to try a candidate.
    ///   - isTaken: indicates whether a decoded symbol contains a point of the full image; by default a matrix
    ///     symbol.
    ///   - picture: returns the image of a level; by default that of the state.
    ///   - read: reads a candidate in an image that is `factor` times as large as the one in which it was found.
    ///   - failed: is called for each failed candidate, and may exempt it from the limit.
    mutating func readCandidates<Candidate>(
        _ candidates: some Sequence<Candidate>, atLevel level: Int, limit: FailureLimit, smallestModule: Double? = 3,
        outline: (Candidate) -> (corners: Quadrilateral, module: Double),
        isOpen: (Candidate) -> Bool = { _ in true },
        isTaken: (FoundSymbols, Point) -> Bool = { $0.hasMatrixSymbol(at: $1) },
        picture: (inout SearchState, Int) -> LumaImage = { $0.image(atLevel: $1) },
        read: (LumaImage, Candidate, _ factor: Double) throws(MatrixDecodeFailure) -> CandidateReading,
        failed: (inout SearchState, inout CandidateFailure<Candidate>) -> Void = { _, _ in }
    ) {
        var failures = 0
        for candidate in candidates where failures < limit.count {
            guard isWorthwhile() else { return }
            let (corners, module) = outline(candidate)
            let seen = corners.scaled(by: exp2(Double(level)))
            guard isOpen(candidate), !isTaken(found, seen.center) else { continue }
            var readingLevel = level
            if let smallestModule {
                while readingLevel > 0, module * exp2(Double(level - readingLevel)) < smallestModule {
                    readingLevel -= 1
                }
            }
            let factor = exp2(Double(level - readingLevel))
            do throws(MatrixDecodeFailure) {
                let reading = try read(picture(&self, readingLevel), candidate, factor)
                var symbol = reading.symbol
                symbol.corners = symbol.corners.scaled(by: exp2(Double(readingLevel)))
                trace?(.matrixCandidate(symbol.corners, wasRead: true, sentence: reading.sentence))
                if !isTaken(found, symbol.corners.center) { found.add(symbol) }
                if case .inARow = limit { failures = 0 }
            } catch {
                noteUnread(seen, module: module * exp2(Double(level)), error)
                var failure = CandidateFailure(candidate: candidate, level: readingLevel, factor: factor, error: error)
                failed(&self, &failure)
                guard failure.counts else { continue }
                failures += 1
                trace?(.matrixCandidate(seen, wasRead: false, sentence: "\(error)"))
            }
        }
    }
}
