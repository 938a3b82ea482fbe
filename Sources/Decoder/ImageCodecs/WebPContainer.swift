internal import BarcodeCore
internal import CWebP

/// The first frame of a WebP, with the properties of its container.
struct WebPContainer {
    struct Frame {
        /// The input of libwebp: a whole file, or the chunks of one frame.
        var data: UnsafeRawBufferPointer
        /// The offset of the frame in the image, in pixels.
        var x = 0, y = 0
        var width, height: Int
        var hasAlpha: Bool
        var isLossless: Bool

        /// The bytes that decoding needs besides the image.
        ///
        /// These are two quarters of chroma, alpha, and four bytes per pixel inside libwebp for lossless data,
        /// which includes alpha.
        var workingBytes: Int {
            let pixels = width * height
            return pixels / 2 + (hasAlpha ? 2 * pixels : 0) + (isLossless ? 4 * pixels : 0)
        }
    }

    /// The size of the image, or of the canvas of an animation, in pixels.
    var width, height: Int
    var frame: Frame
    var orientation: Int?
    /// Indicates whether the file is shorter than its header says.
    var isCutOff: Bool

    /// Finds the first frame.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        guard let length = bytes.littleEndian32(at: 4) else { throw .nothingDecoded(cutOff: true) }
        isCutOff = bytes.count < length + 8
        guard let features = Self.features(bytes) else { throw .nothingDecoded(cutOff: isCutOff) }
        width = Int(features.width)
        height = Int(features.height)
        orientation = RIFFChunks(bytes, from: 12).first { $0.name == "EXIF" }
            .flatMap { EXIFOrientation.read(tiff: $0.payload) }
        if features.has_animation == 0 {
            frame = Frame(data: bytes, features)
        } else {
            guard let first = Self.firstFrame(bytes),
                first.x + first.width <= width, first.y + first.height <= height
            else { throw .nothingDecoded(cutOff: isCutOff) }
            frame = first
        }
    }

    private static func features(_ bytes: UnsafeRawBufferPointer) -> WebPBitstreamFeatures? {
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, &features)
        return status == VP8_STATUS_OK ? features : nil
    }

    /// Parses the first animation frame.
    ///
    /// Source: WebP Container Specification, "Animation": 16 bytes of position, size and duration, then the frame's
    /// chunks.
    private static func firstFrame(_ bytes: UnsafeRawBufferPointer) -> Frame? {
        guard let chunk = RIFFChunks(bytes, from: 12).first(where: { $0.name == "ANMF" }),
            let x = chunk.payload.littleEndian24(at: 0), let y = chunk.payload.littleEndian24(at: 3),
            chunk.payload.count > 16
        else { return nil }
        let data = UnsafeRawBufferPointer(rebasing: chunk.payload.dropFirst(16))
        guard let features = features(data) else { return nil }
        var frame = Frame(data: data, features)
        frame.x = 2 * x
        frame.y = 2 * y
        return frame
    }
}

extension WebPContainer.Frame {
    fileprivate init(data: UnsafeRawBufferPointer, _ features: WebPBitstreamFeatures) {
        self.data = data
        width = Int(features.width)
        height = Int(features.height)
        hasAlpha = features.has_alpha != 0
        isLossless = features.format == 2
    }
}
