extension SymbologyTraits {
    /// Every symbology that can be read, in the order in which lists name them.
    public static let all: [SymbologyTraits] = [
        SymbologyTraits(
            .qrCode, title: "QR Code", family: .matrix, check: .errorCorrection, zbarName: "QR-Code",
            webName: "qr_code"
        ) { $0.isGS1 ? "]Q3" : $0.isAIM ? "]Q5" : "]Q1" },
        SymbologyTraits(.sqCode, title: "SQ Code", family: .matrix, check: .checksum, zbarName: "SQ-Code") { _ in
            "]X0"
        },
        SymbologyTraits(
            .ean13, title: "EAN-13", family: .linear, check: .checkDigit, isRetail: true, zbarName: "EAN-13",
            webName: "ean_13", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .ean8, title: "EAN-8", family: .linear, check: .checkDigit, isRetail: true, zbarName: "EAN-8",
            webName: "ean_8"
        ) { _ in "]E4" },
        SymbologyTraits(
            .upcA, title: "UPC-A", family: .linear, check: .checkDigit, isRetail: true, zbarName: "UPC-A",
            webName: "upc_a", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .upcE, title: "UPC-E", family: .linear, check: .checkDigit, isRetail: true, zbarName: "UPC-E",
            webName: "upc_e", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .ean2, title: "EAN add-on of 2 digits", family: .linear, check: .checkDigit, isStandard: false,
            zbarName: "EAN-2", weChatName: "UPC_EAN_EXTENSION"
        ) { _ in "]E1" },
        SymbologyTraits(
            .ean5, title: "EAN add-on of 5 digits", family: .linear, check: .checkDigit, isStandard: false,
            zbarName: "EAN-5", weChatName: "UPC_EAN_EXTENSION"
        ) { _ in "]E2" },
        SymbologyTraits(
            .isbn10, title: "ISBN-10", family: .linear, check: .checkDigit, isStandard: false, isRetail: true,
            zbarName: "ISBN-10", weChatName: "EAN_13", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .isbn13, title: "ISBN-13", family: .linear, check: .checkDigit, isStandard: false, isRetail: true,
            zbarName: "ISBN-13", webName: "ean_13", weChatName: "EAN_13", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .code128, title: "Code 128, GS1-128", family: .linear, check: .checksum, zbarName: "CODE-128",
            webName: "code_128"
        ) { $0.isGS1 ? "]C1" : $0.isAIM ? "]C2" : "]C0" },
        SymbologyTraits(
            .code93, title: "Code 93", family: .linear, check: .checksum, zbarName: "CODE-93", webName: "code_93"
        ) { _ in "]G0" },
        SymbologyTraits(
            .code39, title: "Code 39", family: .linear, check: .none, zbarName: "CODE-39", webName: "code_39"
        ) { _ in "]A0" },
        SymbologyTraits(
            .codabar, title: "Codabar", family: .linear, check: .none, zbarName: "Codabar", webName: "codabar"
        ) { _ in "]F0" },
        SymbologyTraits(
            .itf, title: "Interleaved 2 of 5", family: .linear, check: .none, zbarName: "I2/5", webName: "itf"
        ) { _ in "]I0" },
        SymbologyTraits(
            .dataBar, title: "GS1 DataBar", family: .stacked, check: .checkDigit, isGS1: true, zbarName: "DataBar",
            weChatName: "RSS_14"
        ) { _ in "]e0" },
        SymbologyTraits(
            .dataBarExpanded, title: "GS1 DataBar Expanded", family: .stacked, check: .checkDigit, isGS1: true,
            zbarName: "DataBar-Exp", weChatName: "RSS_EXPANDED"
        ) { _ in "]e0" },
    ]

    private static let retailIdentifier: @Sendable (Reading) -> String = { $0.addOn == nil ? "]E0" : "]E3" }
}
