/// What a symbol's message says, as named fields; the message itself stays with the symbol, byte for byte.
///
/// A message that only looks like one of the known forms is plain text: each form asks for its own check digits, its
/// version or its fixed fields before it is believed.
public struct SymbolContent: Sendable, Hashable {
    /// The form of the message.
    public var kind: Kind
    /// What it says, in the order of the message.
    public var fields: [Field]

    /// A content of a kind with its fields.
    public init(_ kind: Kind, _ fields: [Field]) {
        self.kind = kind
        self.fields = fields
    }

    /// The value of the first field with a name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// A form that messages have; more may come.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the form, for programs.
        public let rawValue: String

        /// The form of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// One named part of a message.
    public struct Field: Sendable, Hashable {
        /// The name for programs: the application identifier, or a plain word such as `number`.
        public var name: String
        /// What stands in the message.
        public var value: String
        /// The name for people; nil where ``name`` does.
        public var label: String?
        /// The value in a form of its own: a date as ISO 8601 has it, a decimal number with its point; nil where the
        /// value is that already.
        public var meaning: String?
        /// Whether it says something about a person, or is a secret: kept out of logs, and masked in lists.
        public var isPersonal: Bool

        /// A field.
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

/// A message, and what its symbol says of it.
public struct ContentMessage: Sendable {
    /// The text.
    public var text: String
    /// The bytes; of GS1 element strings with GS (0x1D) for FNC1.
    public var bytes: [UInt8]
    /// Whether the symbol says that the message is GS1 element strings.
    public var isGS1: Bool
    /// The symbology by its name, such as `ean_13`.
    public var symbology: String
    /// The year in which the message is read: two digits of a year are taken to be near it.
    public var currentYear: Int
    /// The element strings of the composite component above a linear symbol, with GS (0x1D) for FNC1; nil for none.
    public var composite: [UInt8]?

    /// A message and what is known of it.
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
    /// Characters of the longest message that is looked at.
    static let maximumLength = 8192

    /// What a message says; nil for plain text, and for what is longer than any symbol holds.
    public static func parse(_ message: ContentMessage) -> SymbolContent? {
        guard message.bytes.count <= maximumLength else { return nil }
        for form in ContentForm.all {
            if let fields = form.fields(message) { return SymbolContent(form.kind, fields) }
        }
        return nil
    }
}

/// A form of message: a row of ``all``, which is walked in its order.
struct ContentForm: Sendable {
    let kind: SymbolContent.Kind
    /// The fields of a message; nil where it has not this form.
    let fields: @Sendable (ContentMessage) -> [SymbolContent.Field]?

    init(_ kind: SymbolContent.Kind, _ fields: @escaping @Sendable (ContentMessage) -> [SymbolContent.Field]?) {
        self.kind = kind
        self.fields = fields
    }

    /// All forms, those with the most evidence first.
    static let all: [ContentForm] = [
        ContentForm(.gs1, GS1Content.composite), ContentForm(.gs1, GS1Content.elementString),
        ContentForm(.gs1, GS1Content.bracketed),
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
    /// The forms that are known, each once.
    public static let all: [SymbolContent.Kind] = ContentForm.all.map(\.kind).reduce(into: []) { kinds, kind in
        if !kinds.contains(kind) { kinds.append(kind) }
    }

    /// GS1 element strings.
    public static let gs1 = Self(rawValue: "gs1")
    /// A GS1 Digital Link.
    public static let gs1Link = Self(rawValue: "gs1_link")
    /// A number of EAN or UPC; of a book or a serial the ISBN or ISSN too.
    public static let gtin = Self(rawValue: "gtin")
    /// A driving licence or identity card of North America (AAMVA).
    public static let drivingLicense = Self(rawValue: "driving_license")
    /// A boarding pass (IATA BCBP).
    public static let boardingPass = Self(rawValue: "boarding_pass")
    /// A credit transfer of the Single Euro Payments Area (EPC069-12).
    public static let creditTransfer = Self(rawValue: "credit_transfer")
    /// A Swiss QR-bill.
    public static let swissBill = Self(rawValue: "swiss_bill")
    /// A merchant's code for payments (EMVCo).
    public static let merchantPayment = Self(rawValue: "merchant_payment")
    /// A label of the health industry (HIBC).
    public static let healthIndustry = Self(rawValue: "hibc")
    /// A label of blood, tissue or cells (ISBT 128).
    public static let bloodProduct = Self(rawValue: "isbt_128")
    /// A German number of a medicine (PZN).
    public static let pharmacyNumber = Self(rawValue: "pzn")
    /// A wireless network.
    public static let wifi = Self(rawValue: "wifi")
    /// A person or an organization (vCard, MECARD).
    public static let contact = Self(rawValue: "contact")
    /// An entry of a calendar (iCalendar).
    public static let event = Self(rawValue: "event")
    /// The secret of a generator of one-time passwords.
    public static let oneTimePassword = Self(rawValue: "one_time_password")
    /// An e-mail to be written.
    public static let mail = Self(rawValue: "mail")
    /// A telephone number.
    public static let phone = Self(rawValue: "phone")
    /// A text message to be sent.
    public static let textMessage = Self(rawValue: "text_message")
    /// A place on the earth.
    public static let position = Self(rawValue: "position")
    /// A web address.
    public static let url = Self(rawValue: "url")
}
