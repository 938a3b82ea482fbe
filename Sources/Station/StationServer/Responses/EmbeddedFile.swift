internal import CEmbeddedFiles

/// The files that are embedded in the program: the station's page, the parts of `bridge.js`, the API description.
enum EmbeddedFile {
    /// Returns the text of a file; traps unless `CEmbeddedFiles` lists it.
    static func text(_ name: String) -> String { String(cString: qz_embedded_file(name)) }

    /// Returns the text of a file in UTF-8; traps unless `CEmbeddedFiles` lists it.
    static func bytes(_ name: String) -> [UInt8] { Array(text(name).utf8) }

    /// Returns the names of the files of a folder, in alphabetical order.
    static func names(inFolder folder: String) -> [String] {
        var names: [String] = []
        while let name = qz_embedded_name(folder, names.count) { names.append(String(cString: name)) }
        return names
    }
}
