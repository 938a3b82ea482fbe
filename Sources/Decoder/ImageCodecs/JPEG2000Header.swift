internal import BarcodeCore

/// What a JPEG 2000 says of itself before anything of it is decoded.
///
/// Source: ITU-T T.800, A.5.1 "Image and tile size (SIZ)", A.6.1 "Coding style default (COD)" and I "JP2 file format".
struct JPEG2000Header {
    let width, height: Int
    /// Tiles, and components of color.
    let tiles, components: Int
    /// Whether the file has no boxes around the codestream.
    let isCodestream: Bool
    /// Whether brightness and color are apart: by the transform inside of the codestream, or as sYCC.
    let hasColorTransform: Bool
    /// Whether samples are indices into a table of colors.
    let hasPalette: Bool
    /// Whether the codestream has no end.
    let isCutOff: Bool

    /// Whether the first bytes are those of the boxes or of the codestream.
    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.hasBytes([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || bytes.hasBytes([0xFF, 0x4F, 0xFF, 0x51])
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        isCodestream = bytes.hasBytes([0xFF, 0x4F])
        var hasPalette = false
        var isYCC = false
        var stream = bytes
        if !isCodestream {
            guard let found = MediaBoxes(bytes).first(where: { $0.name == "jp2c" })?.payload else {
                throw .nothingDecoded(cutOff: true)
            }
            stream = found
            if let header = MediaBoxes(bytes).first(where: { $0.name == "jp2h" })?.payload {
                for box in MediaBoxes(header) {
                    if box.name == "pclr" { hasPalette = true }
                    // The method 1, an enumerated space, and its number 18.
                    if box.name == "colr", box.payload.first == 1, box.payload.bigEndian32(at: 3) == 18 { isYCC = true }
                }
            }
        }
        guard stream.hasBytes([0xFF, 0x4F, 0xFF, 0x51]), let right = stream.bigEndian32(at: 8),
            let bottom = stream.bigEndian32(at: 12), let left = stream.bigEndian32(at: 16),
            let top = stream.bigEndian32(at: 20), let tileWidth = stream.bigEndian32(at: 24),
            let tileHeight = stream.bigEndian32(at: 28), let tileLeft = stream.bigEndian32(at: 32),
            let tileTop = stream.bigEndian32(at: 36), let components = stream.bigEndian16(at: 40)
        else { throw .nothingDecoded(cutOff: bytes.count < 256) }
        guard tileWidth > 0, tileHeight > 0, tileLeft <= left, tileTop <= top, (1...16_384).contains(components) else {
            throw .broken("a JPEG 2000", "its header")
        }
        width = right - left
        height = bottom - top
        tiles = ((right - tileLeft + tileWidth - 1) / tileWidth) * ((bottom - tileTop + tileHeight - 1) / tileHeight)
        guard tiles <= 65_535 else { throw .broken("a JPEG 2000", "the number of its tiles") }
        self.components = components
        self.hasPalette = hasPalette
        hasColorTransform = components == 1 || isYCC || Self.usesTransform(stream)
        isCutOff = !Self.hasEnd(stream)
    }

    /// Whether the marker EOC stands near the end; padding may follow.
    private static func hasEnd(_ stream: UnsafeRawBufferPointer) -> Bool {
        let end = stream.suffix(16)
        return end.indices.dropLast().contains { end[$0] == 0xFF && end[$0 + 1] == 0xD9 }
    }

    /// What COD says of the transform of the first three components.
    private static func usesTransform(_ stream: UnsafeRawBufferPointer) -> Bool {
        var position = 2
        while let marker = stream.bigEndian16(at: position), let length = stream.bigEndian16(at: position + 2),
            length >= 2, marker != 0xFF90
        {
            if marker == 0xFF52 { return stream.slice(at: position + 8, count: 1)?[0] == 1 }
            position += 2 + length
        }
        return false
    }
}
