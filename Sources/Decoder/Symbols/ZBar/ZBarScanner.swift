internal import BarcodeCore
internal import CZBar

/// The sole owner of a configured zbar image scanner.
struct ZBarScanner: ~Copyable {
    private let handle: OpaquePointer

    /// Creates a scanner for the chosen symbologies that scans every `rows`th row and `columns`th column; 0 for
    /// none.
    ///
    /// - Throws: ``DecodeError`` with the code `out_of_memory`.
    init(symbologies: Set<Symbology>, rows: Int, columns: Int) throws(DecodeError) {
        guard let handle = zbar_image_scanner_create() else {
            throw DecodeError(.outOfMemory, "out of memory for a scanner of zbar")
        }
        self.handle = handle
        zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_X_DENSITY, Int32(columns))
        zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_Y_DENSITY, Int32(rows))
        // This also disables zbar's own pairing of add-ons, which only works for one EAN per image.
        zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        var wanted = Set(symbologies.compactMap(ZBarSymbology.type(of:)).map(\.rawValue))
        if !symbologies.isDisjoint(with: Symbology.retail) {
            wanted.formUnion([ZBAR_EAN2.rawValue, ZBAR_EAN5.rawValue])
        }
        // zbar derives these three from an EAN-13, and finds none unless that is enabled.
        if !symbologies.isDisjoint(with: [.isbn10, .isbn13, .upcA]) {
            wanted.insert(ZBAR_EAN13.rawValue)
        }
        for type in wanted {
            zbar_image_scanner_set_config(handle, zbar_symbol_type_t(type), ZBAR_CFG_ENABLE, 1)
        }
        // Raw bytes, because zbar's own choice of a character set garbles UTF-8.
        zbar_image_scanner_set_config(handle, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
    }

    deinit {
        zbar_image_scanner_destroy(handle)
    }

    /// Decodes an image without padding between its rows.
    ///
    /// This is a method, so that the scanner lives until its results have been copied: a noncopyable value may end
    /// after its last use, and using a handle taken out of it does not count.
    /// - Throws: ``DecodeError`` with the code `out_of_memory`.
    borrowing func read(_ image: LumaImage) throws(DecodeError) -> [Reading] {
        guard let picture = zbar_image_create() else {
            throw DecodeError(.outOfMemory, "out of memory for a picture of zbar")
        }
        defer { zbar_image_destroy(picture) }
        zbar_image_set_format(picture, ZBarFourCC.y800)
        zbar_image_set_size(picture, UInt32(image.width), UInt32(image.height))
        return image.withUnsafePixels { pixels in
            // zbar only reads the pixels, and drops them before the pointer becomes invalid.
            zbar_image_set_data(picture, pixels.baseAddress, UInt(pixels.count), nil)
            defer { zbar_image_set_data(picture, nil, 0, nil) }
            guard zbar_scan_image(handle, picture) > 0 else { return [] }
            return readings(in: zbar_image_first_symbol(picture), of: image)
        }
    }

    /// Collects zbar's linked list of symbols.
    private borrowing func readings(in first: OpaquePointer?, of image: LumaImage) -> [Reading] {
        var found: [Reading] = []
        var addOns: [Reading] = []
        func visit(_ symbol: OpaquePointer) {
            let type = zbar_symbol_get_type(symbol)
            // A structured append message is a container; its symbols have their own locations.
            if let parts = zbar_symbol_get_components(symbol) {
                var part = zbar_symbol_set_first_symbol(parts)
                while let current = part {
                    visit(current)
                    part = zbar_symbol_next(current)
                }
                return
            }
            guard let symbology = ZBarSymbology.symbology(of: type) else { return }
            let reading = Reading(symbol, symbology: symbology, width: image.width, height: image.height)
            if symbology == .ean2 || symbology == .ean5 {
                // zbar writes a question mark for a digit that it could not decode, such as one cut off by the
                // edge.
                if reading.bytes.allSatisfy({ (0x30...0x39).contains($0) }) { addOns.append(reading) }
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
        return found + lonely
    }
}
