internal import BarcodeCore
internal import DecodeReports
internal import DecodeWorkers

/// A picture to decode, in this process or in a worker.
enum Picture {
    /// A file, by its path.
    case file(PictureName)
    /// The bytes of a file.
    case bytes([UInt8])
    /// Pixels.
    case image(LumaImage)

    /// The name of a picture in memory in its report.
    static let nameInMemory = PictureName("picture")

    /// The name in the report.
    var name: PictureName {
        switch self {
        case .file(let path): path
        case .bytes, .image: Self.nameInMemory
        }
    }

    /// The source for a decoder in this process.
    var source: PictureDecoder.Source {
        switch self {
        case .file(let path): .file(path)
        case .bytes(let bytes): .bytes(bytes)
        case .image(let image): .image(image)
        }
    }

    /// The request to a worker.
    func request(_ settings: Context.Settings) -> WorkerRequest {
        var request =
            switch self {
            case .file(let path): WorkerRequest(path: path)
            case .bytes(let bytes): WorkerRequest(bytes: bytes, name: name)
            case .image(let image):
                WorkerRequest(
                    bytes: image.withUnsafePixels { Array($0) },
                    gray: GrayLayout(width: image.width, height: image.height, bytesPerRow: image.bytesPerRow),
                    name: name)
            }
        (request.options, request.limits, request.page) = (settings.options, settings.limits, settings.page)
        return request
    }
}
