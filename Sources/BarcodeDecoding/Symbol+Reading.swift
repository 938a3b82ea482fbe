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
            bytes: reading.bytes + (reading.addOn ?? []), text: decoded.text, charset: decoded.charset,
            addOn: reading.addOn.map { String(decoding: $0, as: UTF8.self) },
            corners: reading.corners, orientation: reading.orientation, quality: reading.quality,
            structuredAppend: reading.structuredAppend)
    }
}
