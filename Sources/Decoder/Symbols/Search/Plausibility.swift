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

    /// The factor by which the scan lines of a message without a check character must outnumber those of a rival.
    private static let rivalry = 3

    /// Indicates that no other reading of the same bars has much the same support, where no check character decides.
    static func hasNoRival(_ reading: Reading, among readings: [Reading]) -> Bool {
        reading.symbology.traits.check != .none
            || readings.allSatisfy {
                $0.symbology != reading.symbology || $0.bytes == reading.bytes
                    || rivalry * $0.quality < reading.quality
            }
    }

    private static func minimumQuality(of reading: Reading, density: Int) -> Int {
        switch reading.symbology.traits.check {
        // Any row of bars of two widths can be taken for one: as many lines as zbar itself asks for a check digit.
        case .none: 4
        // Four lines where it scans each is zbar's own rule, which it drops when it scans fewer.
        case .checkDigit: density == 1 ? 1 : 3
        case .checksum, .errorCorrection: 1
        }
    }
}
