internal import BarcodeCore

extension DecodeError {
    /// The error for a picture whose library is not installed.
    ///
    /// - Parameters:
    ///   - kind: what the picture is, with its article.
    ///   - package: the package that has it on Debian and Ubuntu.
    static func missingCodec(_ library: String, for kind: String, package: String) -> DecodeError {
        DecodeError(.missingCodec, "is \(kind), and \(library) is not installed; `apt install \(package)`")
    }

    /// The error for a picture of which the library says why it is none.
    static func broken(_ kind: String, _ detail: String) -> DecodeError {
        DecodeError(.corrupt, detail.isEmpty ? "is \(kind) that is broken" : "is \(kind) that is broken (\(detail))")
    }
}

extension String {
    /// The words of a library that stand in a C array, as far as they are printable.
    static func words<Bytes>(_ bytes: Bytes) -> String {
        withUnsafeBytes(of: bytes) { raw in
            String(decoding: raw.prefix { $0 != 0 }.filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
        }
    }
}
