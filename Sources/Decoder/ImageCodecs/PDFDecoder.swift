internal import BarcodeCore
internal import Glibc

/// Decodes a page of a PDF, which `pdftoppm` of Poppler renders in its own process.
///
/// A page that consists of one scanned image is rendered in the resolution of that image, pixel for pixel; if that
/// is above the usual resolution, the usual one comes first. Any other page is rendered again at twice the usual
/// resolution if it has no symbols.
struct PDFDecoder {
    private static let usual = 300.0
    private static let fine = 600.0
    /// The resolution in pixels per inch below which a scan is also searched at the usual one, for content on top
    /// of it.
    private static let coarse = 200.0
    /// The rendering time above which a page is not rendered in a higher resolution.
    private static let slow: Duration = .seconds(3)

    /// The Debian and Ubuntu package that contains `pdftoppm`.
    static let package = "poppler-utils"

    static var library: CodecLibrary {
        // The output is "pdftoppm version 22.12.0" and lines about its authors, on standard error.
        var words: Substring?
        do throws(DecodeError) {
            var program = try DocumentProgram(["pdftoppm", "-v"], document: STDIN_FILENO, timeout: .seconds(5))
            _ = try program.text(atMost: 1)
            words = program.complaint.split(separator: ";").first
        } catch {}
        return CodecLibrary(
            name: "pdftoppm", version: words?.split(separator: " ").last.map { String($0) },
            package: package)
    }

    /// Indicates whether the PDF signature is in the first kilobyte, where readers look for it.
    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let mark = Array("%PDF-".utf8)
        let start = bytes.prefix(1024)
        return start.indices.contains { start[$0] == mark[0] && bytes.hasBytes(mark, at: $0) }
    }

    /// Returns the size of a regular file that begins with the PDF signature, in bytes; `nil` for any other file.
    static func size(ofDocument descriptor: CInt) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 4 else {
            return nil
        }
        var start = [UInt8](repeating: 0, count: 16)
        guard pread(descriptor, &start, start.count, 0) > 4 else { return nil }
        return start.starts(with: Array("%PDF-".utf8)) ? Int(status.st_size) : nil
    }

    let loader: ImageLoader

    func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LoadedImage {
        let file = try Descriptor.inMemory(bytes)
        return try decode(descriptor: file.number)
    }

    func decode(descriptor: CInt) throws(DecodeError) -> LoadedImage {
        let deadline = ContinuousClock.now + loader.renderTimeout
        let page = try PDFPage(loader.page, of: descriptor, timeout: loader.renderTimeout)
        let views = views(of: page)
        let view = views[min(max(0, loader.view), views.count - 1)]
        do throws(DecodeError) {
            try loader.limits.check(width: view.size.width, height: view.size.height)
        } catch {
            let place = "page \(loader.page) at \(Int(view.resolution.rounded())) pixels per inch"
            throw DecodeError(error.code, "\(error.message); this is \(place); choose fewer (--dpi)")
        }
        let start = ContinuousClock.now
        let image = try render(view, isTurned: page.isTurned, descriptor, timeout: deadline - start)
        var picture = LoadedImage(image: image, width: image.width, height: image.height, format: .pdf)
        picture.page = loader.page
        picture.pages = page.pages
        picture.resolution = Double(image.width) * PDFPage.pointsPerInch / page.width
        picture.hasFurtherView = loader.view + 1 < views.count && ContinuousClock.now - start < Self.slow
        return picture
    }

    /// A page size in pixels, and its resolution in pixels per inch.
    private typealias View = (size: PixelSize, resolution: Double)

    /// Returns the views of a page, in the order in which they are tried until a symbol is found.
    private func views(of page: PDFPage) -> [View] {
        if let resolution = loader.resolution { return [(page.size(resolution), resolution)] }
        let usual = (page.size(Self.usual), Self.usual)
        var views = [usual]
        if let scan = page.scan {
            let own = view(of: scan, page)
            let resolution = own.resolution
            views = resolution > Self.usual ? [usual, own] : resolution < Self.coarse ? [own, usual] : [own]
        } else {
            views.append((page.size(Self.fine), Self.fine))
        }
        // Views above the size limits are dropped, except the first.
        return views.prefix(1) + views.dropFirst().filter { (try? loader.limits.check($0.0)) != nil }
    }

    /// Returns the view of a page in the pixels of the image that fills it.
    private func view(of scan: PixelSize, _ page: PDFPage) -> View {
        let across = Double(scan.width) * PDFPage.pointsPerInch / page.width
        guard page.isTurned else { return (scan, across) }
        // One resolution for both directions, see render(): the higher one, so that no pixel is lost.
        let resolution = max(across, Double(scan.height) * PDFPage.pointsPerInch / page.height)
        return (page.size(resolution), resolution)
    }

    /// The error for a page that needs too much memory to render.
    private var tooLarge: DecodeError {
        DecodeError(
            .tooLarge,
            "page \(loader.page) needs more memory to render than is available; choose fewer pixels per inch (--dpi)")
    }

    private func render(
        _ view: View, isTurned: Bool, _ document: CInt, timeout: Duration
    ) throws(DecodeError) -> LumaImage {
        let size = view.size
        // Poppler scales a page to the given sides before it rotates it, which swaps them. A resolution is the same
        // for both sides.
        let scale =
            isTurned
            ? ["-r", "\(view.resolution)"] : ["-scale-to-x", "\(size.width)", "-scale-to-y", "\(size.height)"]
        var program = try DocumentProgram(
            ["pdftoppm", "-gray", "-cropbox", "-f", "\(loader.page)", "-l", "\(loader.page)"] + scale
                + [DocumentProgram.document],
            document: document, timeout: timeout)
        // "P5", the sides and the value of white, each followed by one white space, then the pixels.
        var numbers: [Int] = []
        var token: [UInt8] = []
        while numbers.count < 3 {
            let byte = try program.byte()
            guard let byte, token.count < 12 else {
                if program.isOutOfMemory { throw tooLarge }
                let reason = program.complaint
                throw DecodeError(.corrupt, "could not be rendered: \(reason.isEmpty ? "pdftoppm ended" : reason)")
            }
            if byte > 0x20 {
                token.append(byte)
            } else {
                if let number = Int(String(decoding: token, as: UTF8.self)) { numbers.append(number) }
                token = []
            }
        }
        let (width, height) = (numbers[0], numbers[1])
        // If Poppler runs out of memory, it outputs a page of one pixel.
        guard abs(width - size.width) <= 1, abs(height - size.height) <= 1 else { throw tooLarge }
        try loader.limits.check(width: width, height: height)
        return try LumaImage(width: width, height: height) { (pixels) throws(DecodeError) in
            let rows = try program.fill(UnsafeMutableRawBufferPointer(pixels)) / width
            guard rows == height else {
                if program.isOutOfMemory { throw tooLarge }
                throw DecodeError(.corrupt, "could not be rendered: pdftoppm ended after \(rows) of \(height) rows")
            }
        }
    }
}

extension DocumentProgram {
    /// Reads the next byte; `nil` at the end.
    fileprivate mutating func byte() throws(DecodeError) -> UInt8? {
        var byte: UInt8 = 0
        let result: Result<Int, DecodeError> = withUnsafeMutableBytes(of: &byte) { buffer in
            do throws(DecodeError) { return .success(try fill(buffer)) } catch { return .failure(error) }
        }
        return try result.get() == 0 ? nil : byte
    }
}

extension Limits {
    fileprivate func check(_ size: PixelSize) throws(DecodeError) {
        try check(width: size.width, height: size.height)
    }
}
