public import BarcodeCore

/// A symbol as pages are told of it.
public struct BridgeSymbol: Sendable, Hashable {
    /// The kind of symbol.
    public var symbology: Symbology
    /// The message as text; of bytes that are no text each is the character of its number, see docs/reference/text.md.
    public var text: String
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The character set that the text was decoded by, such as `utf-8` or `binary`; nil where unknown.
    public var charset: String?
    /// The AIM symbology identifier, such as `]Q1`; nil where unknown.
    public var symbologyIdentifier: String?
    /// The digits of an EAN or UPC add-on.
    public var addOn: String?
    /// The four corners, in pixels of the picture; nil where unknown.
    public var corners: Quadrilateral?
    /// The event that the symbol was stored as; nil where it was not.
    public var event: String?

    /// A symbol with what is known of it.
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

    /// A symbol that was read, and the event that it was stored as.
    public init(_ symbol: Symbol, event: String? = nil) {
        self.init(
            symbology: symbol.symbology, text: symbol.text, bytes: symbol.bytes, charset: symbol.charset.name,
            symbologyIdentifier: symbol.symbologyIdentifier, addOn: symbol.addOn, corners: symbol.corners, event: event)
    }

    /// The symbol as an object, with the names of `decode-image --json`: `rawValue`, `format`, `rawBytes` (base64) and
    /// what else is known; `event` besides.
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
