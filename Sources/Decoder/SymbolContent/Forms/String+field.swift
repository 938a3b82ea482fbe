extension String {
    /// The text without the spaces, line breaks and NUL characters at both ends, with which fields are filled up.
    var trimmed: String {
        let isFiller = { (character: Character) in character == " " || character == "\0" || character.isNewline }
        var text = drop(while: isFiller)
        while let last = text.last, isFiller(last) { text.removeLast() }
        return String(text)
    }
}
