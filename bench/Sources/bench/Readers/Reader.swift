/// A measured reader: Quietzone or another one, as a library call or as a whole process.
protocol Reader: AnyObject {
    /// The name in reports.
    var name: String { get }
    /// Indicates whether it reports the location of a symbol; otherwise pictures with known outlines only are not
    /// scored.
    var namesPlaces: Bool { get }
    /// The maximum number of rounds; a slow reader takes part in fewer.
    var mostRounds: Int { get }
    /// Reads a picture, from file to codes.
    func read(_ picture: WorkPicture) throws -> Answer
}

extension Reader {
    var mostRounds: Int { .max }
}

/// The result of a reader for a picture.
struct Answer {
    /// The time from file to codes, in nanoseconds.
    var nanoseconds: UInt64
    /// The time to load the picture, in nanoseconds; `nil` if the reader does not report it.
    var loadNanoseconds: UInt64?
    /// The processor time, in nanoseconds; `nil` if the reader does not report it.
    var processorNanoseconds: UInt64?
    var symbols: [FoundSymbol]
}
