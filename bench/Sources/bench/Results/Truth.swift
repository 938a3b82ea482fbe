/// The known content of a picture (ground truth).
enum Truth: Sendable, Hashable {
    /// Nothing is known: readings are neither right nor wrong.
    case unknown
    /// The messages of its symbols; if `isPartial`, there may be others. Readings of `ignored` do not count.
    case messages([Message], ignored: [Message] = [], isPartial: Bool)
    /// The outlines of its symbols, with unknown messages.
    case outlines([[PicturePoint]])

    /// The message of a symbol, in each form that counts as correct.
    struct Message: Sendable, Hashable {
        /// The forms, as bytes: the text in UTF-8, and the raw bytes of the symbol if those differ.
        var forms: [[UInt8]]

        /// Creates a message from the given forms.
        init(forms: [[UInt8]]) {
            self.forms = forms
        }
    }
}

/// A point, in pixels of the stored picture.
struct PicturePoint: Codable, Sendable, Hashable {
    /// Pixels from the left.
    var x: Double
    /// Pixels from the top.
    var y: Double

    /// Creates a point.
    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Indicates whether a polygon contains the point, by the even-odd rule.
    func isInside(_ polygon: [PicturePoint]) -> Bool {
        var isOdd = false
        for (from, to) in zip(polygon, polygon.dropFirst() + polygon.prefix(1))
        where (from.y > y) != (to.y > y) && x < (to.x - from.x) * (y - from.y) / (to.y - from.y) + from.x {
            isOdd.toggle()
        }
        return isOdd
    }
}

/// A symbol as a reader reported it.
struct FoundSymbol: Sendable, Hashable {
    /// The message in the forms that the reader reports: bytes, text, or both.
    var forms: [[UInt8]]
    /// The center of the symbol; `nil` if the reader reports no location.
    var center: PicturePoint?

    /// Creates a symbol from its message and its center.
    init(forms: [[UInt8]], center: PicturePoint?) {
        self.forms = forms
        self.center = center
    }
}
