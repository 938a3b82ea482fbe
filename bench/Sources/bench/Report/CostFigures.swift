/// The ratio of the cost of some work to that of a reference, with its limit.
struct CostFigures {
    var name: String
    var ratio: Double
    var noise: Double?
    var limit: Double
    /// Indicates whether the limit is a minimum instead of a maximum.
    var isLeast = false

    /// Indicates whether the ratio is within the limit.
    var isKept: Bool { isLeast ? ratio >= limit : ratio <= limit }
    /// The limit as text.
    var goal: String { "\(isLeast ? "at least" : "at most") \(Format.fixed(limit, 1))" }

    /// Returns all cost ratios of a run.
    static func all(_ results: Results) -> [CostFigures] {
        let measured = (results.costs ?? []).compactMap { cost in
            Spread.median(cost.ratios).map {
                CostFigures(name: cost.name, ratio: $0, noise: Spread.relative(cost.ratios), limit: cost.limit)
            }
        }
        return measured + [size(results), effort(results), jobs(results)].compactMap(\.self)
    }

    /// The decode time per megapixel of the largest scene, relative to the smallest.
    private static func size(_ results: Results) -> CostFigures? {
        let scenes = results.pictures.filter {
            $0.set == "sizes" && $0.reader == "quietzone" && $0.megapixels > 0 && $0.decode != nil
        }.sorted { $0.megapixels < $1.megapixels }
        guard let small = scenes.first, let large = scenes.last, scenes.count > 1, let first = small.decode,
            let last = large.decode, first > 0
        else { return nil }
        let ratio = last / large.megapixels / (first / small.megapixels)
        let sizes = "\(Format.fixed(large.megapixels, 0)) megapixels / of one of \(Format.fixed(small.megapixels, 1))"
        return CostFigures(name: "decode a megapixel of a scene of \(sizes)", ratio: ratio, limit: 1)
    }

    /// The decode time of the effort `thorough` relative to `normal`, over all pictures of all classes.
    private static func effort(_ results: Results) -> CostFigures? {
        let all = ClassFigures.sum(ClassFigures.shown(results), name: "all")
        guard let thorough = all.mean("quietzone-thorough"), let normal = all.mean("quietzone"), normal > 0 else {
            return nil
        }
        return CostFigures(
            name: "decode \(all.count()) pictures with effort thorough / normal", ratio: thorough / normal, limit: 6)
    }

    /// The throughput per job with all jobs, relative to one job.
    private static func jobs(_ results: Results) -> CostFigures? {
        guard let one = results.throughput.first(where: { $0.jobs == 1 }),
            let most = results.throughput.max(by: { $0.jobs < $1.jobs }), most.jobs > 1
        else { return nil }
        let ratios = zip(most.picturesPerSecond, one.picturesPerSecond).filter { $0.1 > 0 }.map {
            $0.0 / $0.1 / Double(most.jobs)
        }
        return Spread.median(ratios).map {
            CostFigures(
                name: "pictures a second with --jobs \(most.jobs) / \(most.jobs) times those with one job", ratio: $0,
                noise: Spread.relative(ratios), limit: 0.9, isLeast: true)
        }
    }
}
