internal import DecodeReports
internal import DecodeWorkers
internal import FoundationEssentials
internal import NIOPosix
internal import Synchronization

/// A page of a picture or document as a small picture, to show the locations of its codes.
struct PageImage: Encodable {
    /// The page number, from 1; absent for a picture.
    var page: Int?
    /// The size in pixels that corners refer to; the small picture itself has fewer pixels.
    var width: Int
    var height: Int
    /// A gray JPEG as a `data:` URL.
    var image: String
}

/// The pictures of the pages of one upload, which the workers write during decoding.
final class PageImages: Sendable {
    /// The maximum number of pages with a picture; more would make a response of many megabytes.
    static let maximumPages = 40
    private static let maximumBytes = 1 << 20

    private let folder: UploadFolder
    private let images = Mutex<[Int: PageImage]>([:])

    init(folder: UploadFolder) {
        self.folder = folder
    }

    /// The pictures so far, in page order.
    var all: [PageImage] { images.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

    /// Decodes a page, and keeps its picture.
    ///
    /// A missing picture, for example for lack of disk space, does not stop the decoding.
    func take(
        _ request: WorkerRequest, by decode: @Sendable (WorkerRequest) async -> DecodeReport
    ) async -> DecodeReport {
        let page = request.page.number
        guard page <= Self.maximumPages, let file = try? UploadFile(folder: folder, name: nil) else {
            return await decode(request)
        }
        var request = request
        request.annotation = PictureName(file.path)
        let report = await decode(request)
        guard report.error == nil, let bytes = try? await file.bytes(atMost: Self.maximumBytes), !bytes.isEmpty else {
            return report
        }
        let image = PageImage(
            page: report.page, width: report.width, height: report.height,
            image: "data:image/jpeg;base64," + Data(bytes).base64EncodedString())
        images.withLock { $0[page] = image }
        return report
    }
}
