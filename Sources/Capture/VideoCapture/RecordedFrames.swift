public import BarcodeCore
internal import Glibc
internal import ImageCodecs

/// Recorded frames in place of a camera: a folder of images, one image, or a YUV4MPEG2 stream (`.y4m`).
///
/// The kind is detected from the content, not from the name. Only the luma plane of a stream is read; `ffmpeg -i
/// clip.mp4 clip.y4m` makes one. Every frame is read on demand.
public struct RecordedFrames: ~Copyable {
    /// The frames per second of the recording; `nil` for images.
    public let rate: Double?

    private enum Source {
        case pictures([String])
        case stream(Y4MReader)
    }

    /// Indicates whether the frames are image files, each of which may be broken by itself, instead of a stream.
    public var holdsPictures: Bool {
        if case .pictures = source { true } else { false }
    }

    private var source: Source
    private let path: String
    private let limits: Limits
    private var count: UInt32 = 0

    /// Opens a recording.
    ///
    /// - Throws: ``CaptureError`` with the code `not_found`, `permission_denied` or `bad_recording`.
    public init(path: String, limits: Limits = .init()) throws(CaptureError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let cause = SystemError("stat", errno: errno)
            throw cause.number == ENOENT
                ? CaptureError(.notFound, "there is no such recording", subject: path, cause: cause)
                : CaptureError(
                    .badRecording, "cannot be read: \(String(cString: strerror(cause.number)))", subject: path,
                    cause: cause)
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            source = .pictures(try Self.files(in: path))
            rate = nil
        } else if let reader = try Y4MReader(path: path, limits: limits) {
            source = .stream(reader)
            rate = reader.rate
        } else {
            source = .pictures([path])
            rate = nil
        }
        // Not before: Swift 6.2 would destroy them uninitialized where this throws.
        self.path = path
        self.limits = limits
    }

    /// Returns the next frame; `nil` at the end.
    ///
    /// Its timestamp is the time of this call, as if it were exposed now.
    /// - Throws: ``CaptureError`` with the code `bad_recording`: for an unreadable image, after which the next one
    ///   can be read, or for a damaged stream, which ends it.
    public mutating func next() throws(CaptureError) -> CapturedFrame? {
        switch source {
        case .pictures(let paths):
            guard Int(count) < paths.count else { return nil }
            let file = paths[Int(count)]
            count += 1
            do throws(DecodeError) {
                let image = try ImageLoader(limits: limits).load(contentsOf: file).image
                return frame(image, source: file)
            } catch {
                throw CaptureError(.badRecording, error.message, subject: file)
            }
        case .stream(let reader):
            guard let image = try reader.next() else { return nil }
            count += 1
            return frame(image, source: path)
        }
    }

    private func frame(_ image: LumaImage, source: String) -> CapturedFrame {
        CapturedFrame(image: image, timestamp: .monotonicNow, sequence: count - 1, source: source)
    }

    private static func files(in folder: String) throws(CaptureError) -> [String] {
        let names: [[UInt8]]
        do {
            names = try FolderNames.all(in: Array(folder.utf8))
        } catch {
            throw CaptureError(.permissionDenied, "this folder cannot be read: \(error.reason)", subject: folder)
        }
        let endings = ImageFormat.fileExtensions.map { "." + $0 }
        var found: [String] = []
        for bytes in names {
            let name = String(decoding: bytes, as: UTF8.self)
            // The bytes determine the format; the extension only tells images from other files.
            let lower = name.lowercased()
            if !name.hasPrefix("."), endings.contains(where: lower.hasSuffix) { found.append("\(folder)/\(name)") }
        }
        guard !found.isEmpty else {
            throw CaptureError(
                .badRecording, "contains no picture (\(endings.joined(separator: ", ")))", subject: folder)
        }
        return found.sorted()
    }
}
