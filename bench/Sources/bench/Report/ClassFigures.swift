/// The figures of one class of pictures, by reader.
struct ClassFigures {
    /// The name of the class.
    var name: String
    /// The results on the pictures of the class, by reader.
    private var pictures: [String: [Results.PictureResult]]

    /// Returns the classes of a run: sets in the order of measurement, and in each the frequent classes first.
    static func all(_ results: Results) -> [ClassFigures] {
        let members = results.pictures.filter { $0.kind != nil && $0.set != "sizes" }
        return unique(members.map(\.set)).flatMap { set in
            let part = members.filter { $0.set == set }
            return unique(part.compactMap(\.kind)).map { name in
                ClassFigures(name: name, pictures: Dictionary(grouping: part.filter { $0.kind == name }, by: \.reader))
            }.sorted { PictureClass.rank($0.name) < PictureClass.rank($1.name) }
        }
    }

    /// Returns the classes of the corpus if it was measured, because it says more than rendered pictures.
    static func shown(_ results: Results) -> [ClassFigures] {
        let corpus = Set(results.pictures.filter { $0.set.hasPrefix("corpus/") }.compactMap(\.kind))
        let classes = all(results)
        return corpus.isEmpty ? classes : classes.filter { corpus.contains($0.name) }
    }

    /// Returns the union of several classes.
    static func sum(_ classes: [ClassFigures], name: String) -> ClassFigures {
        ClassFigures(
            name: name, pictures: classes.reduce(into: [:]) { $0.merge($1.pictures) { $0 + $1 } })
    }

    /// Returns the number of a reader's pictures.
    func count(_ reader: String = "quietzone") -> Int { pictures[reader]?.count ?? 0 }

    /// Returns the score of a reader; `nil` if the truth is not known.
    func score(_ reader: String) -> Score? {
        let scores = pictures[reader]?.compactMap(\.score) ?? []
        guard !scores.isEmpty else { return nil }
        return scores.reduce(into: Score()) { $0.add($1) }
    }

    /// Returns the decode times of a reader, by picture, in milliseconds.
    func decode(_ reader: String) -> [Double] { pictures[reader]?.compactMap(\.decode) ?? [] }

    /// Returns the median decode time; `nil` if the reader does not report it.
    func median(_ reader: String) -> Double? { Spread.median(decode(reader)) }

    /// Returns the mean decode time; `nil` if the reader does not report it.
    func mean(_ reader: String) -> Double? {
        let times = decode(reader)
        return times.isEmpty ? nil : times.reduce(0, +) / Double(times.count)
    }

    /// Returns the ratio of one reader's median to another's.
    func ratio(_ reader: String, to peer: String) -> Double? {
        median(reader).flatMap { one in median(peer).flatMap { $0 > 0 ? one / $0 : nil } }
    }

    /// Returns the readers with known decode times; Quietzone's efforts come first, the fastest leading.
    static func readers(_ results: Results) -> [String] {
        let known = unique(results.pictures.filter { $0.decode != nil }.map(\.reader))
        return efforts.filter(known.contains) + known.filter { !efforts.contains($0) }
    }

    /// Quietzone's efforts, the fastest first.
    static let efforts = ["quietzone-fast", "quietzone", "quietzone-thorough"]

    /// Returns the processor time in seconds, by reader, to load and decode all pictures of the sets with shown
    /// classes.
    ///
    /// Readers with an unknown time are left out.
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
