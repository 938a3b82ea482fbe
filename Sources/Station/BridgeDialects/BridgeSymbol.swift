public import BarcodeCore

/// A decoded symbol as pages get it.
public struct BridgeSymbol: Sendable, Hashable {
    /// The symbology.
    public var symbology: Symbology
    /// The message as text.
    ///
    /// In a binary message, each byte becomes the character with its code; see docs/reference/text.md.
    public var text: String
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The character set of the text, such as `utf-8` or `binary`; `nil` if unknown.
    public var charset: String?
    /// The AIM symbology identifier, such as `]Q1`; `nil` if unknown.
    public var symbologyIdentifier: String?
    /// The digits of an EAN or UPC add-on; `nil` if there is none.
    public var addOn: String?
    /// The four corners, in pixels of the picture; `nil` if unknown.
    public var corners: Quadrilateral?
    /// The identifier of the stored event; `nil` if the symbol was not stored.
    public var event: String?

    /// Creates a symbol; unknown properties may be left out.
    public init(
        symbology: Symbology, text: String, bytes: [UInt8], charset: String? = nil, symbologyIdentifier: String? = nil,
        addOn: String? = nil, corners: Quadrilateral? = nil, event: String? = nil
    ) {
        self.symbology = symbology
        self.text = text
        self.bytes = bytes
        self.charset = charset
        self.symbologyIdentifier = symbologyIdentifier
        self.addOn = addOn
        self.corners = corners
        self.event = event
    }

    /// Creates a symbol from a decoded one and the identifier of its stored event.
    public init(_ symbol: Symbol, event: String? = nil) {
        self.init(
            symbology: symbol.symbology, text: symbol.text, bytes: symbol.bytes, charset: symbol.charset.name,
            symbologyIdentifier: symbol.symbologyIdentifier, addOn: symbol.addOn, corners: symbol.corners, event: event)
    }

    /// The symbol as an object, with the keys of `decode-image --json`: `rawValue`, `format`, `rawBytes` (base64),
    /// the optional properties that are known, and `event`.
    public var json: JSON {
        var fields: [String: JSON] = [
            "rawValue": .string(text), "format": .string(symbology.rawValue), "rawBytes": .string(base64),
        ]
        fields["charset"] = charset.map(JSON.string)
        fields["symbologyIdentifier"] = symbologyIdentifier.map(JSON.string)
        fields["addOn"] = addOn.map(JSON.string)
        fields["event"] = event.map(JSON.string)
        if let corners {
            let barcode = DetectedBarcode(symbology: symbology, text: text, corners: corners)
            fields["cornerPoints"] = barcode.json["cornerPoints"]
            fields["boundingBox"] = barcode.json["boundingBox"]
        }
        return .object(fields)
    }
}
