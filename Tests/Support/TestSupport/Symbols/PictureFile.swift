package import BarcodeCore
import Glibc

/// Saves the pictures of failed tests for inspection.
package enum PictureFile {
    package struct NotWritten: Error {
        package var file: String
    }

    /// Writes a PGM to the folder for temporary files, and returns its path.
    package static func write(_ image: LumaImage, name: String) throws -> String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let path = "\(folder)/quietzone-\(name).pgm"
        var bytes = Array("P5 \(image.width) \(image.height) 255\n".utf8)
        for y in 0..<image.height {
            for x in 0..<image.width { bytes.append(image[x: x, y: y]) }
        }
        guard let file = fopen(path, "wb") else { throw NotWritten(file: path) }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count else { throw NotWritten(file: path) }
        return path
    }
}
