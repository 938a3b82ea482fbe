internal import BarcodeCore

/// Tells a reading that can be believed from one that zbar makes of texture.
enum Plausibility {
    /// Whether enough scan lines agree, for symbologies in which a wild reading is likely.
    ///
    /// - Parameter density: how many rows and columns apart zbar's lines were.
    static func accepts(_ reading: Reading, density: Int = 1) -> Bool {
        // An empty QR symbol is one whose padding our own decoder has checked; zbar takes plain texture for one.
        if reading.format == .qrCode, reading.bytes.isEmpty { return false }
        return reading.quality >= minimumQuality(of: reading, density: density)
    }

    private static func minimumQuality(of reading: Reading, density: Int) -> Int {
        switch reading.format {
        // No check digit of its own: any row of bars of two widths can be taken for one.
        case .itf, .codabar, .code39: 2
        // Four lines where it looks at each is zbar's own rule, which it drops when it looks at fewer.
        case .ean13, .ean8, .upcA, .upcE, .isbn10, .isbn13, .dataBar, .dataBarExpanded: density == 1 ? 1 : 3
        default: 1
        }
    }
}
