internal import BarcodeCore
internal import CQuietzone
internal import DecodeReports
internal import Synchronization

/// A report in the form of C: texts that end with a zero byte and live as long as the result.
final class DecodeResult: Sendable {
    struct SymbolTexts: Sendable {
        let text: CText
        let bytes: CText
        let format: CText
        let identifier: CText
    }

    let report: DecodeReport
    let status: quietzone_status
    let message: CText
    let symbols: [SymbolTexts]
    /// The JSON of the report, which few callers need; made when it is asked for.
    private let reportJSON = Mutex<CText?>(nil)
    /// The JSON of symbols, by their index.
    private let symbolJSON = Mutex<[Int: CText]>([:])

    init(_ report: DecodeReport) {
        self.report = report
        status = StatusRow.status(of: report.error)
        let error = report.error.map { $0.subject == nil ? $0.about(report.source) : $0 }
        message = CText(error?.description ?? "")
        symbols = report.symbols.map {
            SymbolTexts(
                text: CText($0.text), bytes: CText($0.bytes), format: CText($0.symbology.rawValue),
                identifier: CText($0.symbologyIdentifier))
        }
    }

    var json: CText {
        reportJSON.withLock { json in
            let text = json ?? CText(line: try? JSONLine.encode(report))
            json = text
            return text
        }
    }

    /// The JSON of a symbol.
    ///
    /// - Precondition: there is a symbol with this index.
    func json(ofSymbol index: Int) -> CText {
        symbolJSON.withLock { texts in
            if let text = texts[index] { return text }
            let record = SymbolRecord(
                report.symbols[index], contentYear: report.contentYear, signingKeys: report.signingKeys,
                resolution: report.resolution)
            let text = CText(line: try? JSONLine.encode(record))
            texts[index] = text
            return text
        }
    }
}

/// Bytes at a fixed address, with a zero byte behind them.
// Unchecked: the bytes are written before the object exists, and only read afterward.
final class CText: @unchecked Sendable {
    /// The bytes without the zero byte.
    let bytes: UnsafeBufferPointer<UInt8>

    private let memory: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: some Collection<UInt8>) {
        memory = .allocate(capacity: bytes.count + 1)
        _ = memory.initialize(from: bytes)
        memory.initializeElement(at: bytes.count, to: 0)
        self.bytes = UnsafeBufferPointer(rebasing: memory[..<bytes.count])
    }

    convenience init(_ text: String) {
        self.init(text.utf8)
    }

    /// Creates a text from a line without its line feed; an object without fields if there is none.
    convenience init(line: [UInt8]?) {
        self.init((line ?? Array("{}\n".utf8)).dropLast())
    }

    deinit {
        memory.deallocate()
    }
}
