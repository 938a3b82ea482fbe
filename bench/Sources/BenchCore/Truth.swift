/// What a picture holds, as far as it is known.
public enum Truth: Sendable, Hashable {
    /// Nothing is known: readings are neither right nor wrong.
    case unknown
    /// The messages of its symbols; with `isPartial` there may be others.
    case messages([Message], isPartial: Bool)
    /// The outlines of its symbols, whose messages are not known.
    case outlines([[Place]])

    /// The message of a symbol, in each form that counts as right.
    public struct Message: Sendable, Hashable {
        /// The forms, as bytes: the text in UTF-8, and the bytes as they stand in the symbol where those differ.
        public var forms: [[UInt8]]

        /// A message in the given forms.
        public init(forms: [[UInt8]]) {
            self.forms = forms
        }
    }
}

/// A point in pixels of the stored picture.
public struct Place: Codable, Sendable, Hashable {
    /// Pixels to the right.
    public var x: Double
    /// Pixels down.
    public var y: Double

    /// A point at `x` pixels to the right and `y` pixels down.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Whether a polygon encloses the point, by the even-odd rule.
    public func isInside(_ polygon: [Place]) -> Bool {
        var isOdd = false
        for (from, to) in zip(polygon, polygon.dropFirst() + polygon.prefix(1))
        where (from.y > y) != (to.y > y) && x < (to.x - from.x) * (y - from.y) / (to.y - from.y) + from.x {
            isOdd.toggle()
        }
        return isOdd
    }
}

/// A symbol as some reader read it.
public struct FoundSymbol: Sendable, Hashable {
    /// The message in the forms that the reader hands out: bytes, text, or both.
    public var forms: [[UInt8]]
    /// The middle of the symbol; nil where the reader names no place.
    public var center: Place?

    /// A symbol with its message and place.
    public init(forms: [[UInt8]], center: Place?) {
        self.forms = forms
        self.center = center
    }
}
