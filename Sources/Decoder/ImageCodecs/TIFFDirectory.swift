internal import BarcodeCore

/// The first directory of a TIFF, which has the location and the meaning of its pixels.
///
/// Source: TIFF 6.0, section 2 "TIFF Structure", and the BigTIFF design of libtiff.
enum TIFFDirectory {
    /// Indicates whether the directory extends, as a whole or in part, beyond the end of the bytes.
    static func isCutOff(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isLittle = bytes.hasText("II")
        func integer(at offset: Int, bytes count: Int) -> Int? {
            guard let slice = bytes.slice(at: offset, count: count) else { return nil }
            let value = (isLittle ? Array(slice.reversed()) : Array(slice)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Int(exactly: value)
        }
        let isBig = integer(at: 2, bytes: 2) == 43
        guard let start = integer(at: isBig ? 8 : 4, bytes: isBig ? 8 : 4) else { return true }
        guard let entries = integer(at: start, bytes: isBig ? 8 : 2) else { return true }
        // A BigTIFF may declare any number of entries.
        let (size, overflows) = entries.multipliedReportingOverflow(by: isBig ? 20 : 12)
        return overflows || bytes.slice(at: start + (isBig ? 8 : 2), count: size) == nil
    }
}

extension DecodeError {
    /// The error for a TIFF that is truncated before the end of its directory.
    static let withoutDirectory = DecodeError(
        .corrupt,
        "is a TIFF that is cut off within its directory, so that no part of it can be decoded; get the file again"
    )
}
