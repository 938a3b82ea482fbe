public import BarcodeCore
public import FoundationEssentials
public import SymbolContent

/// A decoded symbol with its time and origin, which is stored and forwarded.
///
/// Its JSON is schema 1, see `docs/reference/events.md`. One event holds one symbol.
public struct ScanEvent: Sendable, Hashable {
    /// The version of the JSON.
    ///
    /// New fields may be added within a version, but the meaning of a field never changes.
    public static let schema = 1

    /// The identifier, by which a receiver recognizes duplicates.
    public var id: EventID
    /// The time of the scan, to the millisecond.
    public var time: Date
    /// The name of the scanning station, such as `ward-3`.
    public var station: String
    /// The source of the image.
    public var source: ScanSource
    /// The decoded symbol.
    public var symbol: ScannedSymbol
    /// A reference to the image as evidence; `nil` if none is kept.
    public var evidence: Evidence?
    /// The parsed content of the message; `nil` for plain text or if it was not requested: see ``parsedContent``.
    public var content: SymbolContent?
    /// The result of the check of the message's signature with the keys that were given when it was scanned; `nil` if
    /// the message has no signature, or no keys were given.
    public var signature: SignatureCheck?
    /// The operator, by the name or number of a badge; `nil` if nobody had signed in.
    public var `operator`: String?
    /// The location of the scan, such as a room or a shelf; `nil` if unknown.
    public var place: String?
    /// The counted lines, for an event that closes a count; `nil` for any other event.
    public var count: CountedLines?

    /// Creates an event for one symbol; `time` is truncated to milliseconds.
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

/// The source of an image or a code.
public struct ScanSource: Sendable, Hashable {
    /// The kind of source.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// A short name in lower case.
        public let rawValue: String

        /// Creates a kind from its name; more kinds may be added.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A file named on the command line.
        public static let file = Kind(rawValue: "file")
        /// A file from a watched folder.
        public static let folder = Kind(rawValue: "folder")
        /// A frame of a camera.
        public static let camera = Kind(rawValue: "camera")
        /// An image uploaded by HTTP.
        public static let upload = Kind(rawValue: "upload")
        /// A scanner with its own decoder.
        public static let device = Kind(rawValue: "device")
        /// A code typed by a person.
        public static let typed = Kind(rawValue: "typed")
        /// A closed count; the event has its lines.
        public static let count = Kind(rawValue: "count")

        /// The known kinds.
        public static let all: [Kind] = [.file, .folder, .camera, .upload, .device, .typed, .count]

        /// The names of the known kinds, as a phrase: "file, folder, camera, upload or device".
        package static let names =
            all.dropLast().map(\.rawValue).joined(separator: ", ") + " or " + all[all.count - 1].rawValue
    }

    /// The kind of source.
    public var kind: Kind
    /// The path, camera or device; `nil` if it has no name.
    public var name: String?
    /// Further details, such as the bytes of a name that is not valid UTF-8; `nil` for none.
    public var details: [String: String]?

    /// Creates a source.
    public init(kind: Kind, name: String? = nil, details: [String: String]? = nil) {
        self.kind = kind
        self.name = name
        self.details = details
    }
}

/// A symbol within an event.
public struct ScannedSymbol: Sendable, Hashable {
    /// The symbology.
    public var symbology: Symbology
    /// The message as text.
    public var text: String
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The symbology identifier (ISO/IEC 15424); `nil` if unknown.
    public var symbologyIdentifier: String?
    /// The character set by which ``bytes`` were decoded to ``text``; `nil` if unknown.
    public var charset: String?
    /// The digits of an EAN or UPC add-on; `nil` if there is none.
    public var addOn: String?
    /// The four corners in image pixels, clockwise from the symbol's own top left; `nil` if unknown.
    public var corners: Quadrilateral?
    /// The size of the image in pixels; `nil` if unknown.
    public var image: PixelSize?
    /// The page of the document, counted from 1; `nil` for an image.
    public var page: Int?
    /// The number of pages of the document; `nil` for an image.
    public var pages: Int?
    /// The kind of content of a personal message that has been removed; `nil` if the message is present.
    ///
    /// If it is set, ``text`` and ``bytes`` are empty.
    public var withheld: String?
    /// The composite component above a linear symbol; `nil` if there is none.
    public var composite: ScannedComponent?
    /// The estimated probability that the message is right, 0 to 1, see `Symbol.confidence`; `nil` if unknown.
    public var confidence: Double?
    /// The position in a message that is spread over several symbols; `nil` for a message in one symbol.
    public var structuredAppend: MessagePart?
    /// The number of symbols that the message was joined from; `nil` for the message of one symbol.
    public var joined: Int?

    /// Creates a symbol from a decoder's result in an image.
    public init(_ symbol: Symbol, image: PixelSize?) {
        self.init(
            symbology: symbol.symbology, text: symbol.text, bytes: symbol.bytes,
            symbologyIdentifier: symbol.symbologyIdentifier,
            charset: symbol.charset.name, addOn: symbol.addOn, corners: symbol.corners, image: image,
            composite: symbol.composite.map(ScannedComponent.init), confidence: symbol.confidence)
        structuredAppend = MessagePart(symbol)
    }

    /// Creates a symbol, of which only the message need be known.
    public init(
        symbology: Symbology, text: String, bytes: [UInt8], symbologyIdentifier: String? = nil, charset: String? = nil,
        addOn: String? = nil, corners: Quadrilateral? = nil, image: PixelSize? = nil,
        composite: ScannedComponent? = nil, confidence: Double? = nil
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
        self.confidence = confidence
    }
}

/// The composite component of a symbol within an event.
public struct ScannedComponent: Sendable, Hashable {
    /// The name of its kind.
    public var kind: String
    /// The element strings as text.
    public var text: String
    /// The element strings, byte for byte.
    public var bytes: [UInt8]

    /// Creates a component from a decoder's result.
    public init(_ component: CompositeComponent) {
        self.init(kind: component.kind.rawValue, text: component.text, bytes: component.bytes)
    }

    /// Creates a component from its message.
    public init(kind: String, text: String, bytes: [UInt8]) {
        self.kind = kind
        self.text = text
        self.bytes = bytes
    }
}

/// A reference to an image that is stored elsewhere.
public struct Evidence: Sendable, Hashable {
    /// The location of the image: a path or a URI.
    public var uri: String
    /// The media type, such as `image/jpeg`; `nil` if unknown.
    public var mediaType: String?
    /// The SHA-256 of the bytes in hexadecimal; `nil` if it was not computed.
    public var sha256: String?

    /// Creates a reference to the image at `uri`.
    public init(uri: String, mediaType: String? = nil, sha256: String? = nil) {
        self.uri = uri
        self.mediaType = mediaType
        self.sha256 = sha256
    }
}
