internal import BarcodeCore
internal import Glibc

/// Reads the luma of a YUV4MPEG2 stream, which has a header line and, for each frame, a line and its planes.
///
/// The format is that of mjpegtools' `yuv4mpeg(5)`. Only eight bits per sample are supported, with any chroma
/// layout.
final class Y4MReader {
    /// The frames per second; `nil` if the header does not say.
    let rate: Double?

    private static let magic = "YUV4MPEG2"
    private let file: UnsafeMutablePointer<FILE>
    private let path: String
    private let size: PixelSize
    private let chromaBytes: Int

    /// Opens a stream; `nil` if the file is not a YUV4MPEG2 stream.
    init?(path: String, limits: Limits) throws(CaptureError) {
        guard let file = fopen(path, "re") else {
            let cause = SystemError("open", errno: errno)
            throw CaptureError(
                .badRecording, "cannot be read: \(String(cString: strerror(cause.number)))", subject: path,
                cause: cause)
        }
        var isKept = false
        defer { if !isKept { fclose(file) } }
        guard let line = Self.line(of: file), line.hasPrefix(Self.magic) else { return nil }
        var (width, height, rate, chroma) = (0, 0, Double?.none, "420")
        for word in line.split(separator: " ").dropFirst() {
            let value = word.dropFirst()
            switch word.first {
            case "W": width = Int(value) ?? 0
            case "H": height = Int(value) ?? 0
            case "C": chroma = String(value)
            case "F":
                let parts = value.split(separator: ":").compactMap { Double($0) }
                if parts.count == 2, parts[0] > 0, parts[1] > 0 { rate = parts[0] / parts[1] }
            default: break
            }
        }
        do throws(DecodeError) {
            try limits.check(width: width, height: height)
        } catch {
            throw CaptureError(.badRecording, error.message, subject: path)
        }
        guard let chromaBytes = Self.chromaBytes(chroma, width: width, height: height) else {
            throw CaptureError(
                .badRecording,
                "has the layout '\(chroma)', which is not supported; convert it to 8 bits with ffmpeg -pix_fmt yuv420p",
                subject: path)
        }
        self.file = file
        self.path = path
        self.rate = rate
        self.size = PixelSize(width: width, height: height)
        self.chromaBytes = chromaBytes
        isKept = true
    }

    deinit {
        fclose(file)
    }

    /// Returns the next frame; `nil` at the end.
    func next() throws(CaptureError) -> LumaImage? {
        guard let line = Self.line(of: file) else { return nil }
        guard line.hasPrefix("FRAME") else {
            throw CaptureError(.badRecording, "is damaged: a frame does not begin with FRAME", subject: path)
        }
        var isWhole = false
        let image = LumaImage(width: size.width, height: size.height) { pixels in
            let count = fread(pixels.baseAddress, 1, pixels.count, file)
            isWhole = count == pixels.count
            if !isWhole { pixels[count...].update(repeating: 255) }
        }
        guard isWhole, skip(chromaBytes) else {
            throw CaptureError(.badRecording, "is cut off in the middle of a frame", subject: path)
        }
        return image
    }

    /// Skips bytes by reading them, which also works for a pipe.
    private func skip(_ count: Int) -> Bool {
        var left = count
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            while left > 0 {
                let read = fread(buffer.baseAddress, 1, min(left, buffer.count), file)
                if read == 0 { return false }
                left -= read
            }
            return true
        }
    }

    /// Reads a line without its terminator; `nil` at the end of the file, or if a line is longer than any header.
    private static func line(of file: UnsafeMutablePointer<FILE>) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 512 {
            let byte = getc(file)
            if byte == EOF { return nil }
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(UInt8(truncatingIfNeeded: byte))
            // Stops early if this is not a stream: an image need not be read to its first line feed.
            if bytes.count == magic.utf8.count, bytes != Array(magic.utf8), bytes.prefix(5) != Array("FRAME".utf8)[...]
            {
                return nil
            }
        }
        return nil
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
