/// The sizes of Han Xin symbols: 84 versions of 23 to 189 modules.
package struct HanXinVersion: Hashable, Sendable {
    /// The version numbers.
    static let all = 1...84
    /// The version number, 1 to 84.
    package let number: Int

    /// The version with a number; `nil` if the number is out of range.
    package init?(_ number: Int) {
        guard Self.all.contains(number) else { return nil }
        self.number = number
    }

    /// The version with the given number of modules along a side; `nil` if there is none.
    init?(size: Int) {
        guard size % 2 == 1, let version = HanXinVersion((size - 21) / 2), version.size == size else { return nil }
        self = version
    }

    /// The number of modules along a side (ISO/IEC 20830, 4.2).
    package var size: Int { 2 * number + 21 }

    /// The number of steps between alignment lines, and the modules of a step; zero in the three smallest versions.
    ///
    /// The remainder after these steps is the last step. Source: ISO/IEC 20830, annex A.
    private var alignment: (steps: Int, modules: Int) { (Self.steps[number - 1], Self.modules[number - 1]) }

    private static let steps = [
        0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4,
        4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8,
        8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 10, 10,
    ]
    private static let modules = [
        0, 0, 0, 14, 16, 16, 17, 18, 19, 20, 14, 15, 16, 16, 17, 17, 18, 19, 20, 20, 21, 16, 17, 17, 18, 18, 19, 19,
        20, 20, 21, 17, 17, 18, 18, 19, 19, 19, 20, 20, 17, 17, 18, 18, 18, 19, 19, 19, 17, 17, 18, 18, 18, 18, 19,
        19, 19, 17, 17, 18, 18, 18, 18, 19, 19, 17, 17, 17, 18, 18, 18, 18, 19, 19, 17, 17, 17, 18, 18, 18, 18, 18,
        17, 17,
    ]

    /// The crossings of alignment lines, counted from the top or from the right, with the modules to the next
    /// crossing.
    var crossings: [(place: Int, step: Int)] {
        let (steps, modules) = alignment
        guard steps > 0 else { return [] }
        let rest = size - steps * modules
        return (0...steps).map { ($0 * modules, $0 < steps ? modules : rest - 1) } + [(size - 1, rest - 1)]
    }
}
