internal import BarcodeCore

/// Web, mail, phone and location links.
enum Links {
    /// Returns the text after a scheme, case-insensitive; `nil` if it does not begin with the scheme.
    static func rest(_ text: String, _ scheme: String) -> Substring? {
        guard text.utf8.count >= scheme.utf8.count,
            text.utf8.prefix(scheme.utf8.count).map({ $0 | 0x20 }).elementsEqual(scheme.utf8.map { $0 | 0x20 })
        else { return nil }
        return text[text.utf8.index(text.startIndex, offsetBy: scheme.utf8.count)...]
    }

    /// Decodes percent-encoding; returns the text unchanged if the result is not valid UTF-8.
    static func unescaped(_ text: Substring, plusIsSpace: Bool = false) -> String {
        let plus = UInt8(ascii: plusIsSpace ? " " : "+")
        return String(validating: HexadecimalEscapes.decoded(text.utf8, plus: plus), as: UTF8.self) ?? String(text)
    }

    /// Returns the keys and values of a query.
    static func query(_ text: Substring) -> [(key: String, value: String)] {
        text.split(separator: "&").prefix(64).map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (unescaped(pair[0]).lowercased(), pair.count > 1 ? unescaped(pair[1]) : "")
        }
    }

    /// Parses an http or https link, and flags misleading parts: a user name that looks like a host, and non-ASCII
    /// letters.
    static func url(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let rest = rest(message.text, "https://") ?? rest(message.text, "http://"), !rest.isEmpty,
            !message.text.contains(where: { $0.isWhitespace || $0.isNewline })
        else { return nil }
        // By scalars, as browsers do: a slash and a combining mark behind it are one `Character`.
        let authority = rest.unicodeScalars.prefix { !"/?#\\".unicodeScalars.contains($0) }
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false).map(Substring.init)
        guard let host = parts.last.map(host), !host.isEmpty else { return nil }
        let user = parts.dropLast().joined(separator: "@")
        let hasPassword = user.utf8.contains(UInt8(ascii: ":"))
        var fields = [
            SymbolContent.Field("url", message.text, label: "Link", isPersonal: hasPassword),
            SymbolContent.Field("host", host.lowercased(), label: "Host"),
        ]
        if parts.count > 1 {
            // A deceptive user name looks like the host, so it must be visible; a password must not be.
            fields.append(
                SymbolContent.Field("user", user, label: "User name before the host", isPersonal: hasPassword))
        }
        if host.utf8.contains(where: { $0 > 0x7F })
            || host.lowercased().split(separator: ".").contains(where: { $0.hasPrefix("xn--") })
        {
            fields.append(
                SymbolContent.Field(
                    "note",
                    "The host has letters beyond ASCII, which can look like other letters."))
        }
        return fields
    }

    /// Returns the host without its port; an IPv6 address is in brackets (RFC 3986, 3.2.2).
    private static func host(_ text: Substring) -> Substring {
        guard text.first == "[", let end = text.firstIndex(of: "]") else {
            return Substring(text.unicodeScalars.prefix { $0 != ":" })
        }
        return text[...end]
    }

    /// Parses `mailto:` (RFC 6068) and DoCoMo's `MATMSG:`.
    static func mail(_ message: ContentMessage) -> [SymbolContent.Field]? {
        if let rest = rest(message.text, "MATMSG:") {
            let values = KeyValueFields.values(rest)
            guard let to = values.first(where: { $0.key == "TO" })?.value, !to.isEmpty else { return nil }
            return [SymbolContent.Field("to", to, isPersonal: true)]
                + [("SUB", "subject"), ("BODY", "body")].compactMap { key, name in
                    values.first { $0.key == key }.map { SymbolContent.Field(name, $0.value) }
                }
        }
        guard let rest = rest(message.text, "mailto:") else { return nil }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let to = unescaped(parts[0])
        let values = parts.count > 1 ? query(parts[1]) : []
        guard to.contains("@") || values.contains(where: { $0.key == "to" }) else { return nil }
        return (to.isEmpty ? [] : [SymbolContent.Field("to", to, isPersonal: true)])
            + values.filter { ["to", "cc", "bcc", "subject", "body"].contains($0.key) }.map {
                SymbolContent.Field($0.key, $0.value, isPersonal: $0.key != "subject" && $0.key != "body")
            }
    }

    /// Parses `tel:` (RFC 3966).
    static func phone(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let rest = rest(message.text, "tel:") else { return nil }
        let number = rest.prefix { $0 != ";" }
        return isNumber(number) ? [SymbolContent.Field("number", String(number), isPersonal: true)] : nil
    }

    /// Parses `sms:` (RFC 5724) and `smsto:`.
    static func textMessage(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let rest = rest(message.text, "smsto:") ?? rest(message.text, "sms:") else { return nil }
        // There may be several numbers.
        let number = rest.prefix { !":?;".contains($0) }
        guard number.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isNumber) else { return nil }
        var fields = [SymbolContent.Field("number", String(number), isPersonal: true)]
        let more = rest.dropFirst(number.count)
        if more.first == ":" {
            fields.append(SymbolContent.Field("body", String(more.dropFirst())))
        } else if let mark = more.firstIndex(of: "?"),
            let body = query(more[more.index(after: mark)...]).first(where: { $0.key == "body" })
        {
            fields.append(SymbolContent.Field("body", body.value))
        }
        return fields
    }

    private static func isNumber(_ text: Substring) -> Bool {
        text.contains { $0.isNumber } && text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.()*# ".contains($0)) }
    }

    /// Parses `geo:` (RFC 5870).
    static func position(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let rest = rest(message.text, "geo:") else { return nil }
        let numbers = rest.prefix { !";?".contains($0) }.split(separator: ",", omittingEmptySubsequences: false)
        guard (2...3).contains(numbers.count), let latitude = Double(numbers[0]), let longitude = Double(numbers[1]),
            abs(latitude) <= 90, abs(longitude) <= 180, numbers.count == 2 || Double(numbers[2]) != nil
        else { return nil }
        var fields = [
            SymbolContent.Field("latitude", String(numbers[0])), SymbolContent.Field("longitude", String(numbers[1])),
        ]
        if numbers.count == 3 { fields.append(SymbolContent.Field("altitude", String(numbers[2]))) }
        return fields
    }
}

/// Fields of the form `KEY:value;KEY:value;;`, in which a backslash escapes `\`, `;`, `,`, `:` and `"`.
enum KeyValueFields {
    /// Returns the fields, each with whether its value is in quotation marks, which are kept here.
    static func values(_ text: Substring) -> [(key: String, value: String, isQuoted: Bool)] {
        var result: [(key: String, value: String, isQuoted: Bool)] = []
        var (key, value): (String?, String) = (nil, "")
        var isEscaped = false
        var (opens, closes) = (false, false)
        func isQuoted() -> Bool { opens && closes && value.unicodeScalars.count >= 2 }
        for character in text {
            if isEscaped {
                if value.isEmpty { opens = false }
                closes = false
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == ":", key == nil {
                key = value.uppercased()
                value = ""
            } else if character == ";" {
                if let known = key { result.append((known, value, isQuoted())) }
                (key, value) = (nil, "")
            } else {
                closes = character == "\""
                if value.isEmpty { opens = closes }
                value.append(character)
            }
        }
        if let key { result.append((key, value, isQuoted())) }
        return result
    }
}
