public import BarcodeCore

extension ImageLoader {
    /// Reads and decodes the file at a path.
    ///
    /// The file may be a pipe or a terminal, which is read to its end.
    /// - Throws: ``DecodeError`` about `path`: `notFound`, `permissionDenied`, `isDirectory`, `unreadable`,
    ///   `timedOut` if a pipe is silent for ``streamTimeout``, and the errors of decoding the bytes.
    public func load(contentsOf path: String, scale: Int = 1) throws(DecodeError) -> LoadedImage {
        try load(contentsOf: Array(path.utf8), scale: scale)
    }

    /// Reads and decodes the file at a path that need not be UTF-8; it has no terminating zero byte.
    ///
    /// - Throws: the errors of ``load(contentsOf:scale:)-(String,_)``; the subject is the path with invalid UTF-8
    ///   replaced.
    public func load(contentsOf path: [UInt8], scale: Int = 1) throws(DecodeError) -> LoadedImage {
        do throws(DecodeError) {
            return try load(open(path), scale: scale)
        } catch {
            throw error.about(String(decoding: path, as: UTF8.self))
        }
    }

    /// Reads and decodes the file at a path in a C string, such as an argument of the program.
    ///
    /// - Throws: the errors of ``load(contentsOf:scale:)-([UInt8],_)``.
    public func load(contentsOfCString path: UnsafePointer<CChar>, scale: Int = 1) throws(DecodeError) -> LoadedImage {
        var bytes: [UInt8] = []
        var next = path
        while next.pointee != 0 {
            bytes.append(UInt8(bitPattern: next.pointee))
            next += 1
        }
        return try load(contentsOf: bytes, scale: scale)
    }

    /// Reads an open file, such as standard input, from its current offset to its end, and decodes it.
    ///
    /// The descriptor stays open, and the caller closes it.
    /// - Throws: the errors of ``load(contentsOf:scale:)-(String,_)``, without a subject.
    public func load(fileDescriptor: CInt, scale: Int = 1) throws(DecodeError) -> LoadedImage {
        try load(open(fileDescriptor: fileDescriptor), scale: scale)
    }
}
