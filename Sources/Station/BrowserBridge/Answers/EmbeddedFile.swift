internal import CEmbeddedFiles

/// The files of `Assets`, which are part of the program.
enum EmbeddedFile {
    /// The text of a file; traps unless `CEmbeddedFiles` lists it.
    static func text(_ name: String) -> String { String(cString: qz_embedded_file(name)) }

    /// The same in UTF-8.
    static func bytes(_ name: String) -> [UInt8] { Array(text(name).utf8) }
}
