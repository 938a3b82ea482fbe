import BarcodeCore
import DecodeReports
import Glibc
import ProgramSupport
import Synchronization

/// Names for annotated images in one folder: the image's own name and `.png`, with a number if that is taken.
final class AnnotationNames: Sendable {
    private let folder: [UInt8]
    private let used = Mutex<Set<[UInt8]>>([])

    /// Creates names in `folder`; `nil` if it is `nil`.
    init?(folder: String?) {
        guard let folder else { return nil }
        self.folder = RawArguments.name(folder).bytes
    }

    /// The folder.
    var folderName: PictureName { PictureName(bytes: folder) }

    /// The folder as an argument of a worker, which must be UTF-8; for any other name a folder above it.
    var folderForWorkers: String { String(validating: folder, as: UTF8.self) ?? "/" }

    /// Creates the folder if it does not exist.
    ///
    /// - Throws: ``DecodeError`` with the name of the folder.
    func makeFolder() throws(DecodeError) {
        if FileKind(of: folder) == .folder { return }
        guard folder.withPath({ mkdir($0, 0o777) }) == 0 else {
            throw DecodeError(
                .unreadable, "the folder for annotated pictures cannot be created: \(ErrorNumber.text)",
                subject: PictureName(bytes: folder).display)
        }
    }

    /// The file for the next image, or for a page of a document; an image has no page.
    func next(for picture: PictureName, page: Int? = nil) -> PictureName {
        let own =
            picture.bytes == Array("-".utf8)
            ? Array("stdin".utf8) : Array(picture.bytes.split(separator: 0x2F).last ?? [])
        let last = page.map { own + Array("-page-\($0)".utf8) } ?? own
        return used.withLock { used in
            var name = last + Array(".png".utf8)
            var number = 2
            while !used.insert(name).inserted {
                name = last + Array("-\(number).png".utf8)
                number += 1
            }
            return PictureName(bytes: folder + [0x2F] + name)
        }
    }
}
