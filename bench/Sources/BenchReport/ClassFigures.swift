internal import BenchCore

/// The figures of one class of pictures, reader by reader.
struct ClassFigures {
    /// What the class is called.
    var name: String
    /// By reader, every picture of the class.
    private var pictures: [String: [Results.PictureResult]]

    /// The classes of a run: sets in the order in which they were measured, in each the frequent classes first.
    static func all(_ results: Results) -> [ClassFigures] {
        let members = results.pictures.filter { $0.kind != nil && $0.set != "sizes" }
        return unique(members.map(\.set)).flatMap { set in
            let part = members.filter { $0.set == set }
            return unique(part.compactMap(\.kind)).map { name in
                ClassFigures(name: name, pictures: Dictionary(grouping: part.filter { $0.kind == name }, by: \.reader))
            }.sorted { PictureClass.rank($0.name) < PictureClass.rank($1.name) }
        }
    }

    /// The classes of the corpus where that was measured, as it says more than what was drawn.
    static func shown(_ results: Results) -> [ClassFigures] {
        let corpus = Set(results.pictures.filter { $0.set.hasPrefix("corpus/") }.compactMap(\.kind))
        let classes = all(results)
        return corpus.isEmpty ? classes : classes.filter { corpus.contains($0.name) }
    }

    /// Several classes as one.
    static func sum(_ classes: [ClassFigures], name: String) -> ClassFigures {
        ClassFigures(
            name: name, pictures: classes.reduce(into: [:]) { $0.merge($1.pictures) { $0 + $1 } })
    }

    /// The pictures that a reader was given.
    func count(_ reader: String = "quietzone") -> Int { pictures[reader]?.count ?? 0 }

    /// What a reader read of what is there; nil where that is not known.
    func score(_ reader: String) -> Score? {
        let scores = pictures[reader]?.compactMap(\.score) ?? []
        guard !scores.isEmpty else { return nil }
        return scores.reduce(into: Score()) { $0.add($1) }
    }

    /// The time of decoding alone, picture by picture.
    func decode(_ reader: String) -> [Double] { pictures[reader]?.compactMap(\.decode) ?? [] }

    /// The middle of it; nil where a reader does not tell.
    func median(_ reader: String) -> Double? { Spread.median(decode(reader)) }

    /// The mean of it.
    func mean(_ reader: String) -> Double? {
        let times = decode(reader)
        return times.isEmpty ? nil : times.reduce(0, +) / Double(times.count)
    }

    /// A reader's median as a multiple of another's.
    func ratio(_ reader: String, to peer: String) -> Double? {
        median(reader).flatMap { one in median(peer).flatMap { $0 > 0 ? one / $0 : nil } }
    }

    /// The readers of which the time of decoding alone is known, Quietzone's efforts from the fastest on first.
    static func readers(_ results: Results) -> [String] {
        let known = unique(results.pictures.filter { $0.decode != nil }.map(\.reader))
        return efforts.filter(known.contains) + known.filter { !efforts.contains($0) }
    }

    /// Quietzone's efforts, from the fastest on.
    static let efforts = ["quietzone-fast", "quietzone", "quietzone-thorough"]

    /// Seconds of the processor for loading and decoding all pictures of the sets that hold classes that are shown, by
    /// reader; nothing of a reader of which one is not known.
    static func processorSeconds(_ results: Results) -> [(reader: String, seconds: Double)] {
        let sets = Set(results.pictures.map(\.set)).filter { $0 != "sizes" }
        let corpus = sets.filter { $0.hasPrefix("corpus/") }
        let chosen = corpus.isEmpty ? sets : corpus
        return readers(results).compactMap { reader in
            let totals = results.readers.filter {
                $0.reader == reader && $0.group == "all" && chosen.contains($0.set)
            }.compactMap { $0.processorTotals.flatMap(Spread.median) }
            return totals.count == chosen.count && !totals.isEmpty ? (reader, totals.reduce(0, +) / 1000) : nil
        }
    }
}
