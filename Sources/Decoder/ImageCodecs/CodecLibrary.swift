/// A library or program that decodes some image formats.
public struct CodecLibrary: Sendable, Hashable {
    /// The name of the library.
    public var name: String
    /// The version; `nil` if it is not installed.
    public var version: String?
    /// The Debian and Ubuntu package that contains it; `nil` for a linked library, without which the programs do
    /// not start.
    public var package: String?

    static func linked(_ name: String, _ version: String) -> CodecLibrary {
        CodecLibrary(name: name, version: version)
    }
}
