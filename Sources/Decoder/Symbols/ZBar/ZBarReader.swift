public import BarcodeCore
internal import CZBar

/// Decodes linear symbols, QR Code and SQ Code in a grayscale image with zbar's image scanner.
///
/// Each image gets a new scanner, which costs 9 microseconds. A reused scanner keeps state: it joins one half of an
/// EAN from the last image to the other half in the next, and its QR reader continues its random number sequence,
/// so that results would depend on earlier images.
///
/// zbar runs in the calling process, and an `assert` in it ends that process: decode untrusted images in a worker.
/// Its milder assertions print to standard error, which a library cannot prevent; the programs of this project do.
///
/// Limits of zbar 0.23.92: PDF417 is excluded, because its reader only finds row patterns and returns no text. The
/// message of an SQ Code is the base64 text that zbar makes of it. Symbols that are light on dark are not decoded
/// (pass an inverted image).
public struct ZBarReader: Sendable {
    /// The distance between zbar's scan lines in pixels; 1 scans every row and column.
    public let density: Int
    /// Indicates whether rows are scanned.
    public let scansRows: Bool
    /// Indicates whether columns are scanned.
    public let scansColumns: Bool

    /// Creates a reader that scans every `density`th row and column.
    ///
    /// - Parameters:
    ///   - scansRows: false for linear symbols that are known to be rotated by 90 degrees; each direction takes
    ///     half the time. With neither, only SQ Code is found, which zbar finds without scan lines.
    ///   - scansColumns: false for an image that is known to be upright.
    public init(density: Int = 1, scansRows: Bool = true, scansColumns: Bool = true) {
        self.density = density
        self.scansRows = scansRows
        self.scansColumns = scansColumns
    }

    /// The version of the loaded zbar library, such as `0.23.92`.
    public static var libraryVersion: String {
        var major: UInt32 = 0
        var minor: UInt32 = 0
        var patch: UInt32 = 0
        zbar_version(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }

    /// The symbologies that zbar supports.
    public static let supportedSymbologies: Set<Symbology> = ZBarSymbology.supported

    /// Decodes the symbols of the chosen symbologies.
    ///
    /// An EAN or UPC includes an add-on beside it, however many symbols the image has. A lone add-on is returned
    /// only if `symbologies` has ``Symbology/ean2`` or ``Symbology/ean5``.
    /// - Returns: the readings, with corners in pixels of `image`.
    /// - Throws: ``DecodeError`` with the code `out_of_memory`.
    public func read(_ image: LumaImage, symbologies: Set<Symbology>) throws(DecodeError) -> [Reading] {
        guard image.width > 0, image.height > 0, !symbologies.isEmpty else { return [] }
        // zbar has no row stride.
        let packed = image.bytesPerRow == image.width ? image : image.packed()
        return try ZBarScanner(
            symbologies: symbologies, rows: scansRows ? density : 0, columns: scansColumns ? density : 0
        ).read(packed).filter {
            symbologies.contains($0.symbology)
        }
    }
}

extension LumaImage {
    /// Returns the image without padding between its rows.
    fileprivate func packed() -> LumaImage {
        withUnsafePixels {
            LumaImage(copying: UnsafeRawBufferPointer($0), width: width, height: height, bytesPerRow: bytesPerRow)
        }
    }
}
