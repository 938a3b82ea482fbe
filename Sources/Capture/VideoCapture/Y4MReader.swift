internal import BarcodeCore
internal import Glibc

/// Reads the luma of a YUV4MPEG2 stream, which has a header line and, for each frame, a line and its planes.
///
/// The format is that of mjpegtools' `yuv4mpeg(5)`. Only eight bits per sample are supported, with any chroma
/// layout.
final class Y4MReader {
    private static let magic = Y4MHeader.magic
    private let header: Y4MHeader
    private let file: UnsafeMutablePointer<FILE>
    private let path: String
    private var isDamaged = false

    /// The frames per second; `nil` if the header does not say.
    var rate: Double? { header.rate }

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
        let header: Y4MHeader
        do throws(StreamFault) {
            header = try Y4MHeader(line, limits: limits)
        } catch {
            throw CaptureError(.badRecording, error.message, subject: path)
        }
        self.file = file
        self.path = path
        self.header = header
        isKept = true
    }

    deinit {
        fclose(file)
    }

    /// Returns the next frame; `nil` at the end.
    func next() throws(CaptureError) -> LumaImage? {
        let next = getc(file)
        guard next != EOF, !isDamaged else { return nil }
        ungetc(next, file)
        guard Self.line(of: file)?.hasPrefix("FRAME") == true else {
            isDamaged = true
            throw CaptureError(.badRecording, "is damaged: a frame does not begin with FRAME", subject: path)
        }
        var isWhole = false
        let image = LumaImage(width: header.size.width, height: header.size.height) { pixels in
            let count = fread(pixels.baseAddress, 1, pixels.count, file)
            isWhole = count == pixels.count
            if !isWhole { pixels[count...].update(repeating: 255) }
        }
        guard isWhole, skip(header.chromaBytes) else {
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
        while bytes.count < Y4MHeader.maximumLine {
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
}
