internal import BarcodeCore
public import DecodeReports
internal import FoundationEssentials

extension ScanSighting {
    /// What a report says was read in a picture.
    public init(_ report: DecodeReport, source: ScanSource, evidence: Evidence? = nil) {
        self.init(
            report.symbols, image: PixelSize(width: report.width, height: report.height), source: source,
            evidence: evidence)
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
