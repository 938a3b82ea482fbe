internal import BarcodeCore

/// Contacts: vCard (RFC 6350, and the older 2.1 and 3.0) and DoCoMo's MECARD.
enum Contact {
    private static let names = [
        "FN": "name", "N": "name_parts", "ORG": "organization", "TITLE": "title", "TEL": "phone", "EMAIL": "mail",
        "ADR": "address", "URL": "url", "BDAY": "birthday", "NOTE": "note", "NICKNAME": "nickname",
    ]

    static func card(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let lines = ContentLines.of(message.text, "VCARD") else { return nil }
        let fields = lines.compactMap { line in
            names[line.name].map { SymbolContent.Field($0, value(of: line), isPersonal: true) }
        }
        return fields.isEmpty ? nil : fields
    }

    /// Returns the interpreted value: for a phone URI, its number (RFC 6350, 6.4.1).
    private static func value(of line: ContentLines.Line) -> String {
        guard line.name == "TEL", line.parameter("VALUE")?.lowercased() == "uri",
            let number = Links.rest(line.value, "tel:")
        else { return line.value }
        return Links.unescaped(number)
    }

    static func meCard(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let rest = Links.rest(message.text, "MECARD:") else { return nil }
        let fields = KeyValueFields.values(rest).compactMap { item in
            (item.key == "N" ? "name" : names[item.key]).map {
                SymbolContent.Field($0, item.value, isPersonal: true)
            }
        }
        return fields.contains { $0.name == "name" } ? fields : nil
    }
}

/// Calendar events (RFC 5545), alone or within a calendar.
enum CalendarEvent {
    private static let names = [
        "SUMMARY": "summary", "DTSTART": "start", "DTEND": "end", "LOCATION": "location",
        "DESCRIPTION": "description", "ORGANIZER": "organizer", "URL": "url",
    ]

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let lines = ContentLines.of(message.text, "VEVENT") else { return nil }
        let fields = lines.flatMap { line -> [SymbolContent.Field] in
            guard let name = names[line.name] else { return [] }
            // The time is in this zone, and ambiguous without it.
            let zone = line.parameter("TZID").map { SymbolContent.Field("\(name)_zone", $0) }
            return [SymbolContent.Field(name, line.value)] + [zone].compactMap(\.self)
        }
        return fields.contains { $0.name == "start" || $0.name == "summary" } ? fields : nil
    }
}

/// Lines `NAME;PARAMETER=...:value` between `BEGIN:X` and `END:X`, with folded lines joined.
enum ContentLines {
    /// A parsed line.
    struct Line {
        var name: String
        /// The unparsed parameters, each `NAME=value`.
        var parameters: [Substring]
        var value: String

        /// Returns the value of a parameter without its quotes; `nil` if the line has none of that name.
        func parameter(_ name: String) -> String? {
            let found = parameters.first { $0.uppercased().hasPrefix(name + "=") }
            return found.map { $0.dropFirst(name.count + 1).filter { $0 != "\"" } }
        }

        /// Indicates whether the value is in quoted-printable, which vCard 2.1 declares with or without the
        /// parameter's name.
        static func isQuotedPrintable(_ parameters: some Sequence<Substring>) -> Bool {
            parameters.contains { ["QUOTED-PRINTABLE", "ENCODING=QUOTED-PRINTABLE"].contains($0.uppercased()) }
        }
    }

    static func of(_ text: String, _ component: String) -> [Line]? {
        guard let begin = Links.rest(text, "BEGIN:") else { return nil }
        // The component itself, or a calendar that contains it.
        let kind = begin.prefix(max(component.count, 9)).uppercased()
        guard kind.hasPrefix(component) || kind.hasPrefix("VCALENDAR") else { return nil }
        var unfolded: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if let last = unfolded.last, last.hasSuffix("="), let header = parts(last)?.header,
                Line.isQuotedPrintable(header.dropFirst())
            {
                // A soft line break in quoted-printable (RFC 2045, 6.7).
                unfolded[unfolded.count - 1] = String(last.dropLast()) + String(line)
            } else if let first = line.first, first == " " || first == "\t", !unfolded.isEmpty {
                unfolded[unfolded.count - 1] += line.dropFirst()
            } else {
                unfolded.append(String(line))
            }
        }
        guard let start = unfolded.firstIndex(where: { $0.uppercased() == "BEGIN:" + component }) else { return nil }
        var lines: [Line] = []
        // A component within this one, such as the alarm of an event, has lines of its own.
        var depth = 1
        for line in unfolded[(start + 1)...] where depth > 0 {
            if Links.rest(line, "BEGIN:") != nil {
                depth += 1
            } else if Links.rest(line, "END:") != nil {
                depth -= 1
            } else if depth == 1, let (header, value) = parts(line) {
                let name = header.first?.split(separator: ".").last ?? ""
                let parameters = Array(header.dropFirst())
                let decoded = Line.isQuotedPrintable(parameters) ? quotedPrintable(value) : String(value)
                lines.append(
                    Line(name: name.uppercased(), parameters: parameters, value: unescaped(decoded[...])))
            }
        }
        return lines
    }

    /// Splits a line at the first colon, and what is before it at semicolons: the name and the parameters.
    ///
    /// In quotation marks both are part of a parameter (RFC 5545, 3.2). A single mark is a character like others.
    private static func parts(
        _ line: String, knowsQuotes: Bool = true
    ) -> (header: [Substring], value: Substring)? {
        var header: [Substring] = []
        var start = line.startIndex
        var isQuoted = false
        for place in line.indices {
            switch line[place] {
            case "\"": isQuoted = knowsQuotes && !isQuoted
            case ";" where !isQuoted:
                header.append(line[start..<place])
                start = line.index(after: place)
            case ":" where !isQuoted:
                return (header + [line[start..<place]], line[line.index(after: place)...])
            default: break
            }
        }
        return isQuoted ? parts(line, knowsQuotes: false) : nil
    }

    /// Decodes quoted-printable (RFC 2045, 6.7); returns the text unchanged if the result is not valid UTF-8.
    private static func quotedPrintable(_ value: Substring) -> String {
        let bytes = HexadecimalEscapes.decoded(value.utf8, mark: UInt8(ascii: "="))
        return String(validating: bytes, as: UTF8.self) ?? String(value)
    }

    private static func unescaped(_ value: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                result.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}

/// `WIFI:`, the format that ZXing introduced and phones support.
enum WirelessNetwork {
    private static let names = [
        "S": "network", "T": "security", "P": "password", "H": "hidden", "E": "method", "I": "identity",
    ]

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let rest = Links.rest(message.text, "WIFI:") else { return nil }
        let fields = KeyValueFields.values(rest).compactMap { item in
            names[item.key].map {
                SymbolContent.Field(
                    $0, item.isQuoted ? String(item.value.dropFirst().dropLast()) : item.value,
                    isPersonal: item.key == "P" || item.key == "I")
            }
        }
        return fields.contains { $0.name == "network" && !$0.value.isEmpty } ? fields : nil
    }
}

/// `otpauth:`, the key of an authenticator app.
enum OneTimePassword {
    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let rest = Links.rest(message.text, "otpauth://") else { return nil }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, path.count == 2, ["totp", "hotp"].contains(path[0].lowercased()) else { return nil }
        let values = Links.query(parts[1])
        guard let secret = values.first(where: { $0.key == "secret" }), !secret.value.isEmpty else { return nil }
        var fields = [
            SymbolContent.Field("type", path[0].lowercased()),
            SymbolContent.Field("account", Links.unescaped(path[1]), isPersonal: true),
            SymbolContent.Field("secret", secret.value, isPersonal: true),
        ]
        for name in ["issuer", "algorithm", "digits", "period", "counter"] {
            if let item = values.first(where: { $0.key == name }) {
                fields.append(SymbolContent.Field(name, item.value))
            }
        }
        return fields
    }
}
