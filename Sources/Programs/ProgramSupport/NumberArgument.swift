internal import ArgumentParser

/// Parsers for command-line numbers within limits.
///
/// Any other text is refused with a message that names the limits.
///
/// Use them as the `transform` of an option, with `parsing: .unconditional`, because a negative number would
/// otherwise be taken for another option.
public enum NumberArgument {
    /// Returns a parser for an integer within a range.
    public static func whole(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = Int(text), range.contains(number) else {
                throw ValidationError("it must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    /// Returns a parser for a number within a range, with or without a fraction.
    public static func decimal(_ range: ClosedRange<Double>) -> @Sendable (String) throws -> Double {
        { text in
            guard let number = Double(text), range.contains(number) else {
                throw ValidationError("it must be a number from \(range.lowerBound.short) to \(range.upperBound.short)")
            }
            return number
        }
    }
}

extension Double {
    /// The number, without a fraction if it is an integer.
    fileprivate var short: String { self == rounded() ? String(Int(self)) : String(self) }
}
