internal import BarcodeCore

/// The symbology identifiers of ISO/IEC 15424: `]`, a letter for the symbology, and a modifier.
enum SymbologyIdentifier {
    /// The identifier of a reading; for a QR symbol without knowledge of its ECI.
    static func of(_ reading: Reading) -> String {
        switch reading.format {
        case .ean13, .upcA, .upcE, .isbn10, .isbn13: reading.addOn == nil ? "]E0" : "]E3"
        case .ean8: "]E4"
        case .ean2: "]E1"
        case .ean5: "]E2"
        case .code128: reading.isGS1 ? "]C1" : reading.isAIM ? "]C2" : "]C0"
        case .code93: "]G0"
        case .code39: "]A0"
        case .codabar: "]F0"
        case .itf: "]I0"
        case .dataBar, .dataBarExpanded: "]e0"
        case .qrCode: reading.isGS1 ? "]Q3" : reading.isAIM ? "]Q5" : "]Q1"
        // A symbology that the standard does not name.
        default: "]X0"
        }
    }
}
