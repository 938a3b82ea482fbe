internal import BarcodeCore
internal import CZBar

/// The owner of one of zbar's image scanners, told what to look for.
struct ZBarScanner: ~Copyable {
    let handle: OpaquePointer

    /// Makes a scanner for the chosen symbologies.
    ///
    /// - Throws: ``DecodeError`` with the code `out_of_memory`.
    init(formats: Set<Symbology>, density: Int, scansColumns: Bool) throws(DecodeError) {
        guard let handle = zbar_image_scanner_create() else {
            throw DecodeError(.outOfMemory, "there is no memory for a scanner")
        }
        self.handle = handle
        zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_X_DENSITY, scansColumns ? Int32(density) : 0)
        zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_Y_DENSITY, Int32(density))
        // This also switches off zbar's own joining of add-ons, which works for one EAN in a picture only.
        zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        var wanted = Set(formats.compactMap(ZBarSymbology.type(of:)).map(\.rawValue))
        if !formats.isDisjoint(with: Symbology.retail) {
            wanted.formUnion([ZBAR_EAN2.rawValue, ZBAR_EAN5.rawValue])
        }
        // zbar makes these three out of an EAN-13, and finds none unless it may look for that.
        if !formats.isDisjoint(with: [.isbn10, .isbn13, .upcA]) {
            wanted.insert(ZBAR_EAN13.rawValue)
        }
        for type in wanted {
            zbar_image_scanner_set_config(handle, zbar_symbol_type_t(type), ZBAR_CFG_ENABLE, 1)
        }
        // Raw bytes: zbar's own choice of a character set makes mojibake of UTF-8.
        zbar_image_scanner_set_config(handle, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
    }

    deinit {
        zbar_image_scanner_destroy(handle)
    }
}
