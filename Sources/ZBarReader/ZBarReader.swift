public import BarcodeCore
internal import CZBar

/// zbar's image scanner: finds and reads linear symbols, QR Code and SQ Code in a grey picture.
///
/// One value owns one scanner and its buffers; it is used by one task at a time and can be sent to another. zbar runs
/// in the process that calls it, and an `assert` in it ends that process: untrusted pictures belong in a worker.
///
/// Known of zbar 0.23.92: PDF417 is left out because its reader finds no more than the row patterns and hands out no
/// text; SQ Code's message is handed out as the base64 text that zbar makes of it; symbols that are light on dark are
/// not read (give an inverted picture).
public struct ZBarReader: SymbolReader, ~Copyable {
    /// How many lines apart zbar scans, in pixels; 1 looks at each row and column.
    public let density: Int

    private let scanner: OpaquePointer
    private var configuredFormats: Set<Symbology>?

    /// Makes a scanner.
    ///
    /// - Throws: ``DecodeError`` with the code `out_of_memory`.
    public init(density: Int = 1) throws(DecodeError) {
        guard let scanner = zbar_image_scanner_create() else {
            throw DecodeError(.outOfMemory, "there is no memory for a scanner")
        }
        self.scanner = scanner
        self.density = density
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_X_DENSITY, Int32(density))
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_Y_DENSITY, Int32(density))
    }

    deinit {
        zbar_image_scanner_destroy(scanner)
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
    public static let supportedFormats = Set(Symbology.all)

    /// Reads the symbols of the chosen symbologies.
    ///
    /// An EAN or UPC is handed out with its add-on when one stands beside it, whatever the number of symbols in the
    /// picture; an add-on on its own only where `formats` names ``Symbology/ean2`` or ``Symbology/ean5``.
    /// - Returns: what was read, corners in pixels of `image`.
    /// - Throws: ``DecodeError`` with the code `out_of_memory`.
    public mutating func read(_ image: LumaImage, formats: Set<Symbology>) throws(DecodeError) -> [Reading] {
        guard image.width > 0, image.height > 0, !formats.isEmpty else { return [] }
        configure(formats)
        // zbar knows no distance between rows.
        let packed = image.bytesPerRow == image.width ? image : image.packed()
        guard let picture = zbar_image_create() else {
            throw DecodeError(.outOfMemory, "there is no memory for a picture of zbar's")
        }
        defer { zbar_image_destroy(picture) }
        zbar_image_set_format(picture, ZBarFourCC.y800)
        zbar_image_set_size(picture, UInt32(packed.width), UInt32(packed.height))
        let scanner = scanner
        return packed.withUnsafePixels { pixels in
            // zbar only reads the pixels; it is told to forget them before the pointer ends.
            zbar_image_set_data(picture, pixels.baseAddress, UInt(pixels.count), nil)
            defer { zbar_image_set_data(picture, nil, 0, nil) }
            guard zbar_scan_image(scanner, picture) > 0 else { return [] }
            return readings(in: zbar_image_first_symbol(picture), formats: formats)
        }
    }

    /// Tells zbar what to look for, where that differs from last time.
    private mutating func configure(_ formats: Set<Symbology>) {
        guard formats != configuredFormats else { return }
        configuredFormats = formats
        // This also switches off zbar's own joining of add-ons, which works for one EAN in a picture only.
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        var wanted = Set(formats.compactMap(ZBarSymbology.type(of:)).map(\.rawValue))
        if !formats.isDisjoint(with: Symbology.retail) {
            wanted.formUnion([ZBAR_EAN2.rawValue, ZBAR_EAN5.rawValue])
        }
        // zbar makes these three out of an EAN-13, and finds none unless it may look for that.
        if !formats.isDisjoint(with: [.isbn10, .isbn13, .upcA]) {
            wanted.insert(ZBAR_EAN13.rawValue)
        }
        for type in wanted {
            zbar_image_scanner_set_config(scanner, zbar_symbol_type_t(type), ZBAR_CFG_ENABLE, 1)
        }
        // Raw bytes: zbar's own choice of a character set makes mojibake of UTF-8.
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
    }

    /// Walks zbar's list of symbols.
    private func readings(in first: OpaquePointer?, formats: Set<Symbology>) -> [Reading] {
        var found: [Reading] = []
        var addOns: [Reading] = []
        func visit(_ symbol: OpaquePointer) {
            let type = zbar_symbol_get_type(symbol)
            // A structured-append message is a container; the symbols that it holds have places of their own.
            if let parts = zbar_symbol_get_components(symbol) {
                var part = zbar_symbol_set_first_symbol(parts)
                while let current = part {
                    visit(current)
                    part = zbar_symbol_next(current)
                }
                return
            }
            guard let format = ZBarSymbology.format(of: type), let reading = Reading(symbol, format: format) else {
                return
            }
            if format == .ean2 || format == .ean5 {
                addOns.append(reading)
            } else {
                found.append(reading)
            }
        }
        var symbol = first
        while let current = symbol {
            visit(current)
            symbol = zbar_symbol_next(current)
        }
        let lonely = AddOnPairing.join(addOns, to: &found)
        return (found + lonely).filter { formats.contains($0.format) }
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
