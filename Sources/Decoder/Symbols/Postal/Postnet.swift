/// POSTNET and PLANET of the United States Postal Service: five tall and short bars for each digit.
///
/// Source: USPS Domestic Mail Manual 708.4 (POSTNET), Publication 8175 (PLANET).
enum Postnet {
    /// The weights of the bars of a digit; the sum 11 stands for 0.
    private static let weights = [7, 4, 2, 1, 0]
    /// The numbers of digits with the check digit: ZIP, ZIP+4, delivery point.
    private static let postnetCounts = [6, 10, 12]
    private static let planetCounts = [12, 14]

    static func decode(_ bars: [PostalBar]) -> [UInt8]? { decode(bars, counts: postnetCounts, tallBars: 2) }

    /// Decodes PLANET, which has three tall bars in a digit, where POSTNET has two; the two short ones count.
    static func decodePlanet(_ bars: [PostalBar]) -> [UInt8]? { decode(bars, counts: planetCounts, tallBars: 3) }

    private static func decode(_ bars: [PostalBar], counts: [Int], tallBars: Int) -> [UInt8]? {
        // A tall bar at either end; no bar has a descender.
        guard bars.count % 5 == 2, counts.contains(bars.count / 5), bars.first?.hasAscender == true,
            bars.last?.hasAscender == true, !bars.contains(where: \.hasDescender)
        else { return nil }
        var digits: [Int] = []
        for start in stride(from: 1, to: bars.count - 1, by: 5) {
            let tall = bars[start..<start + 5].map(\.hasAscender)
            guard tall.count(where: \.self) == tallBars else { return nil }
            let value = zip(tall, weights).reduce(0) { $0 + ($1.0 == (tallBars == 2) ? $1.1 : 0) }
            guard value <= 9 || value == 11 else { return nil }
            digits.append(value % 11)
        }
        guard digits.reduce(0, +) % 10 == 0 else { return nil }
        return digits.dropLast().map { UInt8(ascii: "0") + UInt8($0) }
    }
}
