internal import BarcodeCore

/// Distinguishes reliable readings of zbar from those of texture.
enum Plausibility {
    /// Indicates whether enough scan lines agree, for symbologies with frequent false readings.
    ///
    /// - Parameter density: the distance of zbar's scan lines, in rows and columns.
    static func accepts(_ reading: Reading, density: Int = 1) -> Bool {
        // The built-in decoder checks the padding of an empty QR Code; zbar decodes plain texture as one.
        if reading.symbology == .qrCode, reading.bytes.isEmpty { return false }
        // Number system 1 is not assigned, and the left half of an EAN-13 has its sets of digits.
        if reading.symbology == .upcE, reading.bytes.first != 0x30 { return false }
        return reading.quality >= minimumQuality(of: reading, density: density)
    }

    /// The smallest ratio of the scan lines of a message without a check character to those of a contradicting one.
    private static let rivalry = 3

    /// Indicates whether no other reading of the same bars has similar support; always true with a check character.
    static func hasNoRival(_ reading: Reading, among readings: [Reading]) -> Bool {
        reading.symbology.traits.check != .none
            || readings.allSatisfy {
                $0.symbology != reading.symbology || $0.bytes == reading.bytes
                    || rivalry * $0.quality < reading.quality
            }
    }

    private static func minimumQuality(of reading: Reading, density: Int) -> Int {
        switch reading.symbology.traits.check {
        // Any row of bars with two widths may match: require as many lines as zbar requires for a check digit.
        case .none: 4
        // zbar requires four lines if it scans every line, but drops this rule if it scans fewer.
        case .checkDigit: density == 1 ? 1 : 3
        case .checksum, .errorCorrection: 1
        }
    }
}
