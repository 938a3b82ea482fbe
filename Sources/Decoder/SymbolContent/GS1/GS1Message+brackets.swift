extension GS1Message {
    /// Parses a text such as `(01)09501101530003(10)ABC123`, as printed below a symbol.
    ///
    /// An opening bracket within a value is escaped as `\(`.
    ///
    /// - Throws: ``GS1Failure``; its position is an offset in the text in bytes.
    public static func parse(bracketed text: String) throws(GS1Failure) -> GS1Message {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw GS1Failure(.empty, "the message is empty", position: 0) }
        guard bytes.count <= maximumLength else {
            throw GS1Failure(.tooLong, "the text has more than \(maximumLength) bytes", position: maximumLength)
        }
        let (open, close, escape) = (UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"))
        let table = ApplicationIdentifierTable.standard
        var message = GS1Message([])
        var place = 0
        while place < bytes.count {
            guard message.elements.count < maximumElements else {
                throw GS1Failure(.tooLong, "there are more than \(maximumElements) elements", position: place)
            }
            guard bytes[place] == open, let end = bytes[place...].firstIndex(of: close) else {
                throw GS1Failure(.badSyntax, "an application identifier in brackets is expected here", position: place)
            }
            let digits = String(decoding: bytes[place + 1..<end], as: UTF8.self)
            guard let identifier = table[digits] else {
                throw GS1Failure(
                    .unknownIdentifier, "the application identifier \(digits) does not exist", position: place + 1)
            }
            var value: [UInt8] = []
            place = end + 1
            let start = place
            while place < bytes.count, bytes[place] != open {
                if bytes[place] == escape, place + 1 < bytes.count, bytes[place + 1] == open { place += 1 }
                value.append(bytes[place])
                place += 1
            }
            do {
                try identifier.check(value[...], digits: digits)
            } catch {
                var failure = error
                failure.position += start
                throw failure
            }
            message.elements.append(GS1Element(digits, String(decoding: value, as: UTF8.self)))
        }
        return message
    }

    /// The text as printed below a symbol: `(01)09501101530003(10)ABC123`.
    public var bracketed: String {
        elements.map { element in
            "(\(element.identifier))" + element.value.reduce(into: "") { $0 += $1 == "(" ? "\\(" : String($1) }
        }.joined()
    }
}
