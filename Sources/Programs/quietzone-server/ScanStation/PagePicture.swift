import BarcodeCore
import DecodeWorkers
import Glibc
import ImageCodecs

/// The image of a document page for the station's web page, which draws outlines over it.
enum PagePicture {
    /// The maximum length of a side in pixels, at which a page of text is still recognizable.
    private static let maximumSide = 1100

    /// Writes a page, scaled down, as a gray JPEG to an existing file.
    ///
    /// - Throws: ``DecodeError`` if it cannot be written.
    static func write(_ image: LumaImage, to path: PictureName) throws(DecodeError) {
        var small = image
        while max(small.width, small.height) > maximumSide && min(small.width, small.height) > 1 {
            small = small.halved()
        }
        let bytes = try JPEGWriter.encode(small, quality: 60)
        let file = (path.bytes + [0]).withUnsafeBytes { path in
            path.bindMemory(to: CChar.self).baseAddress.flatMap { fopen($0, "r+e") }
        }
        let written = file.map { fwrite(bytes, 1, bytes.count, $0) }
        guard let file, fclose(file) == 0, written == bytes.count else {
            throw DecodeError(.unreadable, "the picture of the page cannot be written")
        }
    }
}
