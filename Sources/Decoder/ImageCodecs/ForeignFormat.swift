internal import BarcodeCore

/// Unsupported but common formats, with their names and remedies.
enum ForeignFormat {
    /// Returns the error for bytes in an unsupported format.
    static func refusal(of bytes: UnsafeRawBufferPointer, readable decoders: [ImageDecoder]) -> DecodeError {
        let known = "\(ImageFormat.titles(of: decoders)) can be read"
        guard let (what, remedy) = identify(bytes) else {
            return DecodeError(.unsupportedFormat, "is not a picture of a known format; \(known)")
        }
        // The problem comes first, then the remedy.
        let advice = remedy.map { "; \($0)" } ?? ""
        return DecodeError(.unsupportedFormat, "is \(what), not a picture that can be read\(advice); \(known)")
    }

    private static let viaConvert = "convert it to PNG with ImageMagick's `convert`"

    private static func identify(_ bytes: UnsafeRawBufferPointer) -> (what: String, remedy: String?)? {
        if bytes.hasText("%!PS") { return ("PostScript", viaConvert) }
        if bytes.hasText("ftyp", at: 4) { return ("a video", nil) }
        if bytes.hasText("P7") { return ("a PAM", "convert it to PPM with `pamtopnm`") }
        if bytes.hasText("PK") { return ("a ZIP archive or an office document", "unpack it first") }
        if bytes.hasBytes([0x1F, 0x8B]) { return ("a gzip archive", "unpack it first") }
        if bytes.hasText("RIFF") { return ("a sound or a video", nil) }
        return text(bytes)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> (String, String?)? {
        let start = bytes.prefix(256)
        guard start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else { return nil }
        let lowered = String(decoding: start, as: UTF8.self).lowercased()
        if lowered.contains("<svg") { return ("an SVG", "convert it to PNG with `rsvg-convert`") }
        if lowered.contains("<!doctype html") || lowered.contains("<html") {
            return ("a web page", "it may have been saved instead of the picture")
        }
        return ("a text file", nil)
    }
}
