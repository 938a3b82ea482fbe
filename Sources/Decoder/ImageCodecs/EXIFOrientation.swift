/// Reads the EXIF orientation, a number from 1 to 8.
///
/// libexif is not used: it parses whole EXIF blocks of JPEG files into allocated trees, and only one tag from three
/// kinds of container is needed.
enum EXIFOrientation {
    private static let tag = 0x0112
    private static let short = 3

    /// Returns the orientation in a TIFF structure, with or without `Exif\0\0` before it; `nil` if there is none.
    static func read(tiff block: UnsafeRawBufferPointer) -> Int? {
        var tiff = block
        if block.hasText("Exif\0\0") {
            tiff = UnsafeRawBufferPointer(rebasing: block.dropFirst(6))
        }
        let isLittle = tiff.hasBytes([0x49, 0x49, 0x2A, 0x00])
        guard isLittle || tiff.hasBytes([0x4D, 0x4D, 0x00, 0x2A]) else { return nil }
        func number16(_ offset: Int) -> Int? {
            isLittle ? tiff.littleEndian16(at: offset) : tiff.bigEndian16(at: offset)
        }
        guard let directory = isLittle ? tiff.littleEndian32(at: 4) : tiff.bigEndian32(at: 4),
            let entries = number16(directory)
        else { return nil }
        for index in 0..<entries {
            let entry = directory + 2 + 12 * index
            guard let found = number16(entry) else { return nil }
            guard found == tag, number16(entry + 2) == short else { continue }
            guard let value = number16(entry + 8), (1...8).contains(value) else { return nil }
            return value
        }
        return nil
    }

    /// Returns the orientation in the APP1 segment of a JPEG, which comes before the first scan.
    static func read(jpeg: UnsafeRawBufferPointer) -> Int? {
        let exif = 0xE1
        var position = 2
        while let mark = jpeg.bigEndian16(at: position), mark > 0xFF00 {
            let kind = mark & 0xFF
            // 0xFF may be repeated before a marker.
            if kind == 0xFF {
                position += 1
                continue
            }
            // The scan data, or the end of the image.
            if kind == 0xDA || kind == 0xD9 { return nil }
            guard let length = jpeg.bigEndian16(at: position + 2), length >= 2,
                let segment = jpeg.slice(at: position + 4, count: length - 2)
            else { return nil }
            if kind == exif, segment.hasText("Exif\0\0"), let found = read(tiff: segment) {
                return found
            }
            position += 2 + length
        }
        return nil
    }

    /// Returns the orientation in the eXIf chunk of a PNG, which may come before or after the pixels.
    static func read(png: UnsafeRawBufferPointer) -> Int? {
        PNGChunks(png).first { $0.name == "eXIf" }.flatMap { read(tiff: $0.payload) }
    }
}
