package import BarcodeCore
package import FoundationEssentials
package import ScanEvents

extension ScanEvent {
    /// An event with a text.
    package static func test(
        _ text: String = "4006381333931", symbology: Symbology = .ean13,
        at time: Date = Date(milliseconds: 1_800_000_000_123), id: EventID = EventID(),
        source: ScanSource.Kind = .file
    ) -> ScanEvent {
        ScanEvent(
            id: id, time: time, station: "ward-3", source: ScanSource(kind: source, name: "a.jpg"),
            symbol: ScannedSymbol(symbology: symbology, text: text, bytes: Array(text.utf8)))
    }
}
