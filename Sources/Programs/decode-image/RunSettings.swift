import BarcodeCore
import DecodeWorkers
import Glibc
import SymbolContent

/// The settings of a run: the command-line options as plain values.
struct RunSettings: Sendable {
    /// The decoding options.
    var options = DecodeOptions()
    /// The resource limits for an image.
    var limits = Limits()
    /// The pages of documents to read, and the rendering resolution in pixels per inch; `nil` to choose it for each
    /// page.
    var pages = PageSelection.all
    var resolution: Double?
    /// The maximum number of pages read of one document.
    var maximumPages = 1000
    /// The timeout for one image.
    var timeout: Duration = .seconds(30)
    /// The output format.
    var form = OutputForm.text
    /// Indicates whether each symbol ends with a NUL instead of a line feed.
    var isNullSeparated = false
    /// Indicates whether the parsed content is shown, field by field.
    var showsContent = false
    /// The keys to check the signatures of messages with; `nil` to check none.
    var signingKeys: SigningKeys?
    /// Indicates whether messages that are spread over several symbols are joined after the last image.
    var joinsMessages = false
    /// The folder for annotated images.
    var annotationFolder: String?
    /// The folder for the web page that explains how an image was read.
    var explanationFolder: String?
    /// The file to append reports to and to resume from; `nil` for standard output.
    var resumedFile: String?
    /// Indicates whether standard error stays empty.
    var isQuiet = false
    /// The number of images decoded concurrently.
    var jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// The memory limit of one worker, in MiB.
    var workerMegabytes = 2048

    /// The output formats.
    enum OutputForm: Sendable {
        case text, json, raw, xml, table
    }

    /// Creates a formatter for the output format.
    ///
    /// If `isAlone` is true, there is only one image, which needs no name; its pages are named nevertheless.
    func makeFormatter(isAlone: Bool) -> any ReportFormatter {
        let contentYear = showsContent ? Self.currentYear : nil
        let formatter: any ReportFormatter =
            switch form {
            case .text:
                TextFormatter(
                    namesPictures: !isAlone, isNullSeparated: isNullSeparated,
                    isForTerminal: isatty(STDOUT_FILENO) == 1,
                    contentYear: contentYear, signingKeys: signingKeys, isExplained: explanationFolder != nil)
            case .json: JSONFormatter(contentYear: contentYear, signingKeys: signingKeys)
            case .raw: RawFormatter(isNullSeparated: isNullSeparated)
            case .xml: XMLFormatter(isForTerminal: isatty(STDOUT_FILENO) == 1)
            case .table: TableFormatter()
            }
        guard joinsMessages else { return formatter }
        return JoiningFormatter(formatter, isJSON: form == .json, contentYear: contentYear, signingKeys: signingKeys)
    }

    /// The current year in UTC.
    static var currentYear: Int {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        return Int(parts.tm_year) + 1900
    }
}
