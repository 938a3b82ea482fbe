import BarcodeCore
import DecodeReports
import ProgramSupport

/// What a run came to: counts, and the exit status that follows from them.
struct RunStatus: Sendable {
    /// Pictures with a symbol.
    var withSymbol = 0
    /// Pictures that were read and hold none.
    var withoutSymbol = 0
    /// Pictures that could not be read.
    var unreadable = 0
    /// All the symbols.
    var symbols = 0
    /// Whether something else went wrong, such as a folder or list that cannot be read.
    var hasFailed = false
    /// Whether output could not be written.
    var hasLostOutput = false

    mutating func count(_ report: DecodeReport) {
        if report.error != nil {
            unreadable += 1
        } else if report.symbols.isEmpty {
            withoutSymbol += 1
        } else {
            withSymbol += 1
        }
        symbols += report.symbols.count
        if report.warnings.contains(where: { $0.code == .notWritten }) { hasFailed = true }
    }

    var pictures: Int { withSymbol + withoutSymbol + unreadable }

    /// 0, 4 or 1, as zbarimg's users know them.
    var exitStatus: Int32 {
        if unreadable > 0 || hasFailed || hasLostOutput { return 1 }
        return withoutSymbol > 0 ? 4 : 0
    }

    /// The counts as a sentence.
    var summary: String {
        var parts = ["\(symbols.counted("symbol")) in \(pictures.counted("picture"))"]
        if withoutSymbol > 0 { parts.append("\(withoutSymbol) without a symbol") }
        if unreadable > 0 { parts.append("\(unreadable) that could not be read") }
        return parts.joined(separator: ", ")
    }
}
