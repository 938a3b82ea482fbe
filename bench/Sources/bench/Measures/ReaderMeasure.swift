internal import ImageCodecs

/// Every reader on every picture of a set, one reader after the other on the same picture.
///
/// The decode time is the minimum over the rounds, which is the cost of the picture without disturbance.
final class ReaderMeasure: Measure {
    var title: String { "readers on \(set)" }

    private struct Cell {
        var recorder = LatencyRecorder()
        var load: [Double] = []
        /// The time of each round from file to codes, and for decoding alone, in milliseconds.
        var whole: [Double] = []
        var decode: [Double?] = []
        /// The processor time of each round.
        var processor: [Double?] = []
        var score: Score?
    }

    private let set: String
    private let pictures: [WorkPicture]
    private let readers: [any Reader]
    private let megapixels: [Double]
    private let roundCount: Int
    private var floors: [LatencyRecorder]
    /// By picture, then by reader.
    private var cells: [[Cell]]

    /// - Parameter roundCount: the number of rounds to take part in; fewer for a long set.
    init(_ set: String, _ pictures: [WorkPicture], readers: [any Reader], roundCount: Int) throws {
        self.set = set
        self.pictures = pictures
        self.readers = readers
        self.roundCount = roundCount
        megapixels = pictures.map { picture in
            guard let image = try? ImageLoader().load(contentsOf: picture.path) else { return 0 }
            return Double(image.width * image.height) / 1e6
        }
        floors = pictures.map { _ in LatencyRecorder() }
        cells = pictures.map { _ in readers.map { _ in Cell() } }
        // A first read excludes the costs that occur once per process: tables, threads, lazily bound symbols.
        if let first = pictures.first { for reader in readers { _ = try reader.read(first) } }
    }

    func measure(round: Int) throws {
        guard round < roundCount else { return }
        for (index, picture) in pictures.enumerated() {
            // This also loads the file into the page cache before any reader is timed. A damaged file has no floor.
            if (try? Floor.decode(picture.path)) != nil {
                for _ in 0..<3 {
                    let time = try Timing.measure { try Floor.decode(picture.path) }
                    floors[index].record(nanoseconds: time.nanoseconds, processor: time.processor, round: round)
                }
            }
            for place in readers.indices {
                // The order rotates, so that no reader is always first or always after the same one.
                let reader = (place + round + index) % readers.count
                guard round < readers[reader].mostRounds else { continue }
                let answer = try readers[reader].read(picture)
                note(answer, picture: index, reader: reader, round: round)
            }
        }
    }

    private func note(_ answer: Answer, picture: Int, reader: Int, round: Int) {
        let whole = Double(answer.nanoseconds) / 1e6
        let load = answer.loadNanoseconds.map { Double($0) / 1e6 }
        cells[picture][reader].recorder.record(nanoseconds: answer.nanoseconds, round: round)
        cells[picture][reader].whole.append(whole)
        cells[picture][reader].decode.append(load.map { whole - $0 })
        cells[picture][reader].processor.append(answer.processorNanoseconds.map { Double($0) / 1e6 })
        if let load { cells[picture][reader].load.append(load) }
        let truth = pictures[picture].truth
        if case .outlines = truth, !readers[reader].namesPlaces { return }
        cells[picture][reader].score = Score(answer.symbols, against: truth, kind: pictures[picture].kind)
    }

    func report(to results: inout Results) {
        for (index, picture) in pictures.enumerated() {
            results.floors[picture.name] = results.floors[picture.name] ?? floors[index].latency
            for (reader, cell) in zip(readers, cells[index]) {
                guard let middle = Spread.median(cell.whole) else { continue }
                results.pictures.append(
                    Results.PictureResult(
                        reader: reader.name, set: set, picture: picture.name, megapixels: megapixels[index],
                        kind: PictureClass.of(set: set, group: picture.group), milliseconds: middle,
                        decode: cell.decode.compactMap(\.self).min(), score: cell.score))
            }
        }
        let groups = Dictionary(grouping: pictures.indices) { pictures[$0].group }
        for reader in readers.indices {
            add(reader, "all", Array(pictures.indices), to: &results)
            guard groups.count > 1 else { continue }
            for (group, members) in groups.sorted(by: { $0.key < $1.key }) { add(reader, group, members, to: &results) }
        }
        for peer in readers.indices.dropFirst() {
            for (part, times) in [("file_to_codes", \Cell.whole.optional), ("decode", \Cell.decode)] {
                let pairs = cells.flatMap { row in
                    zip(row[0][keyPath: times], row[peer][keyPath: times]).compactMap { first, second in
                        first.flatMap { first in second.map { (first, $0) } }
                    }
                }
                guard let ratio = PairedRatio(pairs) else { continue }
                results.pairs.append(
                    Results.PairResult(
                        reader: readers[0].name, peer: readers[peer].name, set: set, part: part, ratio: ratio))
            }
        }
    }

    private func add(_ reader: Int, _ group: String, _ members: [Int], to results: inout Results) {
        var recorder = LatencyRecorder()
        var totals = [Double](repeating: 0, count: members.map { cells[$0][reader].whole.count }.min() ?? 0)
        var processorTotals = totals
        var score: Score?
        for member in members {
            let cell = cells[member][reader]
            for (round, time) in cell.whole.enumerated() {
                recorder.record(nanoseconds: UInt64(time * 1e6), round: round)
                guard round < totals.count else { continue }
                totals[round] += time
                // If a single picture has no time, the sum has none.
                processorTotals[round] += cell.processor[round] ?? .nan
            }
            if let more = cell.score {
                score = score ?? Score()
                score?.add(more)
            }
        }
        guard let latency = recorder.latency else { return }
        let floorTimes = members.compactMap { floors[$0].latency?.p50 }
        results.readers.append(
            Results.ReaderResult(
                reader: readers[reader].name, set: set, group: group, pictures: members.count, score: score,
                latency: latency, load: Spread.median(members.flatMap { cells[$0][reader].load }), totals: totals,
                processorTotals: processorTotals.contains { $0.isNaN } ? nil : processorTotals,
                floorTotal: floorTimes.isEmpty ? nil : floorTimes.reduce(0, +),
                quantiles: group == "all" ? recorder.quantiles : []))
    }
}

extension Array<Double> {
    fileprivate var optional: [Double?] { map { $0 } }
}
