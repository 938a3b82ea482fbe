public import BarcodeCore
internal import CRendering
internal import Glibc

/// A file that is open to be decoded, once or several times: page by page, or in another view.
///
/// A PDF stays on the disk, for the program that renders its pages; of all others the bytes are in memory.
public final class PictureFile {
    private let content: Content

    private enum Content: ~Copyable {
        case bytes(FileBytes)
        case array([UInt8])
        case document(Descriptor)
    }

    init(bytes: consuming FileBytes) {
        content = .bytes(bytes)
    }

    init(document: consuming Descriptor) {
        content = .document(document)
    }

    init(array: [UInt8]) {
        content = .array(array)
    }

    func load(_ loader: ImageLoader, scale: Int) throws(DecodeError) -> LoadedImage {
        switch content {
        case .bytes(let bytes):
            return try bytes.withBytes { (bytes) throws(DecodeError) in try loader.load(bytes, scale: scale) }
        case .array(let bytes):
            return try loader.load(bytes, scale: scale)
        case .document(let file):
            return try PDFDecoder(loader: loader).decode(descriptor: file.number)
        }
    }

    /// The picture whose pixels stand in the bytes as they are.
    func load(as gray: GrayLayout, limits: Limits) throws(DecodeError) -> LoadedImage {
        let image: LumaImage
        switch content {
        case .bytes(let bytes):
            image = try bytes.withBytes { (bytes) throws(DecodeError) in try gray.image(in: bytes, limits: limits) }
        case .array(let bytes):
            let result = bytes.withUnsafeBytes { bytes in
                Result { () throws(DecodeError) in try gray.image(in: bytes, limits: limits) }
            }
            image = try result.get()
        case .document:
            throw DecodeError(.invalidRequest, "is a document, and its bytes are no pixels")
        }
        return LoadedImage(image: image, width: image.width, height: image.height, format: .pnm)
    }

    func pages(_ loader: ImageLoader) -> Int? {
        switch content {
        case .bytes(let bytes):
            return try? bytes.withBytes { (bytes) throws(DecodeError) in try TIFFDecoder(loader: loader).pages(bytes) }
        case .array(let bytes):
            return bytes.withUnsafeBytes { bytes in try? TIFFDecoder(loader: loader).pages(bytes) }
        case .document(let file):
            return try? PDFPage.pages(of: file.number, timeout: loader.renderTimeout)
        }
    }
}

/// An open file of our own, closed at the end.
struct Descriptor: ~Copyable {
    let number: CInt

    init(number: CInt) {
        self.number = number
    }

    /// A file in memory that holds `bytes`.
    static func inMemory(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> Descriptor {
        Descriptor(number: try MemoryFile.open(holding: bytes))
    }

    deinit {
        if number >= 0 { close(number) }
    }
}

extension ImageLoader {
    /// Opens the file at a path whose bytes need not be UTF-8; there is no zero byte at its end.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - isPicture: whether the file is in a picture format, or holds bare pixels for ``load(_:as:)``.
    /// - Throws: ``DecodeError`` about `path`, see ``load(contentsOf:scale:)-(String,_)``.
    public func open(_ path: [UInt8], isPicture: Bool = true) throws(DecodeError) -> PictureFile {
        do throws(DecodeError) {
            let reader = FileReader(limits: limits, timeout: streamTimeout)
            let descriptor = try reader.open(path: path)
            if isPicture, let size = PDFDecoder.size(ofDocument: descriptor.number), knows(.pdf) {
                try limits.check(fileBytes: size)
                return PictureFile(document: descriptor)
            }
            return PictureFile(bytes: try reader.read(descriptor: descriptor.number, isOpenFile: false))
        } catch {
            throw error.about(String(decoding: path, as: UTF8.self))
        }
    }

    /// Reads an open file, such as standard input, from where it stands to its end.
    ///
    /// The descriptor stays open and stays the caller's.
    /// - Throws: ``DecodeError`` without a subject, see ``load(contentsOf:scale:)-(String,_)``.
    public func open(fileDescriptor: CInt) throws(DecodeError) -> PictureFile {
        PictureFile(bytes: try FileReader(limits: limits, timeout: streamTimeout).read(descriptor: fileDescriptor))
    }

    /// Opens bytes that are there already.
    ///
    /// - Throws: ``DecodeError`` without a subject: `tooLarge`, and for a document `outOfMemory`.
    public func open(bytes: [UInt8]) throws(DecodeError) -> PictureFile {
        try limits.check(fileBytes: bytes.count)
        guard knows(.pdf), bytes.starts(with: Array("%PDF-".utf8)) else { return PictureFile(array: bytes) }
        let document = bytes.withUnsafeBytes { bytes in
            Result { () throws(DecodeError) in try PictureFile(document: Descriptor.inMemory(bytes)) }
        }
        return try document.get()
    }

    /// Takes the bytes of an open file for pixels.
    ///
    /// - Throws: what `GrayLayout.image(in:limits:)` throws.
    public func load(_ file: PictureFile, as gray: GrayLayout) throws(DecodeError) -> LoadedImage {
        try file.load(as: gray, limits: limits)
    }

    /// Decodes a file that is open.
    ///
    /// - Throws: ``DecodeError`` without a subject, see ``load(_:scale:)-(UnsafeRawBufferPointer,_)``.
    public func load(_ file: PictureFile, scale: Int = 1) throws(DecodeError) -> LoadedImage {
        try file.load(self, scale: scale)
    }

    /// The pages of a document; nil for a picture, and where even that cannot be told.
    public func pages(of file: PictureFile) -> Int? { file.pages(self) }

    private func knows(_ format: ImageFormat) -> Bool { decoders.contains { $0.format == format } }
}
