import BarcodeCore
import DecodeWorkers
import Glibc

/// What one run is to do: the command line's choices as plain values.
struct RunSettings: Sendable {
    /// What to look for.
    var options = DecodeOptions()
    /// What a picture may cost.
    var limits = Limits()
    /// Which pages of documents are read, and pixels an inch that they are rendered with; nil for what suits a page.
    var pages = PageSelection.all
    var resolution: Double?
    /// The pages of one document that are read at most.
    var maximumPages = 1000
    /// The time for one picture.
    var timeout: Duration = .seconds(30)
    /// How the answers are written.
    var form = OutputForm.text
    /// Whether a NUL and not a line feed stands behind each symbol.
    var isNullSeparated = false
    /// Whether what the messages say is told too, field by field.
    var showsContent = false
    /// The folder for annotated pictures.
    var annotationFolder: String?
    /// The folder for the page that explains how a picture was read.
    var explanationFolder: String?
    /// The file that the answers are added to and that says which pictures are done; nil for standard output.
    var resumedFile: String?
    /// Whether standard error stays empty.
    var isQuiet = false
    /// How many pictures are decoded at the same time.
    var jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// What one worker may take.
    var workerMegabytes = 2048

    /// The forms of an answer.
    enum OutputForm: Sendable {
        case text, json, raw, xml, table
    }

    /// A writer of the chosen form.
    ///
    /// `isAlone` says that there is one picture only, which needs no name; its pages are named all the same.
    func makeFormatter(isAlone: Bool) -> any ReportFormatter {
        let contentYear = showsContent ? Self.currentYear : nil
        return switch form {
        case .text:
            TextFormatter(
                namesPictures: !isAlone, isNullSeparated: isNullSeparated, isForTerminal: isatty(STDOUT_FILENO) == 1,
                contentYear: contentYear)
        case .json: JSONFormatter(contentYear: contentYear)
        case .raw: RawFormatter(isNullSeparated: isNullSeparated)
        case .xml: XMLFormatter(isForTerminal: isatty(STDOUT_FILENO) == 1)
        case .table: TableFormatter()
        }
    }

    /// The year of the clock, in UTC.
    static var currentYear: Int {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        return Int(parts.tm_year) + 1900
    }
}
