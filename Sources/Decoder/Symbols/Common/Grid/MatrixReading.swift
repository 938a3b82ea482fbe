public import BarcodeCore

/// A result of any reader of this module.
public protocol MatrixReading {
    /// The reading in the form that all symbologies share.
    var reading: Reading { get }
    /// The symbology identifier of ISO/IEC 15424.
    var symbologyIdentifier: String { get }
    /// The ECI in force before the first one of the symbol; `nil` if there is none.
    var initialECI: Int? { get }
}

/// The ECI of ISO 8859-1, the initial encoding of a symbol with ECIs (ISO/IEC 16022 and ISO/IEC 24778, ECI).
private let latin1 = 3

extension QRReading: MatrixReading {
    /// `]Q1` to `]Q6`.
    public var symbologyIdentifier: String { message.symbologyIdentifier }
    /// None: without an ECI, encoders seldom follow the default of the standard.
    public var initialECI: Int? { nil }
}

extension DataMatrixReading: MatrixReading {
    /// `]d1` to `]d6`.
    public var symbologyIdentifier: String { message.symbologyIdentifier }
    /// ISO 8859-1 if the symbol has an ECI.
    public var initialECI: Int? { message.hasECI ? latin1 : nil }
}

extension AztecReading: MatrixReading {
    /// `]z0` to `]zC`.
    public var symbologyIdentifier: String { message.symbologyIdentifier }
    /// ISO 8859-1 if the symbol has an ECI.
    public var initialECI: Int? { message.hasECI ? latin1 : nil }
}

extension MicroQRReading: MatrixReading {
    /// `]Q1` to `]Q6`.
    public var symbologyIdentifier: String { message.symbologyIdentifier }
    /// None, as for QR Code.
    public var initialECI: Int? { nil }
}

extension MaxiCodeReading: MatrixReading {
    /// `]U0` to `]U3`.
    public var symbologyIdentifier: String { message.symbologyIdentifier }
    /// ISO 8859-1 if the symbol has an ECI (ISO/IEC 16023, 4.6).
    public var initialECI: Int? { message.hasECI ? latin1 : nil }
}

extension HanXinReading: MatrixReading {
    /// `]h0`, with ECI `]h1`.
    public var symbologyIdentifier: String { message.symbologyIdentifier }
    /// None, as for QR Code.
    public var initialECI: Int? { nil }
}

extension DotCodeReading: MatrixReading {
    /// `]J0` to `]J5`.
    public var symbologyIdentifier: String { message.symbologyIdentifier }
    /// ISO 8859-1 if the symbol has an ECI (AIM DotCode 4.0, 4.4).
    public var initialECI: Int? { message.hasECI ? latin1 : nil }
}

extension PDF417Reading: MatrixReading {
    /// `]L2`, with ECI `]L1`.
    public var symbologyIdentifier: String { reading.symbology.traits.symbologyIdentifier(reading) }
    /// None: without an ECI, encoders seldom follow the default of the standard.
    public var initialECI: Int? { nil }
}

extension MicroPDF417Reading: MatrixReading {
    /// `]L1` to `]L5`.
    public var symbologyIdentifier: String { message.symbologyIdentifier }
    /// None, as for PDF417.
    public var initialECI: Int? { nil }
}
