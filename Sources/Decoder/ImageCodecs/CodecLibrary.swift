/// A library, or a program, that decodes pictures of some formats.
public struct CodecLibrary: Sendable, Hashable {
    /// Its own name.
    public var name: String
    /// Its version; nil where it is not installed.
    public var version: String?
    /// The package of Debian and Ubuntu that has it; nil for a library without which the programs do not start.
    public var package: String?

    static func linked(_ name: String, _ version: String) -> CodecLibrary {
        CodecLibrary(name: name, version: version)
    }
}
