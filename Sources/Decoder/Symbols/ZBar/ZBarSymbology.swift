internal import BarcodeCore
internal import CZBar

/// Maps zbar's symbol types to symbologies.
enum ZBarSymbology {
    private static let pairs: [(Symbology, zbar_symbol_type_t)] = [
        (.qrCode, ZBAR_QRCODE), (.sqCode, ZBAR_SQCODE),
        (.ean13, ZBAR_EAN13), (.ean8, ZBAR_EAN8), (.upcA, ZBAR_UPCA), (.upcE, ZBAR_UPCE),
        (.ean2, ZBAR_EAN2), (.ean5, ZBAR_EAN5), (.isbn10, ZBAR_ISBN10), (.isbn13, ZBAR_ISBN13),
        (.code128, ZBAR_CODE128), (.code93, ZBAR_CODE93), (.code39, ZBAR_CODE39), (.codabar, ZBAR_CODABAR),
        (.itf, ZBAR_I25), (.dataBar, ZBAR_DATABAR), (.dataBarExpanded, ZBAR_DATABAR_EXP),
    ]
    private static let types = Dictionary(uniqueKeysWithValues: pairs)
    private static let symbologies = Dictionary(uniqueKeysWithValues: pairs.map { ($1.rawValue, $0) })

    /// The symbologies that zbar supports.
    static let supported: Set<Symbology> = Set(types.keys)

    static func type(of symbology: Symbology) -> zbar_symbol_type_t? { types[symbology] }

    static func symbology(of type: zbar_symbol_type_t) -> Symbology? { symbologies[type.rawValue] }
}

/// The FourCC codes of zbar's pixel formats: four characters, the first in the lowest byte.
enum ZBarFourCC {
    /// One byte of luma per pixel.
    static let y800: UInt = 0x3030_3859
}
