/// A railway ticket of the UIC (leaflet 918.3, versions 1 and 2): the header, the printed fields, and the data of
/// Deutsche Bahn.
enum TrainTicket {
    private typealias Record = (name: String, version: Int?, body: ArraySlice<UInt8>)

    /// The parts of a ticket: the issuer's number of four characters and the key's of five, the signature, and the size
    /// and the bytes of the packed data.
    private struct Envelope {
        let signature: [UInt8]
        let packed: [UInt8]

        init?(_ bytes: [UInt8]) {
            guard bytes.starts(with: "#UT0".utf8), bytes.count > 5,
                let signatureSize = [UInt8(ascii: "1"): 50, UInt8(ascii: "2"): 64][bytes[4]]
            else { return nil }
            let start = 5 + 9 + signatureSize
            guard bytes.count > start + 4, let size = number(bytes[start..<start + 4]),
                bytes.count >= start + 4 + size
            else { return nil }
            signature = Array(bytes[start - signatureSize..<start])
            packed = Array(bytes[start + 4..<start + 4 + size])
        }
    }

    static func signature(_ message: ContentMessage) -> ContentSignature? {
        guard let ticket = Envelope(message.bytes) else { return nil }
        guard message.bytes[4] == UInt8(ascii: "1") else {
            return ContentSignature(pair: ticket.signature, of: ticket.packed, .byKind)
        }
        // In version 1 the signature is in DER, filled with zeros; its second byte is its length.
        guard ticket.signature[0] == 0x30, 2 + Int(ticket.signature[1]) <= ticket.signature.count else { return nil }
        return ContentSignature(
            Array(ticket.signature.prefix(2 + Int(ticket.signature[1]))), of: ticket.packed, .byKind)
    }

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        let bytes = message.bytes
        guard let ticket = Envelope(bytes), let data = Inflation.expand(ticket.packed),
            let records = records(data), !records.isEmpty
        else { return nil }
        var fields = [
            SymbolContent.Field("issuer", String(field: bytes[5..<9]), label: "Issuer"),
            SymbolContent.Field("key", String(field: bytes[9..<14]), label: "Key"),
        ]
        for record in records {
            switch record.name {
            case "U_HEAD": fields += head(record.body)
            case "U_TLAY": fields += layout(record.body)
            case "0080BL": fields += germanTicket(record.body, record.version)
            default: fields.append(SymbolContent.Field("record", record.name, label: "Other data"))
            }
        }
        return fields
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.isEmpty || !bytes.allSatisfy(GS1Characters.isDigit) ? nil : GS1Check.number(bytes)
    }

    /// Splits the data into records: a name of six characters, a version of two, the size of the whole in four digits.
    private static func records(_ data: [UInt8]) -> [Record]? {
        var found: [Record] = []
        var rest = data[...]
        while !rest.isEmpty {
            guard rest.count >= 12, let size = number(rest.dropFirst(8).prefix(4)), size >= 12, size <= rest.count
            else { return nil }
            found.append(
                (String(field: rest.prefix(6)), number(rest.dropFirst(6).prefix(2)), rest.prefix(size).dropFirst(12)))
            rest = rest.dropFirst(size)
        }
        return found
    }

    /// Parses who issued the ticket, its number, and when: day, month, year, hour, minute.
    private static func head(_ body: ArraySlice<UInt8>) -> [SymbolContent.Field] {
        guard body.count >= 36 else { return [] }
        let time = String(field: body.dropFirst(24).prefix(12))
        let date = GS1Date(
            String(time.dropFirst(4).prefix(4) + time.dropFirst(2).prefix(2) + time.prefix(2)), currentYear: 0)
        let isTime = number(body.dropFirst(32).prefix(4)) != nil
        let meaning = date.map { "\($0.description)T\(time.dropFirst(8).prefix(2)):\(time.suffix(2))" }
        return [
            SymbolContent.Field(
                "ticket", String(field: body.dropFirst(4).prefix(20)).trimmed, label: "Ticket number", isPersonal: true),
            SymbolContent.Field("issued", time, label: "Issued", meaning: isTime ? meaning : nil),
        ]
    }

    /// Parses the texts that are printed on the ticket, line by line: each with its place, its size and its format.
    private static func layout(_ body: ArraySlice<UInt8>) -> [SymbolContent.Field] {
        var found: [(line: Int, column: Int, text: String)] = []
        var rest = body.dropFirst(8)
        while rest.count >= 13 {
            guard let line = number(rest.prefix(2)), let column = number(rest.dropFirst(2).prefix(2)),
                let size = number(rest.dropFirst(9).prefix(4)), size <= rest.count - 13
            else { break }
            found.append((line, column, String(field: rest.dropFirst(13).prefix(size)).trimmed))
            rest = rest.dropFirst(13 + size)
        }
        return found.filter { !$0.text.isEmpty }.sorted { ($0.line, $0.column) < ($1.line, $1.column) }.map {
            SymbolContent.Field("printed", $0.text, label: "Printed", isPersonal: true)
        }
    }

    /// The blocks of Deutsche Bahn by their numbers.
    private static let germanNames: [Int: (name: String, label: String, isPersonal: Bool)] = [
        1: ("tariff", "Tariff", false), 9: ("passengers", "Passengers", false), 14: ("class", "Class", false),
        15: ("origin", "From", true), 16: ("destination", "To", true), 21: ("via", "Via", true),
        23: ("passenger", "Passenger", true), 31: ("valid_from", "Valid from", false),
        32: ("valid_until", "Valid until", false),
    ]

    /// Parses the blocks of Deutsche Bahn: after the certificates of the orders, the letter S, a number of three digits,
    /// a size of four, and the text.
    private static func germanTicket(_ body: ArraySlice<UInt8>, _ version: Int?) -> [SymbolContent.Field] {
        // The certificate of an order has 46 bytes in version 2 and 26 in version 3.
        guard let version, let certificate = [2: 46, 3: 26][version], let orders = number(body.dropFirst(2).prefix(1))
        else { return [] }
        // The number of blocks, in two digits, lies before the first.
        var rest = body.dropFirst(3 + orders * certificate + 2)
        var fields: [SymbolContent.Field] = []
        while rest.count >= 8, rest.first == UInt8(ascii: "S"), let kind = number(rest.dropFirst().prefix(3)),
            let size = number(rest.dropFirst(4).prefix(4)), size <= rest.count - 8
        {
            if let (name, label, isPersonal) = germanNames[kind] {
                let value = String(field: rest.dropFirst(8).prefix(size))
                let meaning = name.hasPrefix("valid") ? date(value) : nil
                fields.append(SymbolContent.Field(name, value, label: label, meaning: meaning, isPersonal: isPersonal))
            }
            rest = rest.dropFirst(8 + size)
        }
        return fields
    }

    /// Parses a day in the order of Germany, 01.02.2026.
    private static func date(_ value: String) -> String? {
        let parts = value.split(separator: ".")
        guard parts.count == 3, parts[0].utf8.count == 2, parts[1].utf8.count == 2 else { return nil }
        return GS1Date(String(parts[2] + parts[1] + parts[0]), currentYear: 0)?.description
    }
}
