internal import Glibc

/// A digital COVID certificate of the EU (Electronic Health Certificates, HCERT 1.0.5): vaccination, test or recovery.
enum HealthCertificate {
    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let envelope = Envelope(message), let claims = CBOR(envelope.payload),
            let certificate = claims[-260]?[1],
            let name = certificate["nam"], let group = groups.first(where: { certificate[$0.key] != nil }),
            case .list(let entries) = certificate[group.key], let entry = entries.first
        else { return nil }
        var fields = [SymbolContent.Field("certificate", group.name, label: "Certificate", isPersonal: true)]
        func add(_ field: String, _ label: String, _ value: String?, meaning: String? = nil) {
            guard let value, !value.isEmpty else { return }
            fields.append(SymbolContent.Field(field, value, label: label, meaning: meaning, isPersonal: true))
        }
        add("last_name", "Last name", name["fn"]?.text ?? name["fnt"]?.text)
        add("first_name", "First name", name["gn"]?.text ?? name["gnt"]?.text)
        add("birthday", "Birthday", certificate["dob"]?.text)
        for item in group.items { add(item.name, item.label, entry[item.key].flatMap(text)) }
        add("country", "Country", entry["co"]?.text)
        add("issuer", "Issuer", entry["is"]?.text)
        add("identifier", "Identifier", entry["ci"]?.text)
        add("issued", "Issued", claims[6].flatMap(text), meaning: claims[6]?.integer.flatMap(day))
        add("expiry", "Expiry", claims[4].flatMap(text), meaning: claims[4]?.integer.flatMap(day))
        return fields
    }

    /// A COSE_Sign1 (RFC 9052): the protected header, the unprotected one, the claims, the signature.
    private struct Envelope {
        let header: [UInt8]
        let payload: [UInt8]
        let signature: [UInt8]

        init?(_ message: ContentMessage) {
            guard message.bytes.starts(with: "HC1:".utf8), let packed = base45(message.bytes.dropFirst(4)),
                let envelope = Inflation.expand(packed), case .list(let parts) = CBOR(envelope), parts.count == 4,
                case .bytes(let header) = parts[0], case .bytes(let payload) = parts[2],
                case .bytes(let signature) = parts[3], !signature.isEmpty
            else { return nil }
            (self.header, self.payload, self.signature) = (header, payload, signature)
        }
    }

    /// The algorithms of a signature in COSE (RFC 9053, RFC 8230).
    private enum Algorithm: Int {
        case es256 = -7
        case ps256 = -37
    }

    static func signature(_ message: ContentMessage) -> ContentSignature? {
        guard let envelope = Envelope(message),
            let algorithm = CBOR(envelope.header)?[1]?.integer.flatMap(Algorithm.init)
        else { return nil }
        // RFC 9052, 4.4: a list of a text, the protected header, no external data, and the payload.
        let signed =
            [0x84, 0x6A] + Array("Signature1".utf8) + CBOR.encoded(envelope.header) + [0x40]
            + CBOR.encoded(envelope.payload)
        return switch algorithm {
        case .es256: ContentSignature(pair: envelope.signature, of: signed, .sha256)
        case .ps256: ContentSignature(envelope.signature, of: signed, .sha256)
        }
    }

    private typealias Item = (key: String, name: String, label: String)

    /// The three kinds of certificates by their keys, with what each alone has.
    private static let groups: [(key: String, name: String, items: [Item])] = [
        (
            "v", "vaccination",
            [
                ("tg", "disease", "Disease"), ("vp", "vaccine", "Vaccine"), ("mp", "product", "Product"),
                ("dn", "dose", "Dose"), ("sd", "doses", "Doses"), ("dt", "date", "Date"),
            ]
        ),
        (
            "t", "test",
            [
                ("tg", "disease", "Disease"), ("tt", "test", "Test"), ("sc", "date", "Date"),
                ("tr", "result", "Result"),
            ]
        ),
        (
            "r", "recovery",
            [
                ("tg", "disease", "Disease"), ("fr", "date", "First positive test"),
                ("df", "valid_from", "Valid from"), ("du", "valid_until", "Valid until"),
            ]
        ),
    ]

    private static func text(_ value: CBOR) -> String? { value.text ?? value.integer.map { String($0) } }

    /// Returns the day of a time in seconds since 1970, in UTC; `nil` for a time beyond the year 9999.
    private static func day(_ seconds: Int) -> String? {
        var (time, parts) = (time_t(seconds), tm())
        guard (0..<253_402_300_800).contains(seconds), gmtime_r(&time, &parts) != nil else { return nil }
        let digits = (Int(parts.tm_year) + 1900) * 10_000 + (Int(parts.tm_mon) + 1) * 100 + Int(parts.tm_mday)
        return GS1Date(String(digits), currentYear: 0)?.description
    }

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// Decodes Base45 (RFC 9285): three characters for two bytes, the last two for one; `nil` if it is damaged.
    private static func base45(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 3 * 2 + 1)
        var rest = text
        while !rest.isEmpty {
            var value = 0
            var weight = 1
            for character in rest.prefix(3) {
                guard let digit = alphabet.firstIndex(of: character) else { return nil }
                value += digit * weight
                weight *= 45
            }
            let count = min(3, rest.count)
            rest = rest.dropFirst(3)
            switch count {
            case 3 where value <= 0xFFFF: bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
            case 2 where value <= 0xFF: bytes.append(UInt8(value))
            default: return nil
            }
        }
        return bytes
    }
}
