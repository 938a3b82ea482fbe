/// The two-dimensional component of a GS1 Composite symbol, which is above a linear one (ISO/IEC 24723).
public struct CompositeComponent: Sendable, Hashable {
    /// A kind of component; new kinds may be added.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// CC-A: a variant of MicroPDF417.
        public static let a = Kind(rawValue: "cc_a")
        /// CC-B: MicroPDF417.
        public static let b = Kind(rawValue: "cc_b")
        /// CC-C: PDF417, only above GS1-128.
        public static let c = Kind(rawValue: "cc_c")
    }

    /// The kind of component.
    public var kind: Kind
    /// The element strings, with U+001D after a variable-length field that another one follows.
    public var bytes: [UInt8]
    /// The four corners, in pixels of the stored image.
    public var corners: Quadrilateral

    /// The AIM symbology identifier of the component's message (ISO/IEC 15424, table of `]e`).
    public static let symbologyIdentifier = "]e0"

    /// Creates a component.
    public init(kind: Kind, bytes: [UInt8], corners: Quadrilateral) {
        self.kind = kind
        self.bytes = bytes
        self.corners = corners
    }

    /// The element strings as text, which is ASCII.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
