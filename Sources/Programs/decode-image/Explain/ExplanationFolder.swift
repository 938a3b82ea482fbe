import BarcodeCore
import BarcodeDecoding
import DecodeReports
import Glibc
import ImageCodecs
import ProgramSupport
import Symbols

/// The folder of `--explain`: a web page and its images, without external resources.
struct ExplanationFolder {
    private let folder: [UInt8]

    init(_ folder: String) {
        self.folder = RawArguments.name(folder).bytes
    }

    /// Creates the folder if it does not exist.
    ///
    /// - Throws: ``DecodeError`` with the name of the folder.
    func makeFolder() throws(DecodeError) {
        try make(folder)
    }

    private func make(_ folder: [UInt8]) throws(DecodeError) {
        if FileKind(of: folder) == .folder { return }
        guard folder.withPath({ mkdir($0, 0o777) }) == 0 else {
            throw DecodeError(
                .unreadable, "the folder for the explanation cannot be created: \(ErrorNumber.text)",
                subject: PictureName(bytes: folder).display)
        }
    }

    /// Reads the image again, records the search events, and writes the explanation.
    ///
    /// Each page of a document gets its own folder.
    ///
    /// - Throws: ``DecodeError`` of the decoder, or with the name of the file that cannot be written.
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
            try write(picture.image.png(), to: picture.name, in: own, replacingOnly: AnnotatedPicture.mark)
        }
        try write(Array(page.html.utf8), to: "index.html", in: own, replacingOnly: ExplanationPage.mark)
    }

    private func write(
        _ bytes: [UInt8], to name: String, in folder: [UInt8], replacingOnly mark: String
    ) throws(DecodeError) {
        let path = PictureName(bytes: folder + [0x2F] + Array(name.utf8))
        do throws(OutputFile.Fault) {
            try OutputFile.write(bytes, to: path.bytes, replacingOnly: mark)
        } catch {
            throw DecodeError(
                .unreadable, "was read, but its explanation \(path.display) cannot be written: \(error)")
        }
    }
}
