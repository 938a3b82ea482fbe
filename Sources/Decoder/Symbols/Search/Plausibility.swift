internal import BarcodeCore

/// Tells a reading that can be believed from one that zbar makes of texture.
enum Plausibility {
    /// Whether enough scan lines agree, for symbologies in which a wild reading is likely.
    ///
    /// - Parameter density: how many rows and columns apart zbar's lines were.
    static func accepts(_ reading: Reading, density: Int = 1) -> Bool {
        // An empty QR symbol is one whose padding our own decoder has checked; zbar takes plain texture for one.
        if reading.symbology == .qrCode, reading.bytes.isEmpty { return false }
        // Number system 1 is not assigned, and the left half of an EAN-13 has its sets of digits.
        if reading.symbology == .upcE, reading.bytes.first != 0x30 { return false }
        return reading.quality >= minimumQuality(of: reading, density: density)
    }

    private static func minimumQuality(of reading: Reading, density: Int) -> Int {
        switch reading.symbology.traits.check {
        // Any row of bars of two widths can be taken for one.
        case .none: 2
        // Four lines where it scans each is zbar's own rule, which it drops when it scans fewer.
        case .checkDigit: density == 1 ? 1 : 3
        case .checksum, .errorCorrection: 1
        }
    }
}
