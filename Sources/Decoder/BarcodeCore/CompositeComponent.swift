/// The two-dimensional part of a GS1 composite symbol, which stands above a linear one (ISO/IEC 24723).
public struct CompositeComponent: Sendable, Hashable {
    /// The kinds of part; more may come.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// The kind of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// CC-A: a small form of MicroPDF417.
        public static let a = Kind(rawValue: "cc_a")
        /// CC-B: MicroPDF417.
        public static let b = Kind(rawValue: "cc_b")
        /// CC-C: PDF417, above GS1-128 alone.
        public static let c = Kind(rawValue: "cc_c")
    }

    /// Which of the three kinds it is.
    public var kind: Kind
    /// The element strings of the part, U+001D behind a field of no fixed length that another one follows.
    public var bytes: [UInt8]
    /// The four corners, in pixels of the stored picture.
    public var corners: Quadrilateral

    /// The AIM symbology identifier of what the part says (ISO/IEC 15424, table of `]e`).
    public static let symbologyIdentifier = "]e0"

    /// A part with all that is known of it.
    public init(kind: Kind, bytes: [UInt8], corners: Quadrilateral) {
        self.kind = kind
        self.bytes = bytes
        self.corners = corners
    }

    /// The element strings as text: they are ASCII.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
