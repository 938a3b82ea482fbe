import Testing

@testable import Symbols

@Suite struct ToneHistogramTests {
    /// Tones of ten pixels: 3 of 10, 5 of 20, 2 of 200.
    private static let histogram: ToneHistogram = {
        var histogram = ToneHistogram()
        histogram.add(200)
        histogram.add(20, count: 5)
        histogram.add(10, count: 3)
        histogram.add(200)
        return histogram
    }()

    @Test(arguments: [(0, 10), (2, 10), (3, 20), (7, 20), (8, 200), (9, 200), (10, 255)])
    func toneOfARank(rank: Int, tone: Int) {
        #expect(Self.histogram.tone(ofRank: rank) == tone)
    }

    @Test(arguments: [(0.0, 10), (0.29, 10), (0.3, 20), (0.79, 20), (0.8, 200), (0.99, 200)])
    func toneOfAShare(share: Double, tone: Int) {
        #expect(Self.histogram.tone(ofShare: share) == tone)
    }

    @Test(arguments: [(9, 10, 10), (10, 7, 20), (20, 2, 200), (200, 0, 255), (255, 0, 255)])
    func lighterTones(than tone: Int, total: Int, darkest: Int) {
        let lighter = Self.histogram.lighter(than: tone)
        #expect(lighter.total == total)
        #expect(lighter.tone(ofRank: 0) == darkest)
    }
}
