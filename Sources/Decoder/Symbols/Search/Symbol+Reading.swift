internal import BarcodeCore

extension Symbol {
    /// Creates a symbol from a reading in `image`.
    ///
    /// A QR Code is sampled again at its location: the built-in decoder knows the ECI headers, the index in a
    /// structured-append message and the order of the corners, which zbar does not report. If it fails, zbar's
    /// reading is used.
    init(_ reading: Reading, in image: LumaImage) {
        if reading.symbology == .qrCode, let own = try? QRReader().read(image, corners: reading.corners) {
            self.init(own)
        } else {
            self.init(reading, symbologyIdentifier: reading.symbology.traits.symbologyIdentifier(reading))
        }
    }

    /// Creates a symbol from a reading of a built-in matrix reader.
    init(_ own: some MatrixReading) {
        var reading = own.reading
        reading.orientation = reading.corners.orientation
        if let eci = own.initialECI {
            for index in reading.segments.indices where reading.segments[index].eci == nil {
                reading.segments[index].eci = eci
            }
        }
        self.init(reading, symbologyIdentifier: own.symbologyIdentifier)
    }

    /// The symbologies whose characters beyond ASCII are those of ISO 8859-1 unless an ECI specifies another set: by
    /// FNC4 in Code 128 (ISO/IEC 15417, 4.3.4.2), by the code sets C to E in MaxiCode (ISO/IEC 16023, annex A).
    private static let latinSymbologies: Set<Symbology> = [.code128, .maxiCode]

    private init(_ reading: Reading, symbologyIdentifier: String) {
        var reading = reading
        if reading.symbology == .upcE, let number = UPCENumber.expanded(reading.bytes) { reading.bytes = number }
        if Self.latinSymbologies.contains(reading.symbology), reading.bytes.contains(where: { $0 >= 128 }),
            String(validating: reading.bytes, as: UTF8.self) == nil
        {
            if reading.segments.isEmpty {
                reading.segments = [Reading.Segment(range: reading.bytes.indices, mode: .bytes, eci: nil)]
            }
            // The ECI of ISO 8859-1 is 3.
            for index in reading.segments.indices where reading.segments[index].eci == nil {
                reading.segments[index].eci = 3
            }
        }
        var decoded = TextDecoder.decode(reading.bytes, segments: reading.segments)
        // Without an ECI in the symbol, the symbology defines the character set: FNC4 of Code 128, the code sets of
        // MaxiCode, the Chinese modes of Han Xin.
        let namesECI = reading.symbology != .code128 && !["]h0", "]U0", "]U1"].contains(symbologyIdentifier)
        if !namesECI, decoded.charset.source == .eci { decoded.charset.source = .symbology }
        // A symbol with segments distinguishes text from bytes itself.
        if reading.symbology != .qrCode, reading.segments.isEmpty, decoded.charset.source == .validity,
            decoded.charset.name == "us-ascii"
        {
            decoded.charset.source = .symbology
        }
        self.init(
            symbology: reading.symbology, symbologyIdentifier: symbologyIdentifier,
            bytes: Self.packet(of: reading), text: decoded.text, charset: decoded.charset,
            addOn: reading.addOn.map { String(decoding: $0, as: UTF8.self) },
            corners: reading.corners, orientation: reading.orientation, isInverted: reading.isInverted,
            isMirrored: reading.isMirrored, isGS1: reading.isGS1 || reading.symbology.traits.isGS1,
            check: Check(reading.symbology.traits.check), errorCorrectionLevel: reading.errorCorrectionLevel,
            correctionUsed: reading.correctionUsed, version: reading.version, modules: reading.modules,
            structuredAppend: reading.structuredAppend,
            isReaderProgramming: reading.isReaderProgramming,
            symbolCharacters: reading.symbolCharacters.map { String(decoding: $0, as: UTF8.self) })
        weight = reading.quality
        modulesAcross = reading.modulesAcross
    }

    /// Returns the EAN or UPC symbol with the digits of its add-on.
    func extended(byAddOn digits: String) -> Symbol {
        var symbol = self
        symbol.addOn = digits
        symbol.bytes += Array(digits.utf8)
        symbol.symbologyIdentifier = symbology.traits.symbologyIdentifier(
            Reading(symbology: symbology, bytes: bytes, corners: corners, addOn: Array(digits.utf8)))
        return symbol
    }

    /// Returns the data packet that corresponds to the symbology identifier.
    ///
    /// For EAN, UPC and ISBN it is the number in its full form of 13 digits (8 for EAN-8), then the digits of an
    /// add-on (ISO/IEC 15424, table of `]E`). For other symbologies it is the message itself.
    private static func packet(of reading: Reading) -> [UInt8] {
        let number =
            switch reading.symbology {
            case .upcA, .upcE: [UInt8(ascii: "0")] + reading.bytes
            case .isbn10: BookNumber.ean13(ofISBN10: reading.bytes) ?? reading.bytes
            default: reading.bytes
            }
        return number + (reading.addOn ?? [])
    }
}
