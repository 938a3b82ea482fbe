internal import ArgumentParser

/// Numbers on a command line, within limits; what is none of them is refused with a sentence that names the limits.
///
/// To be used as the `transform` of an option, with `parsing: .unconditional`, without which a number below zero is
/// taken for another option.
public enum NumberArgument {
    /// A whole number.
    public static func whole(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = Int(text), range.contains(number) else {
                throw ValidationError("it takes a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    /// A number that may have a fraction.
    public static func decimal(_ range: ClosedRange<Double>) -> @Sendable (String) throws -> Double {
        { text in
            guard let number = Double(text), range.contains(number) else {
                throw ValidationError("it takes a number from \(range.lowerBound.short) to \(range.upperBound.short)")
            }
            return number
        }
    }
}

extension Double {
    /// The number without a fraction that is zero.
    fileprivate var short: String { self == rounded() ? String(Int(self)) : String(self) }
}
