import BarcodeCore
import Symbols
import TestSupport
import Testing

@Suite("Clear EAN and UPC")
struct ClearRetailTests {
    static func read(_ profiles: [[Float]], _ symbologies: Set<Symbology> = [.ean13, .ean8, .upcE]) -> [String] {
        var lines = LinearReader.Lines(profiles)
        return LinearReader(symbologies: symbologies).readClear(&lines).map {
            "\($0.symbology) " + String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    static func text(_ digits: [Int]) -> String { digits.map(String.init).joined() }

    /// Digits without the check digit, such that each digit occurs at each position and in each set.
    static func digits(_ count: Int, from first: Int) -> [Int] { (0..<count).map { (first + 7 * $0) % 10 } }

    @Test("Each digit in each position is read, in both directions", arguments: 0..<10, [1.7, 3.2])
    func numbers(first: Int, rate: Double) {
        let long = LinearModules.checked(Self.digits(12, from: first))
        let short = LinearModules.checked(Self.digits(7, from: first))
        for (modules, text) in [
            (LinearModules.ean13(long), "ean_13 \(Self.text(long))"),
            (LinearModules.ean8(short), "ean_8 \(Self.text(short))"),
        ] {
            var renderer = ProfileRenderer(modules, rate: rate)
            renderer.blur = 0.3
            let profiles = renderer.profiles(6)
            #expect(Self.read(profiles) == [text])
            #expect(Self.read(profiles.map { $0.reversed() }) == [text])
        }
    }

    @Test(
        "A line of a frame may take the place of the quiet zone of an EAN-13, not of shorter symbols",
        arguments: LinearReaderTests.frames.indices, ["left", "right", "both"])
    func frame(index: Int, sides: String) {
        let frame = LinearReaderTests.frames[index]
        for first in 0..<10 {
            let long = LinearModules.checked(Self.digits(12, from: first))
            let short = LinearModules.checked(Self.digits(7, from: first))
            for (modules, texts) in [
                (LinearModules.ean13(long), ["ean_13 \(Self.text(long))"]), (LinearModules.ean8(short), []),
            ] {
                let profiles = LinearReaderTests.framed(modules, frame, sides).profiles(6)
                #expect(Self.read(profiles) == texts)
            }
        }
    }

    /// For each way in which the last digit of a UPC-E places the zeros: six digits, and the expanded number without
    /// its check digit.
    static let short: [(digits: [Int], long: [Int])] = [
        ([4, 2, 5, 2, 6, 1], [0, 4, 2, 1, 0, 0, 0, 0, 5, 2, 6]),
        ([4, 2, 5, 7, 8, 3], [0, 4, 2, 5, 0, 0, 0, 0, 0, 7, 8]),
        ([4, 9, 6, 5, 8, 4], [0, 4, 9, 6, 5, 0, 0, 0, 0, 0, 8]),
        ([1, 2, 3, 4, 5, 9], [0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 9]),
    ]

    @Test("UPC-E is read", arguments: short.indices)
    func upcE(index: Int) {
        let (digits, long) = Self.short[index]
        let check = LinearModules.checked(long)[11]
        let profiles = ProfileRenderer(LinearModules.upcE(digits, check: check), rate: 3).profiles(6)
        #expect(Self.read(profiles) == ["upc_e 0\(Self.text(digits))\(check)"])
    }

    @Test("The left half of an EAN-13 is not a UPC-E", arguments: 1...9)
    func halfIsNotUPCE(first: Int) {
        var random = SeededGenerator(seed: UInt64(first))
        for _ in 0..<40 {
            let digits = LinearModules.checked([first] + (0..<11).map { _ in Int.random(in: 0...9, using: &random) })
            // The start guard, six digits and the middle guard up to its first bar: 51 modules.
            let half = Array(LinearModules.ean13(digits).prefix(51))
            let profiles = ProfileRenderer(half, rate: 3).profiles(6)
            #expect(Self.read(profiles) == [])
        }
    }

    @Test("Symbologies that were not requested are not read")
    func symbologies() {
        let profiles = ProfileRenderer(LinearModules.ean13(LinearModules.checked(Self.digits(12, from: 4))), rate: 3)
            .profiles(6)
        #expect(Self.read(profiles, [.code128]) == [])
    }

    @Test("Three profiles must agree, and none may contradict", arguments: 0...6)
    func agreement(count: Int) {
        let numbers = [3, 8].map { LinearModules.checked(Self.digits(12, from: $0)) }
        let (one, other) = (
            ProfileRenderer(LinearModules.ean13(numbers[0]), rate: 3).profiles(6),
            ProfileRenderer(LinearModules.ean13(numbers[1]), rate: 3).profiles(6)
        )
        let blank = one.map { $0.map { _ in Float(200) } }
        let expected = count < 3 ? [] : ["ean_13 \(Self.text(numbers[0]))"]
        #expect(Self.read(Array(one.prefix(count) + blank.dropFirst(count))) == expected)
        if count < 6 {
            #expect(Self.read(Array(one.prefix(count) + other.dropFirst(count))).count == (count == 0 ? 1 : 0))
        }
    }

    @Test("A wrong check digit, bars where the quiet zone is, and strong blur are not clear")
    func refused() {
        var digits = LinearModules.checked(Self.digits(12, from: 5))
        let right = LinearModules.ean13(digits)
        let (before, after) = ([true, false, true, false, false], [false, false, true, false, true])
        var beside = ProfileRenderer(before + right + after, rate: 3)
        #expect(Self.read(beside.profiles(6)) == [])
        beside = ProfileRenderer(right, rate: 3)
        #expect(Self.read(beside.profiles(6)).count == 1)
        beside.blur = 1.2
        #expect(Self.read(beside.profiles(6)) == [])
        digits[12] = (digits[12] + 1) % 10
        #expect(Self.read(ProfileRenderer(LinearModules.ean13(digits), rate: 3).profiles(6)) == [])
    }
}
