/// The parsed content of a symbol's message, as named fields; the symbol keeps the message itself, byte for byte.
///
/// A message that only resembles a known format is plain text: each format requires its check digits, its version
/// or its fixed fields.
///
/// ```swift
/// let message = ContentMessage(
///     text: text, bytes: Array(text.utf8), isGS1: false, symbology: "qr_code", currentYear: 2026)
/// if let content = SymbolContent.parse(message) {
///     for field in content.fields { print(field.label ?? field.name, field.meaning ?? field.value) }
/// }
/// ```
public struct SymbolContent: Sendable, Hashable {
    /// The format of the message.
    public var kind: Kind
    /// The fields, in the order of the message.
    public var fields: [Field]

    /// Creates a content.
    public init(_ kind: Kind, _ fields: [Field]) {
        self.kind = kind
        self.fields = fields
    }

    /// The value of the first field with a name; `nil` if there is none.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// A message format; new formats may be added.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the format, for programs.
        public let rawValue: String

        /// Creates a format with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// A named part of a message.
    public struct Field: Sendable, Hashable {
        /// The name for programs: the application identifier, or a plain word such as `number`.
        public var name: String
        /// The value, as in the message.
        public var value: String
        /// The name for people; `nil` if ``name`` suffices.
        public var label: String?
        /// The normalized value, such as an ISO 8601 date or a number with its decimal point; `nil` if ``value`` is
        /// that already.
        public var meaning: String?
        /// Indicates whether it is personal data or a secret, which is kept out of logs and masked in lists.
        public var isPersonal: Bool

        /// Creates a field.
        public init(
            _ name: String, _ value: String, label: String? = nil, meaning: String? = nil, isPersonal: Bool = false
        ) {
            self.name = name
            self.value = value
            self.label = label
            self.meaning = meaning
            self.isPersonal = isPersonal
        }
    }
}

/// A message with the properties of its symbol.
public struct ContentMessage: Sendable {
    /// The text.
    public var text: String
    /// The bytes; in GS1 element strings, GS (0x1D) stands for FNC1.
    public var bytes: [UInt8]
    /// Indicates whether the symbol marks the message as GS1 element strings.
    public var isGS1: Bool
    /// The name of the symbology, such as `ean_13`.
    public var symbology: String
    /// The year of the scan, which resolves two-digit years.
    public var currentYear: Int
    /// The element strings of the composite component above a linear symbol, with GS (0x1D) for FNC1; `nil` if
    /// there is none.
    public var composite: [UInt8]?

    /// Creates a message.
    public init(
        text: String, bytes: [UInt8], isGS1: Bool, symbology: String, currentYear: Int, composite: [UInt8]? = nil
    ) {
        self.text = text
        self.bytes = bytes
        self.isGS1 = isGS1
        self.symbology = symbology
        self.currentYear = currentYear
        self.composite = composite
    }
}

extension SymbolContent {
    /// Parses a message; `nil` for plain text, and for a message that is longer than any symbol holds.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - keys: the keys to check a signature with. The content of a signed message then has a field `signature`, which
    ///     is `valid` or `not_confirmed`, and if it is valid, `signed_by`, the name of the key.
    public static func parse(_ message: ContentMessage, keys: SigningKeys? = nil) -> SymbolContent? {
        guard let (form, fields) = ContentForm.match(message) else { return nil }
        return SymbolContent(form.kind, fields).adding(keys.flatMap { form.checkSignature(of: message, $0) })
    }
}

/// A message format with its parser: a row of ``all``, which is tried in order.
struct ContentForm: Sendable {
    let kind: SymbolContent.Kind
    /// Parses a message; `nil` if it does not have this format.
    let fields: @Sendable (ContentMessage) -> [SymbolContent.Field]?
    /// Finds the signature of a message of this format, `nil` if it is of a kind that is not known; `nil` itself if the
    /// format has no signature.
    let signature: (@Sendable (ContentMessage) -> ContentSignature?)?

    init(
        _ kind: SymbolContent.Kind, _ fields: @escaping @Sendable (ContentMessage) -> [SymbolContent.Field]?,
        signature: (@Sendable (ContentMessage) -> ContentSignature?)? = nil
    ) {
        self.kind = kind
        self.fields = fields
        self.signature = signature
    }

    /// The longest message that is parsed, in bytes.
    static let maximumLength = 8192

    /// Finds the format of a message and its fields; `nil` for plain text, and for a message that is too long.
    static func match(_ message: ContentMessage) -> (form: ContentForm, fields: [SymbolContent.Field])? {
        guard message.bytes.count <= maximumLength else { return nil }
        for form in all {
            if let fields = form.fields(message) { return (form, fields) }
        }
        return nil
    }

    /// All formats, the ones with the strongest evidence first.
    static let all: [ContentForm] = [
        ContentForm(.gs1, GS1Content.composite), ContentForm(.gs1, GS1Content.elementString),
        ContentForm(.gs1, GS1Content.bracketed), ContentForm(.gs1, GS1Content.envelope),
        ContentForm(.pharmacyProduct, DataIdentifiers.pharmacyProduct),
        ContentForm(.dataIdentifiers, DataIdentifiers.fields),
        ContentForm(.dataIdentifiers, DataIdentifiers.licensePlate), ContentForm(.partBag, PartBag.fields),
        ContentForm(.trainTicket, TrainTicket.fields, signature: TrainTicket.signature),
        ContentForm(.healthCertificate, HealthCertificate.fields, signature: HealthCertificate.signature),
        ContentForm(.digitalSeal, DigitalSeal.fields, signature: DigitalSeal.signature),
        ContentForm(.gs1Link, GS1Content.link), ContentForm(.gtin, GS1Content.gtin),
        ContentForm(.drivingLicense, DrivingLicense.fields), ContentForm(.boardingPass, BoardingPass.fields),
        ContentForm(.creditTransfer, CreditTransfer.fields), ContentForm(.swissBill, SwissBill.fields),
        ContentForm(.merchantPayment, MerchantPayment.fields), ContentForm(.healthIndustry, HealthIndustry.fields),
        ContentForm(.bloodProduct, BloodProduct.fields), ContentForm(.pharmacyNumber, PharmacyNumber.fields),
        ContentForm(.wifi, WirelessNetwork.fields), ContentForm(.contact, Contact.card),
        ContentForm(.contact, Contact.meCard), ContentForm(.event, CalendarEvent.fields),
        ContentForm(.oneTimePassword, OneTimePassword.fields), ContentForm(.mail, Links.mail),
        ContentForm(.phone, Links.phone), ContentForm(.textMessage, Links.textMessage),
        ContentForm(.position, Links.position), ContentForm(.url, Links.url),
    ]
}

extension SymbolContent.Kind {
    /// The known formats, each once.
    public static let all: [SymbolContent.Kind] = ContentForm.all.map(\.kind).reduce(into: []) { kinds, kind in
        if !kinds.contains(kind) { kinds.append(kind) }
    }

    /// GS1 element strings.
    public static let gs1 = Self(rawValue: "gs1")
    /// A GS1 Digital Link.
    public static let gs1Link = Self(rawValue: "gs1_link")
    /// An EAN or UPC number, with the ISBN of a book, the ISMN of music or the ISSN of a serial.
    public static let gtin = Self(rawValue: "gtin")
    /// A label of a medicine with a Pharmacy Product Number (PPN).
    public static let pharmacyProduct = Self(rawValue: "ppn")
    /// A label of parts or of a transport unit, with the data identifiers of ISO/IEC 15434 and ANSI MH10.8.2.
    public static let dataIdentifiers = Self(rawValue: "data_identifiers")
    /// A bag of electronic parts from LCSC.
    public static let partBag = Self(rawValue: "lcsc")
    /// A railway ticket (UIC 918.3).
    public static let trainTicket = Self(rawValue: "train_ticket")
    /// A digital COVID certificate of the EU.
    public static let healthCertificate = Self(rawValue: "health_certificate")
    /// A visible digital seal of a passport, visa, permit or card (ICAO Doc 9303-13).
    public static let digitalSeal = Self(rawValue: "digital_seal")
    /// A driver's license or identity card of North America (AAMVA).
    public static let drivingLicense = Self(rawValue: "driving_license")
    /// A boarding pass (IATA BCBP).
    public static let boardingPass = Self(rawValue: "boarding_pass")
    /// A credit transfer of the Single Euro Payments Area (EPC069-12).
    public static let creditTransfer = Self(rawValue: "credit_transfer")
    /// A Swiss QR-bill.
    public static let swissBill = Self(rawValue: "swiss_bill")
    /// A merchant's payment code (EMVCo).
    public static let merchantPayment = Self(rawValue: "merchant_payment")
    /// A label of the health industry (HIBC).
    public static let healthIndustry = Self(rawValue: "hibc")
    /// A label of blood, tissue or cells (ISBT 128).
    public static let bloodProduct = Self(rawValue: "isbt_128")
    /// A German medicine number (PZN).
    public static let pharmacyNumber = Self(rawValue: "pzn")
    /// A wireless network.
    public static let wifi = Self(rawValue: "wifi")
    /// A person or an organization (vCard, MECARD).
    public static let contact = Self(rawValue: "contact")
    /// A calendar event (iCalendar).
    public static let event = Self(rawValue: "event")
    /// The secret of a one-time password generator.
    public static let oneTimePassword = Self(rawValue: "one_time_password")
    /// An email to write.
    public static let mail = Self(rawValue: "mail")
    /// A telephone number.
    public static let phone = Self(rawValue: "phone")
    /// A text message to send.
    public static let textMessage = Self(rawValue: "text_message")
    /// A geographic location.
    public static let position = Self(rawValue: "position")
    /// A web address.
    public static let url = Self(rawValue: "url")
}
