internal import BarcodeCore

/// The header of a JPEG 2000, parsed before decoding.
///
/// Source: ITU-T T.800, A.5.1 "Image and tile size (SIZ)", A.6.1 "Coding style default (COD)" and I "JP2 file
/// format".
struct JPEG2000Header {
    let width, height: Int
    /// The numbers of tiles and of color components.
    let tiles, components: Int
    /// Indicates whether the file is a bare codestream without boxes.
    let isCodestream: Bool
    /// Indicates whether luma and chroma are separate, by the transform in the codestream or as sYCC.
    let hasColorTransform: Bool
    /// Indicates whether samples are palette indices.
    let hasPalette: Bool
    /// Indicates whether the codestream lacks its end marker.
    let isCutOff: Bool

    /// Indicates whether the first bytes are those of the boxes or of the codestream.
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
                    // Method 1 is an enumerated color space; 18 is sYCC.
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
        let across = (right - tileLeft + tileWidth - 1) / tileWidth
        let down = (bottom - tileTop + tileHeight - 1) / tileHeight
        // Each alone first: the product of two numbers of 32 bits may overflow.
        guard across <= 65_535, down <= 65_535, across * down <= 65_535 else {
            throw .broken("a JPEG 2000", "the number of its tiles")
        }
        tiles = across * down
        self.components = components
        self.hasPalette = hasPalette
        hasColorTransform = components == 1 || isYCC || Self.usesTransform(stream)
        isCutOff = !Self.hasEnd(stream)
    }

    /// Indicates whether the EOC marker is near the end; padding may follow.
    private static func hasEnd(_ stream: UnsafeRawBufferPointer) -> Bool {
        let end = stream.suffix(16)
        return end.indices.dropLast().contains { end[$0] == 0xFF && end[$0 + 1] == 0xD9 }
    }

    /// Indicates whether the COD marker declares a transform of the first three components.
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
