internal import BarcodeCore

extension DecodeError {
    /// Returns the error for an image whose library is not installed.
    ///
    /// - Parameters:
    ///   - kind: the kind of image, with its article.
    ///   - package: the Debian and Ubuntu package that contains the library.
    static func missingCodec(_ library: String, for kind: String, package: String) -> DecodeError {
        DecodeError(.missingCodec, "is \(kind), and \(library) is not installed; `apt install \(package)`")
    }

    /// Returns the error for an invalid image, with the reason of the library.
    static func broken(_ kind: String, _ detail: String) -> DecodeError {
        DecodeError(.corrupt, detail.isEmpty ? "is \(kind) that is broken" : "is \(kind) that is broken (\(detail))")
    }
}

extension String {
    /// Returns the printable text of a library's message in a C array.
    static func words<Bytes>(_ bytes: Bytes) -> String {
        withUnsafeBytes(of: bytes) { raw in
            String(decoding: raw.prefix { $0 != 0 }.filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
        }
    }
}
