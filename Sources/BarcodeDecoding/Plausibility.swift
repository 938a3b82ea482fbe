internal import BarcodeCore

/// Tells a reading that can be believed from one that zbar makes of texture.
enum Plausibility {
    /// Whether enough scan lines agree, for symbologies in which a wild reading is likely.
    static func accepts(_ reading: Reading) -> Bool {
        reading.quality >= minimumQuality(of: reading)
    }

    private static func minimumQuality(of reading: Reading) -> Int {
        switch reading.format {
        // No check digit of its own: any row of bars of two widths can be taken for one.
        case .itf, .codabar, .code39: 2
        default: 1
        }
    }
}
