import BarcodeCore
import Symbols
import TestSupport
import Testing

@Suite("Agreement of rows")
struct RowReadingTests {
    static func read(_ rows: [[Float]], _ symbologies: Set<Symbology>, seen: Range<Double>? = nil) -> [String] {
        LinearReader(symbologies: symbologies).readRows(rows, seen: seen ?? 0..<Double(rows.first?.count ?? 0)).map {
            "\($0.symbology) " + String(decoding: $0.bytes, as: UTF8.self)
        }.sorted()
    }

    static func rows(_ modules: [Bool], _ count: Int) -> [[Float]] { ProfileRenderer(modules, rate: 3).profiles(count) }

    static let number = LinearModules.checked(ClearRetailTests.digits(12, from: 4))
    static let blank = [Float](repeating: 200, count: rows(LinearModules.ean13(number), 1)[0].count)

    /// A symbology, its bars, and a number of rows out of 24 that is not enough.
    static let cases: [(symbology: Symbology, modules: [Bool], tooFew: Int)] = [
        (.ean13, LinearModules.ean13(number), 2), (.code128, LinearModules.code128("BOX-1007"), 2),
        (.code39, LinearModules.code39("A1B2C3"), 9), (.itf, LinearModules.itf([1, 2, 3, 4, 5, 6, 7, 8]), 5),
    ]

    @Test("Enough rows give a symbol, and fewer do not", arguments: cases.indices)
    func agreement(index: Int) {
        let (symbology, modules, tooFew) = Self.cases[index]
        let rows = Self.rows(modules, 24)
        let blank = [Float](repeating: 200, count: rows[0].count)
        func some(_ count: Int) -> [[Float]] { rows.enumerated().map { $0 < count ? $1 : blank } }
        #expect(Self.read(some(24), [symbology]).count == 1)
        #expect(Self.read(some(tooFew), [symbology]).isEmpty)
    }

    /// A name, the rows of 24 that show the symbol, and whether it is read.
    static let partsOfITF: [(name: String, rows: Set<Int>, isRead: Bool)] = [
        ("the upper quarter", Set(0..<6), true), ("six rows in the middle", Set(9..<15), true),
        ("five rows", Set(9..<14), false), ("every third row", Set(stride(from: 0, to: 24, by: 3)), false),
    ]

    @Test(
        "An ITF of which the rest is covered needs a quarter of the rows, one after the other",
        arguments: partsOfITF.indices)
    func partOfITF(index: Int) {
        let part = Self.partsOfITF[index]
        let whole = Self.rows(LinearModules.itf([1, 2, 3, 4, 5, 6, 7, 8]), 24)
        let other = Self.rows(LinearModules.itf([8, 7, 6, 5, 4, 3, 2, 1]), 24)
        let blank = [Float](repeating: 60, count: whole[0].count)
        let rows = whole.indices.map { part.rows.contains($0) ? whole[$0] : blank }
        #expect(Self.read(rows, [.itf]).count == (part.isRead ? 1 : 0), "\(part.name)")
        // One row that shows another message makes it doubtful.
        let doubtful = rows.indices.map { $0 == 20 ? other[$0] : rows[$0] }
        #expect(Self.read(doubtful, [.itf]).isEmpty, "\(part.name)")
    }

    @Test("Two symbols beside each other are both read", arguments: cases.indices)
    func beside(index: Int) {
        let (symbology, modules, _) = Self.cases[index]
        let other =
            switch symbology {
            case .ean13: LinearModules.ean13(LinearModules.checked(ClearRetailTests.digits(12, from: 7)))
            case .code128: LinearModules.code128("BOX-2008")
            case .code39: LinearModules.code39("X9Y8Z7")
            default: LinearModules.itf([8, 7, 6, 5, 4, 3, 2, 1])
            }
        let rows = Self.rows(modules + [Bool](repeating: false, count: 12) + other, 12)
        #expect(Self.read(rows, [symbology]).count == 2)
    }

    /// The bars are rounded to whole pixels, so that modules of one symbol are two or three pixels wide.
    @Test(
        "Nine of ten drawings that were enlarged without smoothing are read, with bars a quarter of a pixel wider or not",
        arguments: [2.5, 2.6, 2.75], [0.0, 0.25])
    func enlarged(pixelsPerModule: Double, growth: Double) {
        var read = 0
        for first in 0..<10 {
            let digits = LinearModules.checked(ClearRetailTests.digits(12, from: first))
            let modules = [false] + LinearModules.ean13(digits) + [false]
            let count = Int(pixelsPerModule * 115)
            var row = [Float](repeating: 250, count: count)
            for place in modules.indices where modules[place] {
                let start = pixelsPerModule * (9 + Double(place)) - (modules[place - 1] ? 0 : growth / 2)
                let end = pixelsPerModule * (10 + Double(place)) + (modules[place + 1] ? 0 : growth / 2)
                for pixel in Int(start.rounded())..<Int(end.rounded()) { row[pixel] = 5 }
            }
            let text = "ean_13 " + digits.map(String.init).joined()
            let found = Self.read([[Float]](repeating: row, count: 16), [.ean13])
            #expect(found.isEmpty || found == [text])
            read += found.count
        }
        #expect(read >= 9)
    }

    @Test("A symbol is read although sharpening left a halo around each bar", arguments: 0..<10)
    func halo(first: Int) {
        let digits = LinearModules.checked(ClearRetailTests.digits(12, from: first))
        // Six pixels a module: ink at 10, paper at 160, and at 250 within two pixels of a bar.
        let ink =
            ([Bool](repeating: false, count: 12) + LinearModules.ean13(digits) + [Bool](repeating: false, count: 12))
            .flatMap { [Bool](repeating: $0, count: 6) }
        let row = ink.indices.map { (place: Int) -> Float in
            guard !ink[place] else { return 10 }
            return ink[max(0, place - 2)...min(ink.count - 1, place + 2)].contains(true) ? 250 : 160
        }
        #expect(
            Self.read([[Float]](repeating: row, count: 16), [.ean13])
                == ["ean_13 " + digits.map(String.init).joined()])
    }

    @Test("A quiet zone outside the picture does not count")
    func edge() {
        let rows = Self.rows(LinearModules.itf([1, 2, 3, 4, 5, 6, 7, 8]), 12)
        let count = Double(rows[0].count)
        #expect(Self.read(rows, [.itf]).count == 1)
        #expect(Self.read(rows, [.itf], seen: 0.1 * count..<count).isEmpty)
        #expect(Self.read(rows, [.itf], seen: 0..<0.9 * count).isEmpty)
        // The visible part of an EAN-13 includes both of its ends.
        let long = Self.rows(LinearModules.ean13(Self.number), 12)
        #expect(Self.read(long, [.ean13], seen: 0.1 * Double(long[0].count)..<0.9 * Double(long[0].count)).count == 1)
    }

    @Test("Rows with another message in the same position make a symbol doubtful")
    func rivals() {
        let (one, other) = (
            Self.rows(LinearModules.ean13(Self.number), 24),
            Self.rows(LinearModules.ean13(LinearModules.checked(ClearRetailTests.digits(12, from: 7))), 24)
        )
        #expect(Self.read(zip(one, other).enumerated().map { $0 % 2 == 0 ? $1.0 : $1.1 }, [.ean13]).isEmpty)
        #expect(Self.read(zip(one, other).enumerated().map { $0 % 8 == 3 ? $1.1 : $1.0 }, [.ean13]).count == 1)
    }
}
