import BarcodeCore
import DecodeReports
import ProgramSupport

/// What a run came to: counts, and the exit status that follows from them.
struct RunStatus: Sendable {
    /// Pictures and documents with a symbol.
    var withSymbol = 0
    /// Pictures that were read and hold none.
    var withoutSymbol = 0
    /// Pictures that could not be read, and documents with a page that could not.
    var unreadable = 0
    /// All the symbols.
    var symbols = 0
    /// Whether something else went wrong, such as a folder or list that cannot be read.
    var hasFailed = false
    /// Whether output could not be written.
    var hasLostOutput = false

    /// The first symbols that were read: the names of their symbologies, and their texts.
    var found: [(title: String, text: String)] = []
    /// How many of them are remembered.
    private static let maximumFound = 100

    /// The exit status of the pictures that an earlier run has answered.
    var earlierStatus: Int32 = 0

    /// Pages of documents that have several.
    var pages = 0

    /// What the reports on the pages of one document, or on a picture, come to.
    struct Tally {
        var isUnreadable = false
        var hasSymbol = false
    }

    /// Adds a report to the tally of its picture or document.
    mutating func add(_ report: DecodeReport, to tally: inout Tally) {
        if report.error != nil { tally.isUnreadable = true }
        if !report.symbols.isEmpty { tally.hasSymbol = true }
        symbols += report.symbols.count
        if report.pages ?? 1 > 1 { pages += 1 }
        if report.warnings.contains(where: { $0.code == .notWritten }) { hasFailed = true }
    }

    /// Remembers what was read, as it is written: reports come in any order.
    mutating func remember(_ report: DecodeReport) {
        for symbol in report.symbols.prefix(Self.maximumFound - found.count) {
            found.append((symbol.symbology.traits.title, symbol.text))
        }
    }

    /// Counts a picture or document whose reports are all there.
    mutating func close(_ tally: Tally) {
        if tally.isUnreadable {
            unreadable += 1
        } else if tally.hasSymbol {
            withSymbol += 1
        } else {
            withoutSymbol += 1
        }
    }

    /// Notes the result of a picture that an earlier run has answered: the file says of it what it said then.
    mutating func passOver(_ tally: Tally) {
        var earlier = RunStatus()
        earlier.close(tally)
        earlierStatus = Self.worse(earlierStatus, earlier.exitStatus)
    }

    /// A failure counts for more than a picture without a symbol.
    private static func worse(_ one: Int32, _ other: Int32) -> Int32 {
        one == 1 || other == 1 ? 1 : max(one, other)
    }

    var pictures: Int { withSymbol + withoutSymbol + unreadable }

    /// 0, 4 or 1, as zbarimg's users know them.
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
