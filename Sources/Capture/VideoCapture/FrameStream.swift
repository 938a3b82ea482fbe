internal import BarcodeCore

/// Splits the output of a program into frames: Y4M, JPEG after JPEG, or raw frames of a stated size.
///
/// JPEGs may be the parts of a multipart message (`multipart/x-mixed-replace`): the text between them is skipped, and
/// its lengths are not believed. It has no I/O, and holds at most one incomplete frame and the bytes of one append.
struct FrameStream {
    /// A complete frame.
    struct Frame {
        var format: CaptureFormat
        /// The luma of a raw frame with its padding, or a JPEG.
        var bytes: [UInt8]
    }

    /// The largest JPEG in bytes.
    static let maximumJPEGBytes = 32 << 20
    /// The most bytes before or between JPEGs: headers, and what cameras pad frames with.
    static let maximumGap = 65_536
    /// The fault of output without frames.
    static let noFrames =
        "writes no frames that can be read; let it write Y4M, JPEG after JPEG, or raw frames and state their #size= "
        + "and #format="

    private enum Kind {
        case unknown
        case y4m(Y4MHeader)
        case jpeg
        case raw(CaptureFormat)
    }

    /// The JPEGs so far that were cut off or damaged.
    private(set) var broken = 0

    private let limits: Limits
    private var kind: Kind
    private var buffer: [UInt8] = []
    /// The offset of the first byte of ``buffer`` that is not consumed.
    private var start = 0
    private var scanner: JPEGScanner?
    private var hasJPEG = false
    private var gap = 0

    /// Creates a stream.
    ///
    /// - Parameter raw: the format of raw frames; `nil` to detect Y4M and JPEG.
    init(raw: CaptureFormat? = nil, limits: Limits = .init()) {
        self.limits = limits
        kind = raw.map { .raw($0) } ?? .unknown
    }

    /// Indicates whether a frame has begun and not ended.
    var isInFrame: Bool {
        if case .jpeg = kind { return scanner != nil }
        return available > 0
    }

    /// Indicates whether all output so far is neither Y4M nor JPEG.
    var isWithoutFrames: Bool {
        if case .jpeg = kind { return !hasJPEG && gap + available > 0 }
        return false
    }

    /// Appends output; take all frames with ``next()`` before the next append.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.removeFirst(start)
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next frame; `nil` if more bytes are needed.
    ///
    /// - Throws: ``StreamFault`` if the output has no frames or exceeds a limit; nothing can be read after it.
    mutating func next() throws(StreamFault) -> Frame? {
        if case .unknown = kind { try detect() }
        switch kind {
        case .unknown: return nil
        case .y4m(let header): return try nextY4M(header)
        case .jpeg: return try nextJPEG()
        case .raw(let format):
            guard available >= format.imageBytes else { return nil }
            return take(format, skipping: 0, total: format.imageBytes)
        }
    }

    private var available: Int { buffer.count - start }

    private mutating func detect() throws(StreamFault) {
        let magic = Array(Y4MHeader.magic.utf8)
        guard available > 0 else { return }
        guard buffer[start...].starts(with: magic.prefix(available)) else {
            kind = .jpeg
            return
        }
        guard let line = try line() else { return }
        kind = .y4m(try Y4MHeader(line, limits: limits))
        start += line.utf8.count + 1
    }

    /// Returns the line at the start without its line feed; `nil` if it is incomplete.
    private func line() throws(StreamFault) -> String? {
        let bytes = buffer[start...].prefix(Y4MHeader.maximumLine)
        if let end = bytes.firstIndex(of: 0x0A) {
            guard bytes[..<end].allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                throw StreamFault(message: "writes damaged Y4M: a line of it is not text")
            }
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
        guard bytes.count < Y4MHeader.maximumLine else {
            throw StreamFault(message: "writes damaged Y4M: a line is longer than \(Y4MHeader.maximumLine) bytes")
        }
        return nil
    }

    private mutating func nextY4M(_ header: Y4MHeader) throws(StreamFault) -> Frame? {
        guard available > 0 else { return nil }
        let begins = Array("FRAME".utf8)
        guard buffer[start...].starts(with: begins.prefix(available)) else {
            throw StreamFault(message: "writes damaged Y4M: a frame does not begin with FRAME")
        }
        guard let line = try line() else { return nil }
        let (pixels, first) = (header.size.width * header.size.height, line.utf8.count + 1)
        guard available >= first + pixels + header.chromaBytes else { return nil }
        let format = CaptureFormat(
            pixelFormat: .gray, width: header.size.width, height: header.size.height, bytesPerLine: header.size.width,
            imageBytes: pixels, rate: header.rate)
        return take(format, skipping: first, total: first + pixels + header.chromaBytes)
    }

    /// Consumes `total` bytes, and returns those of the luma, which begins after `first`.
    private mutating func take(_ format: CaptureFormat, skipping first: Int, total: Int) -> Frame {
        let luma = min(format.bytesPerLine * format.height, total - first)
        defer { start += total }
        return Frame(format: format, bytes: Array(buffer[start + first..<start + first + luma]))
    }

    private mutating func nextJPEG() throws(StreamFault) -> Frame? {
        while true {
            if scanner == nil, try !findJPEG() { return nil }
            let outcome = buffer.withUnsafeBytes { bytes in
                scanner?.scan(UnsafeRawBufferPointer(rebasing: bytes[start...])) ?? .incomplete
            }
            switch outcome {
            case .incomplete:
                guard available <= Self.maximumJPEGBytes else {
                    throw StreamFault(message: "writes a JPEG of more than \(Self.maximumJPEGBytes >> 20) MiB")
                }
                return nil
            case .broken(let count):
                scanner = nil
                broken += 1
                start += count
            case .complete(let count):
                scanner = nil
                gap = 0
                defer { start += count }
                let bytes = Array(buffer[start..<start + count])
                guard let size = bytes.withUnsafeBytes({ LumaUnpacking.jpegSize(of: $0) }) else {
                    broken += 1
                    continue
                }
                return Frame(
                    format: CaptureFormat(
                        pixelFormat: .mjpg, width: size.width, height: size.height, bytesPerLine: 0, imageBytes: count),
                    bytes: bytes)
            }
        }
    }

    /// Skips to the start of a JPEG; false if there is none yet.
    private mutating func findJPEG() throws(StreamFault) -> Bool {
        while available >= 3 {
            guard let marker = buffer[start...].firstIndex(of: 0xFF) else {
                try skip(available)
                return false
            }
            try skip(marker - start)
            guard available >= 3 else { return false }
            if buffer[start + 1] == 0xD8, buffer[start + 2] == 0xFF {
                scanner = JPEGScanner()
                hasJPEG = true
                return true
            }
            try skip(1)
        }
        return false
    }

    private mutating func skip(_ count: Int) throws(StreamFault) {
        start += count
        gap += count
        guard gap <= Self.maximumGap else {
            throw StreamFault(message: Self.noFrames)
        }
    }
}
