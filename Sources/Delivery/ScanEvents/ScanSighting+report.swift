internal import BarcodeCore
public import DecodeReports
internal import FoundationEssentials

extension ScanSighting {
    /// What a report says was read in a picture.
    public init(_ report: DecodeReport, source: ScanSource, evidence: Evidence? = nil) {
        self.init([report], source: source, evidence: evidence)
    }

    /// What the reports on the pages of one document say was read, page by page.
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
    /// The file that a report is about; the exact bytes of a name that is no UTF-8 stand in the details, base64.
    public init(kind: Kind, fileOf report: DecodeReport) {
        self.init(
            kind: kind, name: report.source,
            details: report.sourceBytes.map { ["nameBytes": Data($0).base64EncodedString()] })
    }
}
