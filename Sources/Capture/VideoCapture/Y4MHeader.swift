internal import BarcodeCore

/// A fault in a stream of frames: a clause that follows the name of the file or command.
struct StreamFault: Error, Sendable, Hashable {
    var message: String
}

/// The header line of a YUV4MPEG2 stream.
struct Y4MHeader: Sendable, Hashable {
    /// The first characters of a stream.
    static let magic = "YUV4MPEG2"
    /// The longest line in bytes: the header, or the line before a frame.
    static let maximumLine = 512

    /// The size in pixels, within the limits.
    let size: PixelSize
    /// The bytes that follow the luma of a frame.
    let chromaBytes: Int
    /// The frames per second; `nil` if the header does not say.
    let rate: Double?

    /// Parses a header line without its line feed.
    init(_ line: String, limits: Limits) throws(StreamFault) {
        var (width, height, rate, chroma) = (0, 0, Double?.none, "420")
        for word in line.split(separator: " ").dropFirst() {
            let value = word.dropFirst()
            switch word.first {
            case "W": width = Int(value) ?? 0
            case "H": height = Int(value) ?? 0
            case "C": chroma = String(value)
            case "F":
                let parts = value.split(separator: ":").compactMap { Double($0) }
                // Any other rate is that of no camera, and its interval may be no number.
                if parts.count == 2, (0.001...100_000).contains(parts[0] / parts[1]) { rate = parts[0] / parts[1] }
            default: break
            }
        }
        do throws(DecodeError) {
            try limits.check(width: width, height: height)
        } catch {
            throw StreamFault(message: error.message)
        }
        guard let chromaBytes = Self.chromaBytes(chroma, width: width, height: height) else {
            throw StreamFault(
                message: "has the layout '\(chroma)', which is not supported; convert it to 8 bits with ffmpeg "
                    + "-pix_fmt yuv420p")
        }
        self.size = PixelSize(width: width, height: height)
        self.chromaBytes = chromaBytes
        self.rate = rate
    }

    private static func chromaBytes(_ name: String, width: Int, height: Int) -> Int? {
        switch name {
        case "mono": 0
        case "420", "420jpeg", "420mpeg2", "420paldv": (width + 1) / 2 * ((height + 1) / 2) * 2
        case "411": (width + 3) / 4 * height * 2
        case "422": (width + 1) / 2 * height * 2
        case "444": width * height * 2
        case "444alpha": width * height * 3
        default: nil
        }
    }
}
