internal import BarcodeCore
internal import BarcodeDecoding
internal import ImageCodecs

/// The ratios of the cost of some work to that of a reference, measured alternately.
final class CostMeasure: Measure {
    let title = "costs"

    private struct Pair {
        var name: String
        var limit: Double
        var work: TimedTask
        var reference: TimedTask
    }

    private let settings: RunSettings
    private var pairs: [Pair] = []

    init(_ sets: WorkSets, settings: RunSettings) throws {
        self.settings = settings
        let photo = sets.root + "/Samples/scene-12mp.jpg"
        try add("load and decode `Samples/scene-12mp.jpg` / its luma alone", limit: 1.5) {
            try Stages.whole(photo)
        } over: {
            try Floor.decode(photo)
        }
        let bare = try sets.photoWithoutCode()
        try add("load and decode a 12-megapixel photo without a code / its luma alone", limit: 4) {
            try Stages.whole(bare)
        } over: {
            try Floor.decode(bare)
        }
        for (kind, sample) in [("QR Codes", "qr-digits.png"), ("EAN-13", "ean13.png")] {
            let (full, single) = (try sets.page(of: sample, count: 120), try sets.page(of: sample, count: 1))
            let found = try BarcodeDecoder().decode(full).count
            try add("decode a page of 120 \(kind) (\(found) read) / the same page with one", limit: 5) {
                keep(try BarcodeDecoder().decode(full))
            } over: {
                keep(try BarcodeDecoder().decode(single))
            }
        }
    }

    private func add(
        _ name: String, limit: Double, _ work: @escaping () throws -> Void, over reference: @escaping () throws -> Void
    ) throws {
        pairs.append(Pair(name: name, limit: limit, work: try TimedTask(work), reference: try TimedTask(reference)))
    }

    func measure(round: Int) throws {
        for pair in pairs {
            // The order alternates, so that neither is always first.
            let order = round % 2 == 0 ? [pair.reference, pair.work] : [pair.work, pair.reference]
            for task in order { try task.spend(nanoseconds: 2 * settings.slice, round: round) }
        }
    }

    func report(to results: inout Results) {
        results.costs = pairs.compactMap { pair in
            guard let work = pair.work.recorder.latency, let reference = pair.reference.recorder.latency else {
                return nil
            }
            let ratios = zip(work.rounds, reference.rounds).filter { $0.1 > 0 }.map { $0.0 / $0.1 }
            return Results.Cost(name: pair.name, ratios: ratios, limit: pair.limit)
        }
    }
}
