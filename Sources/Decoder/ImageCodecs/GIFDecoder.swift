internal import BarcodeCore
internal import CImages

/// Decodes a GIF with giflib: the first frame that is not of a single tone, or a later one, drawn over the earlier
/// frames.
struct GIFDecoder {
    /// The most frames that are tried while all are of a single tone.
    private static let maximumFrames = 16

    /// The Debian and Ubuntu package that contains giflib.
    static let package = "libgif7"

    static var library: CodecLibrary {
        CodecLibrary(
            name: "giflib", version: qz_gif_load() == nil ? nil : String(cString: qz_gif_version()),
            package: package)
    }

    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        guard let library = qz_gif_load()?.pointee else {
            throw .missingCodec("giflib", for: "a GIF", package: Self.package)
        }
        let file = try GIFFile(library, bytes)
        // Some encoders omit the size of the logical screen.
        let first = try file.firstFrame()
        let width = file.screenWidth > 0 ? file.screenWidth : first.x + first.width
        let height = file.screenHeight > 0 ? file.screenHeight : first.y + first.height
        try loader.limits.check(width: width, height: height)

        var damage: String?
        var decodedRows = height
        var hasFurtherView = false
        let image = try LumaImage(width: width, height: height) { (pixels) throws(DecodeError) in
            pixels.update(repeating: 255)
            var frame: GIFFile.Frame? = first
            var count = 0
            var shown = 0
            while let next = frame {
                try loader.limits.check(width: next.width, height: next.height)
                let rows = file.draw(next, onto: pixels, width: width, height: height)
                count += 1
                if rows < next.height {
                    // An interlaced frame has all its rows once its first one is decoded, see draw().
                    if count == 1 && !(next.isInterlaced && rows > 0) { decodedRows = min(height, next.y + rows) }
                    guard rows > 0 || count > 1 else { throw .nothingDecoded(cutOff: file.isAtEnd) }
                    damage =
                        file.isAtEnd
                        ? LoadedImage.cutOff(after: rows, of: height) : LoadedImage.broken(after: rows, of: height)
                }
                if rows < next.height || count == Self.maximumFrames { return }
                if Self.showsSomething(pixels) { shown += 1 }
                let isWanted = shown > loader.view
                frame = file.nextFrame()
                if isWanted {
                    hasFurtherView = frame != nil
                    return
                }
                if frame == nil, file.isAtEnd, !file.hasTrailer {
                    damage = LoadedImage.cutOff(after: height, of: height)
                }
            }
        }
        var picture = LoadedImage(
            image: image, width: width, height: height, format: .gif, decodedRows: decodedRows,
            isTruncated: damage != nil,
            damage: damage)
        picture.hasFurtherView = hasFurtherView
        return picture
    }

    private static func showsSomething(_ pixels: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard let first = pixels.first else { return false }
        return pixels.contains { $0 != first }
    }
}

/// The sole owner of an open GIF.
private struct GIFFile: ~Copyable {
    struct Frame {
        var x, y, width, height: Int
        var isInterlaced: Bool
        /// The brightness of each index; `nil` for a transparent one.
        var levels: [UInt8?]
    }

    /// The input of giflib.
    private struct Source {
        var bytes: UnsafeRawBufferPointer
        var position = 0
    }

    private let library: qz_gif
    private let source: UnsafeMutablePointer<Source>
    private let file: UnsafeMutablePointer<GifFileType>

    var screenWidth: Int { Int(file.pointee.SWidth) }
    var screenHeight: Int { Int(file.pointee.SHeight) }

    /// Indicates whether all bytes were read.
    var isAtEnd: Bool { source.pointee.position == source.pointee.bytes.count }

    /// Indicates whether the file ends with the trailer byte.
    var hasTrailer: Bool { source.pointee.bytes.last == 0x3B }

    init(_ library: qz_gif, _ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
        source.initialize(to: Source(bytes: bytes))
        var code: CInt = 0
        let file = library.DGifOpen(
            source,
            { file, target, wanted in
                guard let source = file?.pointee.UserData?.assumingMemoryBound(to: Source.self), let target else {
                    return 0
                }
                let left = source.pointee.bytes.count - source.pointee.position
                guard wanted > 0, left > 0, let base = source.pointee.bytes.baseAddress else { return 0 }
                let count = min(Int(wanted), left)
                UnsafeMutableRawPointer(target).copyMemory(from: base + source.pointee.position, byteCount: count)
                source.pointee.position += count
                return CInt(count)
            }, &code)
        guard let file else {
            let isAtEnd = source.pointee.position == bytes.count
            source.deallocate()
            throw isAtEnd ? .nothingDecoded(cutOff: true) : .broken("a GIF", "error \(code) in its header")
        }
        self.library = library
        self.source = source
        self.file = file
    }

    deinit {
        _ = library.DGifCloseFile(file, nil)
        source.deallocate()
    }

    func firstFrame() throws(DecodeError) -> Frame {
        guard let frame = nextFrame() else { throw .nothingDecoded(cutOff: isAtEnd) }
        return frame
    }

    /// Reads the header of the next frame; `nil` at the end of the file.
    func nextFrame() -> Frame? {
        var transparent: Int?
        var kind = UNDEFINED_RECORD_TYPE
        while library.DGifGetRecordType(file, &kind) == GIF_OK {
            switch kind {
            case EXTENSION_RECORD_TYPE:
                guard readExtension(transparent: &transparent) else { return nil }
            case IMAGE_DESC_RECORD_TYPE:
                guard library.DGifGetImageDesc(file) == GIF_OK else { return nil }
                let place = file.pointee.Image
                guard place.Width > 0, place.Height > 0, place.Left >= 0, place.Top >= 0 else { return nil }
                return Frame(
                    x: Int(place.Left), y: Int(place.Top), width: Int(place.Width), height: Int(place.Height),
                    isInterlaced: place.Interlace, levels: levels(transparent: transparent))
            default:
                return nil
            }
        }
        return nil
    }

    private func readExtension(transparent: inout Int?) -> Bool {
        var code: CInt = 0
        var block: UnsafeMutablePointer<GifByteType>?
        guard library.DGifGetExtension(file, &code, &block) == GIF_OK else { return false }
        // The graphic control extension: its length, flags, two bytes of delay, and the transparent index.
        if code == GRAPHICS_EXT_FUNC_CODE, let block, block[0] >= 4, block[1] & 1 == 1 { transparent = Int(block[4]) }
        while block != nil {
            guard library.DGifGetExtensionNext(file, &block) == GIF_OK else { return false }
        }
        return true
    }

    private func levels(transparent: Int?) -> [UInt8?] {
        let map = file.pointee.Image.ColorMap ?? file.pointee.SColorMap
        var levels = [UInt8?](repeating: 0, count: 256)
        if let map, let colors = map.pointee.Colors {
            for index in 0..<min(256, Int(map.pointee.ColorCount)) {
                let color = colors[index]
                levels[index] = LumaConversion.luma(red: color.Red, green: color.Green, blue: color.Blue)
            }
        }
        if let transparent { levels[transparent] = nil }
        return levels
    }

    /// Draws the visible part of a frame, and returns the number of its decoded rows.
    func draw(_ frame: Frame, onto pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int) -> Int {
        var line = [GifPixelType](repeating: 0, count: frame.width)
        // The four passes of an interlaced frame: the first row and the row step of each.
        let passes = frame.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        var rows = 0
        var isThere = [Bool](repeating: false, count: frame.height)
        for (start, step) in passes {
            for row in Swift.stride(from: start, to: frame.height, by: step) {
                guard library.DGifGetLine(file, &line, CInt(frame.width)) == GIF_OK else {
                    // Each row fills the missing ones below it, as viewers show a frame that is still loading.
                    if frame.isInterlaced && rows > 0 {
                        let columns = frame.x..<max(frame.x, min(width, frame.x + frame.width))
                        for row in 1..<frame.height where !isThere[row] && frame.y + row < height {
                            let target = (frame.y + row) * width
                            for x in columns { pixels[target + x] = pixels[target - width + x] }
                        }
                    }
                    return rows
                }
                rows += 1
                isThere[row] = true
                let y = frame.y + row
                guard y < height, frame.x < width else { continue }
                for x in 0..<min(frame.width, width - frame.x) {
                    if let level = frame.levels[Int(line[x])] { pixels[y * width + frame.x + x] = level }
                }
            }
        }
        return rows
    }
}
