extension Symbology {
    /// QR Code, model 2.
    public static let qrCode = Symbology(rawValue: "qr_code")
    /// Micro QR Code, M1 to M4.
    public static let microQRCode = Symbology(rawValue: "micro_qr_code")
    /// rMQR: rectangular Micro QR Code (ISO/IEC 23941).
    public static let rectangularMicroQRCode = Symbology(rawValue: "rmqr_code")
    /// Aztec Code: compact and full symbols, and runes.
    public static let aztec = Symbology(rawValue: "aztec")
    /// MaxiCode, on parcels.
    public static let maxiCode = Symbology(rawValue: "maxi_code")
    /// Han Xin Code (ISO/IEC 20830), versions 1 to 84.
    public static let hanXin = Symbology(rawValue: "han_xin")
    /// DotCode (AIM DotCode 4.0), printed as separate dots.
    public static let dotCode = Symbology(rawValue: "dot_code")
    /// SQ Code.
    public static let sqCode = Symbology(rawValue: "sq_code")
    /// Data Matrix ECC 200, including the rectangles of ISO/IEC 21471 (DMRE) and GS1 Data Matrix.
    public static let dataMatrix = Symbology(rawValue: "data_matrix")
    /// EAN-13.
    public static let ean13 = Symbology(rawValue: "ean_13")
    /// EAN-8.
    public static let ean8 = Symbology(rawValue: "ean_8")
    /// UPC-A: an EAN-13 whose first digit is zero, reported with twelve digits.
    public static let upcA = Symbology(rawValue: "upc_a")
    /// UPC-E, reported with the twelve digits of the number that its eight stand for.
    public static let upcE = Symbology(rawValue: "upc_e")
    /// The two-digit add-on as a symbol of its own.
    public static let ean2 = Symbology(rawValue: "ean_2")
    /// The five-digit add-on as a symbol of its own.
    public static let ean5 = Symbology(rawValue: "ean_5")
    /// An EAN-13 of a book, reported as the ten characters of its older ISBN.
    public static let isbn10 = Symbology(rawValue: "isbn_10")
    /// An EAN-13 of a book, reported as the thirteen digits of its ISBN.
    public static let isbn13 = Symbology(rawValue: "isbn_13")
    /// Code 128, including GS1-128.
    public static let code128 = Symbology(rawValue: "code_128")
    /// Code 93.
    public static let code93 = Symbology(rawValue: "code_93")
    /// Code 39.
    public static let code39 = Symbology(rawValue: "code_39")
    /// Code 39 in full ASCII, in which pairs of characters stand for those that Code 39 lacks.
    public static let code39Extended = Symbology(rawValue: "code_39_extended")
    /// Code 39 with a check character, which is not part of the message.
    public static let code39Checked = Symbology(rawValue: "code_39_mod43")
    /// Code 32, the Italian medicine number: nine digits as six characters of Code 39.
    public static let code32 = Symbology(rawValue: "code_32")
    /// PZN, the German medicine number, in Code 39.
    public static let pzn = Symbology(rawValue: "pzn")
    /// Codabar, with its start and stop characters.
    public static let codabar = Symbology(rawValue: "codabar")
    /// Interleaved 2 of 5.
    public static let itf = Symbology(rawValue: "itf")
    /// Interleaved 2 of 5 with fourteen digits, the last of which is the check digit of a GTIN.
    public static let itf14 = Symbology(rawValue: "itf_14")
    /// Telepen in full ASCII.
    public static let telepen = Symbology(rawValue: "telepen")
    /// Telepen with two digits per character.
    public static let telepenNumeric = Symbology(rawValue: "telepen_numeric")
    /// DX film edge: the barcode on the edge of a 35 mm film.
    public static let filmEdge = Symbology(rawValue: "dx_film_edge")
    /// Code 11, with its check characters.
    public static let code11 = Symbology(rawValue: "code_11")
    /// MSI, with its check digits.
    public static let msi = Symbology(rawValue: "msi")
    /// Industrial 2 of 5, in which only the bars carry data.
    public static let industrial2of5 = Symbology(rawValue: "industrial_2_of_5")
    /// IATA 2 of 5: like Industrial 2 of 5, with shorter start and stop patterns.
    public static let iata2of5 = Symbology(rawValue: "iata_2_of_5")
    /// Matrix or Standard 2 of 5: three bars and two spaces per digit.
    public static let matrix2of5 = Symbology(rawValue: "matrix_2_of_5")
    /// Data Logic 2 of 5: like Matrix 2 of 5, with shorter start and stop patterns.
    public static let dataLogic2of5 = Symbology(rawValue: "datalogic_2_of_5")
    /// One-track Pharmacode, on packages of medicines.
    public static let pharmacode = Symbology(rawValue: "pharmacode")
    /// Intelligent Mail of the United States Postal Service (USPS-B-3200).
    public static let intelligentMail = Symbology(rawValue: "usps_imail")
    /// POSTNET of the United States Postal Service.
    public static let postnet = Symbology(rawValue: "postnet")
    /// PLANET of the United States Postal Service.
    public static let planet = Symbology(rawValue: "planet")
    /// Royal Mail's four-state customer code, RM4SCC.
    public static let royalMail = Symbology(rawValue: "royal_mail")
    /// KIX of the Dutch mail.
    public static let kix = Symbology(rawValue: "kix")
    /// The customer barcode of Australia Post.
    public static let australiaPost = Symbology(rawValue: "australia_post")
    /// The customer code of Japan Post.
    public static let japanPost = Symbology(rawValue: "japan_post")
    /// GS1 DataBar: omnidirectional, truncated, stacked.
    public static let dataBar = Symbology(rawValue: "databar")
    /// GS1 DataBar Limited.
    public static let dataBarLimited = Symbology(rawValue: "databar_limited")
    /// GS1 DataBar Expanded, including stacked.
    public static let dataBarExpanded = Symbology(rawValue: "databar_expanded")
    /// PDF417, including Compact and Macro PDF417.
    public static let pdf417 = Symbology(rawValue: "pdf417")
    /// MicroPDF417 (ISO/IEC 24728).
    public static let microPDF417 = Symbology(rawValue: "micro_pdf417")
}

extension SymbologyTraits {
    /// All supported symbologies, in the order for lists.
    public static let all: [SymbologyTraits] = [
        SymbologyTraits(
            .qrCode, title: "QR Code", family: .matrix, check: .errorCorrection, zbarName: "QR-Code",
            webName: "qr_code"
        ) { $0.modifier == 0 ? "]Q0" : $0.isGS1 ? "]Q3" : $0.isAIM ? "]Q5" : "]Q1" },
        SymbologyTraits(
            .aztec, title: "Aztec Code", family: .matrix, check: .errorCorrection, webName: "aztec"
        ) { $0.isGS1 ? "]z1" : $0.isAIM ? "]z2" : "]z0" },
        SymbologyTraits(
            .microQRCode, title: "Micro QR Code", family: .matrix, check: .errorCorrection, webName: "micro_qr_code"
        ) { _ in "]Q1" },
        SymbologyTraits(
            .rectangularMicroQRCode, title: "rMQR Code", family: .matrix, check: .errorCorrection,
            webName: "rmqr_code"
        ) { $0.isGS1 ? "]Q3" : $0.isAIM ? "]Q5" : "]Q1" },
        SymbologyTraits(
            .maxiCode, title: "MaxiCode", family: .matrix, check: .errorCorrection, zbarName: "MaxiCode",
            webName: "maxi_code", weChatName: "MAXICODE"
        ) { _ in "]U0" },
        SymbologyTraits(
            .hanXin, title: "Han Xin Code", family: .matrix, check: .errorCorrection, isStandard: false,
            webName: "han_xin"
        ) { $0.segments.contains { $0.eci != nil } ? "]h1" : "]h0" },
        SymbologyTraits(
            .dotCode, title: "DotCode", family: .matrix, check: .errorCorrection, isStandard: false, webName: "dot_code"
        ) { $0.isGS1 ? "]J1" : $0.isAIM ? "]J2" : "]J0" },
        SymbologyTraits(.sqCode, title: "SQ Code", family: .matrix, check: .checksum, zbarName: "SQ-Code") { _ in
            "]X0"
        },
        SymbologyTraits(
            .dataMatrix, title: "Data Matrix", family: .matrix, check: .errorCorrection, webName: "data_matrix"
        ) { $0.isGS1 ? "]d2" : $0.isAIM ? "]d3" : "]d1" },
        SymbologyTraits(
            .ean13, title: "EAN-13", family: .linear, check: .checkDigit, retailBars: .ean13, zbarName: "EAN-13",
            webName: "ean_13", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .ean8, title: "EAN-8", family: .linear, check: .checkDigit, retailBars: .ean8, zbarName: "EAN-8",
            webName: "ean_8"
        ) { _ in "]E4" },
        SymbologyTraits(
            .upcA, title: "UPC-A", family: .linear, check: .checkDigit, retailBars: .ean13, zbarName: "UPC-A",
            webName: "upc_a", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .upcE, title: "UPC-E", family: .linear, check: .checkDigit, retailBars: .upcE, zbarName: "UPC-E",
            webName: "upc_e", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .ean2, title: "EAN add-on of 2 digits", family: .linear, check: .checkDigit, isEasilyMisread: true,
            isStandard: false,
            zbarName: "EAN-2", weChatName: "UPC_EAN_EXTENSION"
        ) { _ in "]E1" },
        SymbologyTraits(
            .ean5, title: "EAN add-on of 5 digits", family: .linear, check: .checkDigit, isEasilyMisread: true,
            isStandard: false,
            zbarName: "EAN-5", weChatName: "UPC_EAN_EXTENSION"
        ) { _ in "]E2" },
        SymbologyTraits(
            .isbn10, title: "ISBN-10", family: .linear, check: .checkDigit, isStandard: false, retailBars: .ean13,
            zbarName: "ISBN-10", weChatName: "EAN_13", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .isbn13, title: "ISBN-13", family: .linear, check: .checkDigit, isStandard: false, retailBars: .ean13,
            zbarName: "ISBN-13", webName: "ean_13", weChatName: "EAN_13", symbologyIdentifier: retailIdentifier),
        SymbologyTraits(
            .code128, title: "Code 128, GS1-128", family: .linear, check: .checksum,
            // Start, check and stop have six elements like each character, plus a final bar.
            mostElements: { 6 * ($0 + 3) + 1 }, zbarName: "CODE-128",
            webName: "code_128"
        ) { $0.isGS1 ? "]C1" : $0.isAIM ? "]C2" : "]C0" },
        SymbologyTraits(
            .code93, title: "Code 93", family: .linear, check: .checksum, zbarName: "CODE-93", webName: "code_93"
        ) { _ in "]G0" },
        SymbologyTraits(
            .code39, title: "Code 39", family: .linear, check: .none, zbarName: "CODE-39", webName: "code_39"
        ) { _ in "]A0" },
        SymbologyTraits(
            .code39Extended, title: "Code 39 full ASCII", family: .linear, check: .none,
            webName: "code_39", weChatName: "CODE_39"
        ) { "]A\($0.modifier ?? 4)" },
        SymbologyTraits(
            .code39Checked, title: "Code 39 with check character", family: .linear, check: .checkDigit,
            isStandard: false, webName: "code_39", weChatName: "CODE_39"
        ) { _ in "]A3" },
        SymbologyTraits(
            .code32, title: "Code 32", family: .linear, check: .checkDigit, isEasilyMisread: true,
            webName: "code_39", weChatName: "CODE_39"
        ) { _ in "]X0" },
        SymbologyTraits(
            .pzn, title: "PZN", family: .linear, check: .checkDigit, isStandard: false,
            webName: "code_39", weChatName: "CODE_39"
        ) { _ in "]X0" },
        SymbologyTraits(
            .codabar, title: "Codabar", family: .linear, check: .none, zbarName: "Codabar", webName: "codabar"
        ) { _ in "]F0" },
        SymbologyTraits(
            .itf, title: "Interleaved 2 of 5", family: .linear, check: .none,
            // A start of four elements, five per digit, and an end of three.
            mostElements: { 5 * $0 + 7 }, zbarName: "I2/5", webName: "itf"
        ) { _ in "]I0" },
        SymbologyTraits(
            .itf14, title: "ITF-14", family: .linear, check: .checkDigit, isStandard: false, webName: "itf",
            weChatName: "ITF"
        ) { _ in "]I1" },
        SymbologyTraits(.telepen, title: "Telepen", family: .linear, check: .checksum) { "]B\($0.modifier ?? 0)" },
        SymbologyTraits(.telepenNumeric, title: "Telepen, digits", family: .linear, check: .checksum) {
            "]B\($0.modifier ?? 1)"
        },
        SymbologyTraits(.filmEdge, title: "DX film edge", family: .stacked, check: .checkDigit, isEasilyMisread: true) {
            _ in "]X0"
        },
        SymbologyTraits(.code11, title: "Code 11", family: .linear, check: .checkDigit, isStandard: false) {
            "]H\($0.modifier ?? 0)"
        },
        // The identifier says that a check digit modulo 10 was correct.
        SymbologyTraits(.msi, title: "MSI", family: .linear, check: .none, isEasilyMisread: true, isStandard: false) {
            $0.modifier == nil ? "]X0" : "]M0"
        },
        SymbologyTraits(
            .industrial2of5, title: "Industrial 2 of 5", family: .linear, check: .none, isEasilyMisread: true,
            isStandard: false
        ) { _ in "]S0" },
        SymbologyTraits(
            .iata2of5, title: "IATA 2 of 5", family: .linear, check: .none, isEasilyMisread: true, isStandard: false
        ) { _ in
            "]R0"
        },
        SymbologyTraits(
            .matrix2of5, title: "Matrix 2 of 5", family: .linear, check: .none, isEasilyMisread: true, isStandard: false
        ) { _ in
            "]X0"
        },
        SymbologyTraits(
            .dataLogic2of5, title: "Data Logic 2 of 5", family: .linear, check: .none, isEasilyMisread: true,
            isStandard: false
        ) { _ in "]X0" },
        SymbologyTraits(.pharmacode, title: "Pharmacode", family: .linear, check: .none, isStandard: false) { _ in
            "]X0"
        },
        SymbologyTraits(
            .intelligentMail, title: "USPS Intelligent Mail", family: .linear, check: .checksum, isStandard: false
        ) { _ in "]X0" },
        SymbologyTraits(
            .postnet, title: "POSTNET", family: .linear, check: .checkDigit, isStandard: false
        ) { _ in "]X0" },
        SymbologyTraits(
            .planet, title: "PLANET", family: .linear, check: .checkDigit, isStandard: false
        ) { _ in "]X0" },
        SymbologyTraits(
            .royalMail, title: "Royal Mail 4-state", family: .linear, check: .checkDigit, isStandard: false
        ) { _ in "]X0" },
        SymbologyTraits(
            .kix, title: "KIX", family: .linear, check: .none, isStandard: false
        ) { _ in "]X0" },
        SymbologyTraits(
            .australiaPost, title: "Australia Post 4-state", family: .linear, check: .errorCorrection, isStandard: false
        ) { _ in "]X0" },
        SymbologyTraits(
            .japanPost, title: "Japan Post 4-state", family: .linear, check: .checkDigit, isStandard: false
        ) { _ in "]X0" },
        SymbologyTraits(
            .dataBar, title: "GS1 DataBar", family: .stacked, check: .checkDigit,
            // Guards of two elements, four characters of eight, two finder patterns of five (ISO/IEC 24724, 5.2).
            mostElements: { _ in 46 }, isGS1: true, zbarName: "DataBar",
            weChatName: "RSS_14"
        ) { _ in "]e0" },
        SymbologyTraits(
            .dataBarLimited, title: "GS1 DataBar Limited", family: .linear, check: .checksum, isGS1: true,
            weChatName: "RSS_LIMITED"
        ) { _ in "]e0" },
        SymbologyTraits(
            .dataBarExpanded, title: "GS1 DataBar Expanded", family: .stacked, check: .checkDigit,
            mostElements: { bytes in
                // A digit takes up to 3.5 bits, a character has 12 bits, and one character is the check. A finder
                // pattern comes with every two characters (ISO/IEC 24724, 7.2).
                let characters = (7 * bytes / 2 + 11) / 12 + 1
                return 8 * characters + 5 * ((characters + 1) / 2) + 4
            }, isGS1: true,
            zbarName: "DataBar-Exp", weChatName: "RSS_EXPANDED"
        ) { _ in "]e0" },
        SymbologyTraits(
            .pdf417, title: "PDF417", family: .stacked, check: .errorCorrection, zbarName: "PDF417", webName: "pdf417",
            weChatName: "PDF_417"
        ) { $0.segments.contains { $0.eci != nil } ? "]L1" : "]L2" },
        SymbologyTraits(
            .microPDF417, title: "MicroPDF417", family: .stacked, check: .errorCorrection
        ) { $0.isGS1 ? "]L3" : $0.isAIM ? "]L4" : "]L2" },
    ]

    private static let retailIdentifier: @Sendable (Reading) -> String = { $0.addOn == nil ? "]E0" : "]E3" }
}
