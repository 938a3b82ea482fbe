import Symbols
import TestSupport
import Testing

@Suite("Add-ons by the widths of their bars")
struct AddOnReaderTests {
    static let number = LinearModules.ean13(LinearModules.checked(ClearRetailTests.digits(12, from: 4)))

    /// Returns a renderer of an EAN-13 followed by `addOn`.
    static func renderer(_ addOn: [Bool], gap: Int = 9, rate: Double = 3) -> ProfileRenderer {
        ProfileRenderer(number + [Bool](repeating: false, count: gap) + addOn, rate: rate)
    }

    static func digits(_ text: String) -> [Int] { text.compactMap(\.wholeNumberValue) }

    /// Reads rows in which the EAN-13 begins after ten modules of quiet zone.
    static func read(_ rows: [[Float]], rate: Double = 3, seen: Double? = nil) -> String? {
        let end = (10 + Double(number.count)) * rate
        let anchor = AddOnReader.Anchor(
            end: end, module: rate, seen: 0..<(seen ?? Double(rows.first?.count ?? 0)), paperBefore: 10)
        return AddOnReader().read(rows, behind: anchor).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Every add-on of two digits is read", arguments: 0..<10)
    func twoDigits(tens: Int) {
        for ones in 0..<10 {
            #expect(Self.read(Self.renderer(LinearModules.addOn([tens, ones])).profiles(12)) == "\(tens)\(ones)")
        }
    }

    @Test(
        "Add-ons of five digits are read for each remainder of the check",
        arguments: ["54495", "12345", "00000", "90000", "99999", "51299", "00007", "70000", "31415", "86420", "00990"])
    func fiveDigits(text: String) {
        #expect(Self.read(Self.renderer(LinearModules.addOn(Self.digits(text))).profiles(12)) == text)
    }

    struct Condition: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout ProfileRenderer) -> Void
    }

    static let conditions = [
        Condition(testDescription: "a gap of 7 modules") { $0.modules.removeSubrange(95..<97) },
        Condition(testDescription: "a gap of 12 modules") {
            $0.modules.insert(contentsOf: [Bool](repeating: false, count: 3), at: 95)
        },
        Condition(testDescription: "blur of half a module") { $0.blur = 0.5 },
        Condition(testDescription: "noise") { $0.noise = 25 },
        Condition(testDescription: "bars a third of a module wider") { $0.growth = 0.33 },
        Condition(testDescription: "bars a third of a module narrower") { $0.growth = -0.33 },
    ]

    @Test("Add-ons are read in print and light of varying quality", arguments: conditions, ["47", "54495"])
    func prints(condition: Condition, text: String) {
        var renderer = Self.renderer(LinearModules.addOn(Self.digits(text)))
        condition.change(&renderer)
        #expect(Self.read(renderer.profiles(24)) == text)
    }

    @Test("Noise of rows is averaged")
    func noise() {
        var renderer = Self.renderer(LinearModules.addOn([5, 4, 4, 9, 5]))
        renderer.noise = 40
        #expect(Self.read(renderer.profiles(24)) == "54495")
    }

    @Test("Sets that violate the check are not an add-on", arguments: ["47", "54495"])
    func wrongCheck(text: String) {
        // The last digit is replaced by the following one, in the same set.
        var digits = Self.digits(text)
        let right = LinearModules.addOn(digits)
        digits[digits.count - 1] = (digits[digits.count - 1] + 1) % 10
        let rows = Self.renderer(right.dropLast(7) + LinearModules.addOn([0, digits[digits.count - 1]]).suffix(7))
            .profiles(12)
        #expect(Self.read(rows) == nil)
    }

    @Test("One row is not enough")
    func oneRow() {
        let rows = Self.renderer(LinearModules.addOn([5, 4, 4, 9, 5])).profiles(24)
        let blank = [Float](repeating: 200, count: rows[0].count)
        #expect(Self.read([rows[0]] + [[Float]](repeating: blank, count: 23)) == nil)
        #expect(Self.read(Array(rows[..<4]) + [[Float]](repeating: blank, count: 20)) == "54495")
    }

    @Test("A longer add-on that ends early is not one of two digits", arguments: ["08962", "42793", "90036", "00000"])
    func cutAddOns(text: String) {
        let addOn = LinearModules.addOn(Self.digits(text))
        for modules in 4..<addOn.count {
            // The picture ends within the bars.
            let rows = Self.renderer(Array(addOn[..<modules])).profiles(12)
            #expect(Self.read(rows, seen: Double((10 + 95 + 9 + modules) * 3)) == nil, "\(modules) modules")
        }
    }

    @Test("A partly gray add-on is not read as one of two digits", arguments: ["47", "90036"])
    func grayCover(text: String) {
        let rows = Self.renderer(LinearModules.addOn(Self.digits(text))).profiles(12)
        for first in stride(from: 0, to: 18, by: 2) {
            let cover = (10 + 95 + 9 + first) * 3
            let covered = rows.map { row in row.enumerated().map { $0 < cover ? $1 : 125 } }
            #expect(Self.read(covered) == nil, "\(first) modules")
        }
    }

    @Test("A symbol without an add-on, or with a distant one, has none")
    func none() {
        #expect(Self.read(Self.renderer([]).profiles(12)) == nil)
        #expect(Self.read(Self.renderer(LinearModules.addOn([4, 7]), gap: 25).profiles(12)) == nil)
        #expect(Self.read(Self.renderer(Self.number).profiles(12)) == nil)
        #expect(Self.read([]) == nil)
    }
}
