internal import BenchCore
internal import ImageCodecs

/// Every reader on every picture of a set, one after the other on the same picture.
///
/// Of the decoding alone the least of the rounds is kept, which is what the picture costs where nothing disturbs.
final class ReaderMeasure: Measure {
    var title: String { "readers on \(set)" }

    private struct Cell {
        var recorder = LatencyRecorder()
        var load: [Double] = []
        /// Each round's time from file to codes, and of decoding alone; milliseconds.
        var whole: [Double] = []
        var decode: [Double?] = []
        /// Each round's time with a processor.
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

    /// - Parameter roundCount: the rounds that it takes part in; a long set is content with fewer.
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
        // What is done once a process - tables, threads, lazily bound symbols - is not a picture's cost.
        if let first = pictures.first { for reader in readers { _ = try reader.read(first) } }
    }

    func measure(round: Int) throws {
        guard round < roundCount else { return }
        for (index, picture) in pictures.enumerated() {
            // The file is in the page cache before anyone reads it. A damaged one has no floor.
            if (try? Floor.decode(picture.path)) != nil {
                for _ in 0..<3 {
                    let time = try Timing.measure { try Floor.decode(picture.path) }
                    floors[index].record(nanoseconds: time.nanoseconds, processor: time.processor, round: round)
                }
            }
            for place in readers.indices {
                // Nobody is always the first, or always behind the same one.
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
                // One picture without a time makes the sum none.
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
