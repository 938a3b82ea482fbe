import BarcodeCore
import DecodeReports
import ProgramSupport

/// The result of a run: counts, and the exit status that follows from them.
struct RunStatus: Sendable {
    /// The number of images and documents with a symbol.
    var withSymbol = 0
    /// The number of readable images without a symbol.
    var withoutSymbol = 0
    /// The number of unreadable images, and of documents with an unreadable page.
    var unreadable = 0
    /// The number of symbols.
    var symbols = 0
    /// Indicates whether something else failed, such as reading a folder or list.
    var hasFailed = false
    /// Indicates whether output could not be written.
    var hasLostOutput = false

    /// The first symbols found: the names of their symbologies, and their texts.
    var found: [(title: String, text: String)] = []
    /// The maximum number of symbols to remember.
    private static let maximumFound = 100_000

    /// The exit status for the images on which an earlier run has reported.
    var earlierStatus: Int32 = 0

    /// The number of pages read of documents with several pages.
    var pages = 0

    /// The combined result of the reports on an image or on the pages of a document.
    struct Tally {
        var isUnreadable = false
        var hasSymbol = false
    }

    /// Adds a report to the tally of its image or document.
    mutating func add(_ report: DecodeReport, to tally: inout Tally) {
        if report.error != nil { tally.isUnreadable = true }
        if !report.symbols.isEmpty { tally.hasSymbol = true }
        symbols += report.symbols.count
        // A report on pages that were not read has no page.
        if report.pages ?? 1 > 1, report.page != nil, report.error?.code != .noSuchPage { pages += 1 }
        if report.warnings.contains(where: { $0.code == .notWritten }) { hasFailed = true }
    }

    /// Remembers the symbols in the order of output, because reports arrive in any order.
    mutating func remember(_ report: DecodeReport) {
        for symbol in report.symbols.prefix(Self.maximumFound - found.count) {
            found.append((symbol.symbology.traits.title, symbol.text))
        }
    }

    /// Counts an image or document whose reports are complete.
    mutating func close(_ tally: Tally) {
        if tally.isUnreadable {
            unreadable += 1
        } else if tally.hasSymbol {
            withSymbol += 1
        } else {
            withoutSymbol += 1
        }
    }

    /// Adds the result of an image on which an earlier run has reported.
    mutating func passOver(_ tally: Tally) {
        var earlier = RunStatus()
        earlier.close(tally)
        earlierStatus = Self.worse(earlierStatus, earlier.exitStatus)
    }

    /// A failure takes precedence over an image without a symbol.
    private static func worse(_ one: Int32, _ other: Int32) -> Int32 {
        one == 1 || other == 1 ? 1 : max(one, other)
    }

    var pictures: Int { withSymbol + withoutSymbol + unreadable }

    /// The exit status 0, 4 or 1, as in zbarimg.
    var exitStatus: Int32 {
        if unreadable > 0 || hasFailed || hasLostOutput { return 1 }
        return Self.worse(earlierStatus, withoutSymbol > 0 ? 4 : 0)
    }

    /// The counts as a sentence.
    var summary: String {
        var parts = ["\(symbols.counted("symbol")) in \(pictures.counted("picture"))"]
        if pages > 0 { parts[0] += " with \(pages.counted("page"))" }
        if withoutSymbol > 0 { parts.append("\(withoutSymbol) without a symbol") }
        if unreadable > 0 { parts.append("\(unreadable) that could not be read") }
        return parts.joined(separator: ", ")
    }
}
