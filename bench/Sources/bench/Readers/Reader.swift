internal import BenchCore

/// A reader that is measured: Quietzone or a peer, as a library call or as a whole process.
protocol Reader: AnyObject {
    /// What the reports call it.
    var name: String { get }
    /// Whether it says where a symbol is; without that, pictures of which only places are known are not scored.
    var namesPlaces: Bool { get }
    /// The rounds that it takes part in: what is known to be slow is content with fewer.
    var mostRounds: Int { get }
    /// Reads a picture from its file to its codes.
    func read(_ picture: WorkPicture) throws -> Answer
}

extension Reader {
    var mostRounds: Int { .max }
}

/// What a reader made of a picture.
struct Answer {
    /// From the file to the codes, in nanoseconds.
    var nanoseconds: UInt64
    /// The part of it that loading took; nil where the reader does not tell.
    var loadNanoseconds: UInt64?
    /// The time for which the reader had a processor; nil where it does not tell.
    var processorNanoseconds: UInt64?
    var symbols: [FoundSymbol]
}
