extension String {
    /// Creates the text of a field in UTF-8, or in ISO 8859-1, as older encoders write it.
    init(field bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        self =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    /// The text without the spaces, line breaks and NUL characters at both ends, with which fields are filled up.
    var trimmed: String {
        let isFiller = { (character: Character) in character == " " || character == "\0" || character.isNewline }
        var text = drop(while: isFiller)
        while let last = text.last, isFiller(last) { text.removeLast() }
        return String(text)
    }
}
