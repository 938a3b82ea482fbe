/// A symbol that was located in an image but not read.
public struct UnreadSymbol: Sendable, Hashable {
    /// The kind of symbol, as far as it is known.
    public var kind: Kind
    /// The four corners of what was located, in pixels of the stored image; which of them is the symbol's top left is
    /// unknown.
    ///
    /// Of an Aztec symbol it is the bull's-eye, of a PDF417 its start or stop pattern or the area between both.
    public var corners: Quadrilateral
    /// The estimated width of a module in pixels, in which blur and perspective are included.
    public var moduleSize: Double
    /// The likely reason why it was not read.
    public var reason: Reason

    /// Creates an unread symbol.
    public init(kind: Kind, corners: Quadrilateral, moduleSize: Double, reason: Reason) {
        self.kind = kind
        self.corners = corners
        self.moduleSize = moduleSize
        self.reason = reason
    }

    /// A kind of symbol: a symbology, or a family of them if the structure of the symbol says no more.
    ///
    /// More may be added; today they are QR Code, Data Matrix, Aztec, PDF417 and ``linear``.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the symbology or family.
        public let rawValue: String

        /// Creates the kind with a given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates the kind of a symbology.
        public init(_ symbology: Symbology) {
            self.init(rawValue: symbology.rawValue)
        }

        /// Bars of an unknown symbology.
        public static let linear = Kind(rawValue: "linear")
    }

    /// A reason why a symbol was not read; more may be added.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The name of the reason.
        public let rawValue: String

        /// Creates the reason with a given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Its modules are smaller than those that are read.
        public static let small = Reason(rawValue: "small")
        /// Its edges are wide compared with its modules: out of focus, or moved.
        public static let blurred = Reason(rawValue: "blurred")
        /// A reflection covers a part of it.
        public static let glare = Reason(rawValue: "glare")
        /// None of the others: it is covered, torn, bent, printed badly, or cut off.
        public static let damaged = Reason(rawValue: "damaged")
    }
}
