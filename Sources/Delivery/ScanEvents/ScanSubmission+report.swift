internal import BarcodeCore
public import DecodeReports
internal import FoundationEssentials

extension ScanSubmission {
    /// Creates a submission from the report on an image.
    public init(_ report: DecodeReport, source: ScanSource, evidence: Evidence? = nil) {
        self.init([report], source: source, evidence: evidence)
    }

    /// Creates a submission from the reports on the pages of one document, page by page.
    public init(_ reports: [DecodeReport], source: ScanSource, evidence: Evidence? = nil) {
        let symbols = reports.flatMap { report in
            report.symbols.map { symbol in
                var scanned = ScannedSymbol(symbol, image: PixelSize(width: report.width, height: report.height))
                if report.pages != nil { (scanned.page, scanned.pages) = (report.page, report.pages) }
                return scanned
            }
        }
        self.init(symbols: symbols, source: source, evidence: evidence)
    }
}

extension ScanSource {
    /// Creates the source of a report.
    ///
    /// If the file name is not valid UTF-8, its bytes are in the details, as base64.
    public init(kind: Kind, fileOf report: DecodeReport) {
        self.init(
            kind: kind, name: report.source,
            details: report.sourceBytes.map { ["nameBytes": Data($0).base64EncodedString()] })
    }
}
