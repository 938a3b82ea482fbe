import BarcodeCore
import BarcodeDecoding
import DecodeReports
import Glibc
import ImageCodecs
import ProgramSupport
import Symbols

/// The folder of `--explain`: a page and its pictures, nothing from elsewhere.
struct ExplanationFolder {
    private let folder: [UInt8]

    init(_ folder: String) {
        self.folder = RawArguments.name(folder).bytes
    }

    /// Makes the folder where it is missing.
    ///
    /// - Throws: ``DecodeError`` naming the folder.
    func makeFolder() throws(DecodeError) {
        try make(folder)
    }

    private func make(_ folder: [UInt8]) throws(DecodeError) {
        if FileKind(of: folder) == .folder { return }
        guard folder.withCString({ mkdir($0, 0o777) }) == 0 else {
            throw DecodeError(
                .unreadable, "the folder for the explanation cannot be made: \(ErrorNumber.text)",
                subject: PictureName(bytes: folder).display)
        }
    }

    /// Reads the picture once more, listening, and writes what was heard; of a page of a document to a folder of its own.
    ///
    /// - Throws: ``DecodeError`` naming the file that cannot be written, or that of the decoder.
    func write(
        _ image: LumaImage, name: String, page number: Int?, settings: RunSettings
    ) throws(DecodeError) {
        var events: [SearchEvent] = []
        let symbols = try BarcodeDecoder(limits: settings.limits).decode(image, options: settings.options) {
            events.append($0)
        }
        let own = number.map { folder + Array("/page-\($0)".utf8) } ?? folder
        try make(own)
        var page = ExplanationPage(image, name: number.map { "\(name), page \($0)" } ?? name)
        for event in events { page.add(event) }
        page.finish(symbols, effort: settings.options.effort)
        for picture in page.pictures {
            try write(
                PNGWriter.encode(rgb: picture.rgb, width: picture.width, height: picture.height), to: picture.name,
                in: own)
        }
        try write(Array(page.html.utf8), to: "index.html", in: own)
    }

    private func write(_ bytes: [UInt8], to name: String, in folder: [UInt8]) throws(DecodeError) {
        let path = PictureName(bytes: folder + [0x2F] + Array(name.utf8))
        do throws(OutputFile.Fault) {
            try OutputFile.write(bytes, to: path.bytes)
        } catch {
            throw DecodeError(
                .unreadable, "was read, but its explanation \(path.display) cannot be written: \(error)")
        }
    }
}
