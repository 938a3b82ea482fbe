/// The frequency of the characters of a script in running text.
///
/// The characters are grouped in tiers of similar frequency. The figure of a tier is the natural logarithm of the
/// mean share of one of its characters among all characters of the script. They were counted from the word
/// frequencies in the Python package wordfreq 3.1 for Chinese, Japanese, Korean and Russian. Within a tier there is
/// no order.
struct CharacterFrequency: Sendable {
    private let shares: [Unicode.Scalar: Double]

    /// Returns the logarithm of a character's share; `nil` if it is in no tier.
    subscript(scalar: Unicode.Scalar) -> Double? { shares[scalar] }

    init(_ tiers: [Tier]) {
        var shares: [Unicode.Scalar: Double] = [:]
        for tier in tiers {
            // If a character is in several tiers, its largest share counts.
            for scalar in tier.characters.unicodeScalars {
                shares[scalar] = max(tier.share, shares[scalar] ?? tier.share)
            }
        }
        self.shares = shares
    }

    /// Characters of similar frequency.
    struct Tier {
        let share: Double
        let characters: String

        init(_ share: Double, _ characters: String) {
            self.share = share
            self.characters = characters
        }
    }
}
