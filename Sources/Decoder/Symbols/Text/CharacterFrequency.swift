/// How often the characters of a script occur in running text.
///
/// The characters stand in tiers of like frequency. A figure is the natural logarithm of the mean share that one
/// character of the tier has among all characters of its script. They were counted from the word frequencies that the
/// Python package wordfreq 3.1 holds for Chinese, Japanese, Korean and Russian; within a tier there is no order.
struct CharacterFrequency: Sendable {
    private let shares: [Unicode.Scalar: Double]

    /// The logarithm of a character's share, nil for one that is in no tier.
    subscript(scalar: Unicode.Scalar) -> Double? { shares[scalar] }

    init(_ tiers: [Tier]) {
        var shares: [Unicode.Scalar: Double] = [:]
        for tier in tiers {
            // A character keeps the best share that is said of it.
            for scalar in tier.characters.unicodeScalars {
                shares[scalar] = max(tier.share, shares[scalar] ?? tier.share)
            }
        }
        self.shares = shares
    }

    /// Characters of like frequency.
    struct Tier {
        let share: Double
        let characters: String

        init(_ share: Double, _ characters: String) {
            self.share = share
            self.characters = characters
        }
    }
}
