public import BarcodeCore
internal import CLinux
internal import Glibc

/// An open file that can be decoded several times: page by page, or in another view; or pixels in place of one.
///
/// A PDF stays on disk for the program that renders its pages; the bytes of all other files are in memory.
public final class PictureFile {
    private let content: Content

    private enum Content: ~Copyable {
        case bytes(FileBytes)
        case array([UInt8])
        case document(Descriptor)
        case image(LumaImage)
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

    init(image: LumaImage) {
        content = .image(image)
    }

    func load(_ loader: ImageLoader, scale: Int) throws(DecodeError) -> LoadedImage {
        switch content {
        case .bytes(let bytes):
            return try bytes.withBytes { (bytes) throws(DecodeError) in try loader.load(bytes, scale: scale) }
        case .array(let bytes):
            return try loader.load(bytes, scale: scale)
        case .document(let file):
            return try PDFDecoder(loader: loader).decode(descriptor: file.number)
        case .image(let image):
            return LoadedImage(image: image, width: image.width, height: image.height, format: .pnm)
        }
    }

    /// Returns the image whose raw pixels are the bytes of the file.
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
            throw DecodeError(.invalidRequest, "is a document, not raw pixels; decode it without a GrayLayout")
        case .image(let pixels):
            image = pixels
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
        case .image:
            return nil
        }
    }
}

/// A descriptor that is closed with the value.
package struct Descriptor: ~Copyable {
    /// The number of the open file.
    package let number: CInt

    init(number: CInt) {
        self.number = number
    }

    /// Creates a file in memory that contains `bytes`.
    static func inMemory(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> Descriptor {
        Descriptor(number: try MemoryFile.open(holding: bytes))
    }

    deinit {
        if number >= 0 { close(number) }
    }
}

extension ImageLoader {
    /// Opens the file at a path that need not be UTF-8; it has no terminating zero byte.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - isPicture: whether the file is in an image format, instead of raw pixels for ``load(_:as:)``.
    /// - Throws: ``DecodeError`` about `path`, see ``load(contentsOf:scale:)-(String,_)``.
    public func open(_ path: [UInt8], isPicture: Bool = true) throws(DecodeError) -> PictureFile {
        do throws(DecodeError) {
            let reader = FileReader(limits: limits, timeout: streamTimeout)
            let descriptor = try FileReader.open(path: path)
            if isPicture, let size = PDFDecoder.size(ofDocument: descriptor.number), knows(.pdf) {
                try limits.check(fileBytes: size)
                return PictureFile(document: descriptor)
            }
            return PictureFile(bytes: try reader.read(descriptor: descriptor.number, isOpenFile: false))
        } catch {
            throw error.about(String(decoding: path, as: UTF8.self))
        }
    }

    /// Opens a file for another process, which decodes it by ``open(passed:path:isPicture:)``.
    ///
    /// A link in a folder of pictures may lead to a pipe of this process, such as its standard input: reading it would
    /// take the requests for other pictures away.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - isOfThisProcess: whether a path below `/dev` or `/proc` may be an open file of this process, such as
    ///     `/dev/stdin`.
    /// - Throws: ``DecodeError`` about `path`: `notFound`, `permissionDenied`, `resourceShortage` or `unreadable`.
    package static func openForPassing(_ path: [UInt8], isOfThisProcess: Bool = true) throws(DecodeError) -> Descriptor
    {
        do throws(DecodeError) {
            let follows = isOfThisProcess && ["/dev/", "/proc/"].contains { path.starts(with: $0.utf8) }
            return try FileReader.open(path: path, followsProcessLinks: follows)
        } catch {
            throw error.about(String(decoding: path, as: UTF8.self))
        }
    }

    /// Opens a file that another process has opened for this one, which may not open it itself.
    ///
    /// A document is copied to memory, because the program that renders it opens it anew. The caller closes `passed`.
    /// - Throws: ``DecodeError`` about `path`, see ``load(contentsOf:scale:)-(String,_)``.
    package func open(passed: CInt, path: [UInt8], isPicture: Bool = true) throws(DecodeError) -> PictureFile {
        do throws(DecodeError) {
            let bytes = try FileReader(limits: limits, timeout: streamTimeout)
                .read(descriptor: passed, isOpenFile: false)
            guard isPicture, knows(.pdf), PDFDecoder.size(ofDocument: passed) != nil else {
                return PictureFile(bytes: bytes)
            }
            return try bytes.withBytes { (bytes) throws(DecodeError) in
                PictureFile(document: try Descriptor.inMemory(bytes))
            }
        } catch {
            throw error.about(String(decoding: path, as: UTF8.self))
        }
    }

    /// Reads an open file, such as standard input, from its current offset to its end.
    ///
    /// The descriptor stays open, and the caller closes it.
    /// - Throws: ``DecodeError`` without a subject, see ``load(contentsOf:scale:)-(String,_)``.
    public func open(fileDescriptor: CInt) throws(DecodeError) -> PictureFile {
        PictureFile(bytes: try FileReader(limits: limits, timeout: streamTimeout).read(descriptor: fileDescriptor))
    }

    /// Opens bytes in memory.
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

    /// Opens pixels in memory.
    public func open(_ image: LumaImage) -> PictureFile { PictureFile(image: image) }

    /// Loads the bytes of an open file as raw pixels.
    ///
    /// - Throws: the errors of `GrayLayout.image(in:limits:)`.
    public func load(_ file: PictureFile, as gray: GrayLayout) throws(DecodeError) -> LoadedImage {
        try file.load(as: gray, limits: limits)
    }

    /// Decodes an open file.
    ///
    /// - Throws: ``DecodeError`` without a subject, see ``load(_:scale:)-(UnsafeRawBufferPointer,_)``.
    public func load(_ file: PictureFile, scale: Int = 1) throws(DecodeError) -> LoadedImage {
        try file.load(self, scale: scale)
    }

    /// Returns the number of pages of a document; `nil` for an image, or if it cannot be determined.
    public func pages(of file: PictureFile) -> Int? { file.pages(self) }

    private func knows(_ format: ImageFormat) -> Bool { decoders.contains { $0.format == format } }
}
