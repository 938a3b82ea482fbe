public import BarcodeCore
public import FoundationEssentials
public import SymbolContent

/// A symbol that was read, with where and when: what is stored and forwarded.
///
/// Its JSON is schema 1, see `docs/reference/events.md`. One event holds one symbol.
public struct ScanEvent: Sendable, Hashable {
    /// The version of the JSON; a field may be added without a new version, none changes its meaning.
    public static let schema = 1

    /// The identifier, which a receiver tells repetitions by.
    public var id: EventID
    /// When the symbol was read, to the millisecond.
    public var time: Date
    /// The name of the place that read it, such as `ward-3`.
    public var station: String
    /// Where the picture came from.
    public var source: ScanSource
    /// What was read.
    public var symbol: ScannedSymbol
    /// The picture that proves it, by reference; nil where none is kept.
    public var evidence: Evidence?
    /// What the message says; nil for plain text, and where it was not asked for: see ``parsedContent``.
    public var content: SymbolContent?
    /// Who read it, by the name or the number that belongs to a badge; nil where nobody had signed in.
    public var `operator`: String?
    /// Where it was read, such as a room or a shelf; nil where that is not known.
    public var place: String?
    /// What was counted, of an event that closes a count; nil of any other.
    public var count: CountedLines?

    /// An event for one symbol; `time` loses what is finer than a millisecond.
    public init(
        id: EventID = EventID(), time: Date = Date(), station: String, source: ScanSource, symbol: ScannedSymbol,
        evidence: Evidence? = nil
    ) {
        self.id = id
        self.time = Date(milliseconds: time.milliseconds)
        self.station = station
        self.source = source
        self.symbol = symbol
        self.evidence = evidence
    }
}

/// Where a picture came from.
public struct ScanSource: Sendable, Hashable {
    /// The kind of source.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// A short name in lower case.
        public let rawValue: String

        /// The kind of that name; more may come.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A file that was named.
        public static let file = Kind(rawValue: "file")
        /// A file that was put into a watched folder.
        public static let folder = Kind(rawValue: "folder")
        /// A frame of a camera.
        public static let camera = Kind(rawValue: "camera")
        /// A picture that was sent by HTTP.
        public static let upload = Kind(rawValue: "upload")
        /// A scanner with a decoder of its own.
        public static let device = Kind(rawValue: "device")
        /// A code that a person has typed.
        public static let typed = Kind(rawValue: "typed")
        /// A count that was closed: the event has its lines.
        public static let count = Kind(rawValue: "count")

        /// The kinds that are known.
        public static let all: [Kind] = [.file, .folder, .camera, .upload, .device, .typed, .count]

        /// The names of the kinds that are known: "file, folder, camera, upload or device".
        package static let names =
            all.dropLast().map(\.rawValue).joined(separator: ", ") + " or " + all[all.count - 1].rawValue
    }

    /// The kind of source.
    public var kind: Kind
    /// The path, camera or device; nil where it has no name.
    public var name: String?
    /// What else is known, such as the bytes of a name that is no UTF-8; nil where nothing is.
    public var details: [String: String]?

    /// A source of a kind.
    public init(kind: Kind, name: String? = nil, details: [String: String]? = nil) {
        self.kind = kind
        self.name = name
        self.details = details
    }
}

/// A symbol as an event carries it.
public struct ScannedSymbol: Sendable, Hashable {
    /// The symbology.
    public var symbology: Symbology
    /// The message as text.
    public var text: String
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The symbology identifier of ISO/IEC 15424; nil where unknown.
    public var symbologyIdentifier: String?
    /// The character set by which ``text`` was made of ``bytes``; nil where unknown.
    public var charset: String?
    /// The digits of an EAN or UPC add-on; nil where there is none.
    public var addOn: String?
    /// The four corners in pixels of the picture, clockwise from the symbol's own top left; nil where unknown.
    public var corners: Quadrilateral?
    /// The size of the picture; nil where unknown.
    public var image: PixelSize?
    /// The page of a document that it stands on, from 1; nil for a picture.
    public var page: Int?
    /// The pages of the document; nil for a picture.
    public var pages: Int?
    /// The kind of the message's content, where the message is personal and is not kept any more; nil where it is there.
    ///
    /// Without the message, ``text`` and ``bytes`` are empty.
    public var withheld: String?
    /// The composite component above a linear symbol; nil where there is none.
    public var composite: ScannedComponent?

    /// What a decoder read in a picture of a size.
    public init(_ symbol: Symbol, image: PixelSize?) {
        self.init(
            symbology: symbol.symbology, text: symbol.text, bytes: symbol.bytes,
            symbologyIdentifier: symbol.symbologyIdentifier,
            charset: symbol.charset.name, addOn: symbol.addOn, corners: symbol.corners, image: image,
            composite: symbol.composite.map(ScannedComponent.init))
    }

    /// A symbol of which perhaps only the message is known.
    public init(
        symbology: Symbology, text: String, bytes: [UInt8], symbologyIdentifier: String? = nil, charset: String? = nil,
        addOn: String? = nil, corners: Quadrilateral? = nil, image: PixelSize? = nil,
        composite: ScannedComponent? = nil
    ) {
        self.symbology = symbology
        self.text = text
        self.bytes = bytes
        self.symbologyIdentifier = symbologyIdentifier
        self.charset = charset
        self.addOn = addOn
        self.corners = corners
        self.image = image
        self.composite = composite
    }
}

/// The composite component of a symbol as an event carries it.
public struct ScannedComponent: Sendable, Hashable {
    /// The name of its kind.
    public var kind: String
    /// The element strings as text.
    public var text: String
    /// The element strings, byte for byte.
    public var bytes: [UInt8]

    /// What a decoder read above a linear symbol.
    public init(_ component: CompositeComponent) {
        self.init(kind: component.kind.rawValue, text: component.text, bytes: component.bytes)
    }

    /// A component of which the message is known.
    public init(kind: String, text: String, bytes: [UInt8]) {
        self.kind = kind
        self.text = text
        self.bytes = bytes
    }
}

/// A reference to a picture that is kept somewhere else.
public struct Evidence: Sendable, Hashable {
    /// Where it is: a path or a URI.
    public var uri: String
    /// Its media type, such as `image/jpeg`; nil where unknown.
    public var mediaType: String?
    /// The SHA-256 of its bytes in hexadecimal digits; nil where it was not computed.
    public var sha256: String?

    /// The picture at `uri`.
    public init(uri: String, mediaType: String? = nil, sha256: String? = nil) {
        self.uri = uri
        self.mediaType = mediaType
        self.sha256 = sha256
    }
}
