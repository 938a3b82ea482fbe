public import BarcodeCore
internal import CZBar

/// zbar's image scanner: finds and reads linear symbols, QR Code and SQ Code in a grey picture.
///
/// Each picture gets a scanner of its own. A scanner that is used again remembers: one half of an EAN that it saw in
/// the last picture is joined to the other half in the next, and its QR reader draws on with its random numbers, so
/// that an answer would depend on the pictures before. A new one costs 9 microseconds.
///
/// zbar runs in the process that calls it, and an `assert` in it ends that process: untrusted pictures belong in a
/// worker. What its assertions of the milder kind print goes to standard error, which a library cannot prevent; the
/// programs of this project do.
///
/// Known of zbar 0.23.92: PDF417 is left out because its reader finds no more than the row patterns and hands out no
/// text; SQ Code's message is handed out as the base64 text that zbar makes of it; symbols that are light on dark are
/// not read (give an inverted picture).
public struct ZBarReader: Sendable {
    /// How many lines apart zbar scans, in pixels; 1 looks at each row and column.
    public let density: Int
    /// Whether rows are scanned.
    public let scansRows: Bool
    /// Whether columns are scanned.
    public let scansColumns: Bool

    /// A reader that looks at every `density`th row and column.
    ///
    /// - Parameters:
    ///   - scansRows: false for bars that are known to lie on their side; either takes half the time. With neither only SQ
    ///     Code is found, which zbar looks for without lines.
    ///   - scansColumns: false for a picture that is known to be straight.
    public init(density: Int = 1, scansRows: Bool = true, scansColumns: Bool = true) {
        self.density = density
        self.scansRows = scansRows
        self.scansColumns = scansColumns
    }

    /// The version of the zbar library that is loaded, such as `0.23.92`.
    public static var libraryVersion: String {
        var major: UInt32 = 0
        var minor: UInt32 = 0
        var patch: UInt32 = 0
        zbar_version(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }

    /// The symbologies that zbar reads.
    public static let supportedSymbologies: Set<Symbology> = ZBarSymbology.supported

    /// Reads the symbols of the chosen symbologies.
    ///
    /// An EAN or UPC is handed out with its add-on when one stands beside it, whatever the number of symbols in the
    /// picture; an add-on on its own only where `symbologies` names ``Symbology/ean2`` or ``Symbology/ean5``.
    /// - Returns: what was read, corners in pixels of `image`.
    /// - Throws: ``DecodeError`` with the code `out_of_memory`.
    public func read(_ image: LumaImage, symbologies: Set<Symbology>) throws(DecodeError) -> [Reading] {
        guard image.width > 0, image.height > 0, !symbologies.isEmpty else { return [] }
        // zbar knows no distance between rows.
        let packed = image.bytesPerRow == image.width ? image : image.packed()
        return try ZBarScanner(
            symbologies: symbologies, rows: scansRows ? density : 0, columns: scansColumns ? density : 0
        ).read(packed).filter {
            symbologies.contains($0.symbology)
        }
    }
}

extension LumaImage {
    /// The same picture with no gap between its rows.
    fileprivate func packed() -> LumaImage {
        withUnsafePixels {
            LumaImage(copying: UnsafeRawBufferPointer($0), width: width, height: height, bytesPerRow: bytesPerRow)
        }
    }
}
