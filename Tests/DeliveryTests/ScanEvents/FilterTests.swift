import BarcodeCore
import TestSupport
import Testing

@testable import ScanEvents

/// Event filters.
@Suite struct FilterTests {
    @Test func filters() throws {
        let event = ScanEvent.test("ORDER-17", symbology: .code128, source: .camera)
        let cases: [(EventFilter, Bool)] = [
            (EventFilter(), true),
            (EventFilter(symbologies: [.code128, .qrCode]), true), (EventFilter(symbologies: [.qrCode]), false),
            (EventFilter(sources: [.camera]), true), (EventFilter(sources: [.file]), false),
            (EventFilter(pattern: try TextPattern("^ORDER-[0-9]+$")), true),
            (EventFilter(pattern: try TextPattern("-18")), false),
            (EventFilter(symbologies: [.code128], sources: [.camera], pattern: try TextPattern("R-1")), true),
            (EventFilter(symbologies: [.code128], sources: [.file], pattern: try TextPattern("R-1")), false),
        ]
        for (filter, admits) in cases { #expect(filter.admits(event) == admits) }
        #expect(throws: SyntaxError.self) { try TextPattern("(") }
    }
}
