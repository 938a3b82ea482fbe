internal import BarcodeCore

extension Symbol {
    /// The symbol that a reader read in `image`.
    init(_ reading: Reading, in image: LumaImage) {
        var decoded = TextDecoder.decode(reading.bytes, segments: reading.segments)
        if reading.format != .qrCode, decoded.charset.source == .validity, decoded.charset.name == "us-ascii" {
            decoded.charset.source = .symbology
        }
        self.init(
            format: reading.format, symbologyIdentifier: SymbologyIdentifier.of(reading),
            bytes: Self.packet(of: reading), text: decoded.text, charset: decoded.charset,
            addOn: reading.addOn.map { String(decoding: $0, as: UTF8.self) },
            corners: reading.corners, orientation: reading.orientation, quality: reading.quality,
            structuredAppend: reading.structuredAppend)
    }

    /// The data packet that the symbology identifier announces.
    ///
    /// For EAN and UPC that is the number in its full form of 13 digits (8 for EAN-8), then the digits of an add-on
    /// (ISO/IEC 15424, table of `]E`); for the rest the message as it is.
    private static func packet(of reading: Reading) -> [UInt8] {
        let number =
            switch reading.format {
            case .upcA: [UInt8(ascii: "0")] + reading.bytes
            case .upcE: UPCENumber.expanded(reading.bytes) ?? reading.bytes
            default: reading.bytes
            }
        return number + (reading.addOn ?? [])
    }
}
