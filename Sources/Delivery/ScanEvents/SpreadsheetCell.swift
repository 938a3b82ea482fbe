/// What keeps a spreadsheet from taking a text for a formula.
package enum SpreadsheetCell {
    /// The signs that a formula begins with, and the same in full width, which Excel takes for them where its language is
    /// Chinese or Japanese.
    private static let formulaSigns: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

    /// The text, behind an apostrophe where a spreadsheet would take it for a formula.
    package static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// A row of comma-separated values (RFC 4180) with its line break: each cell in quotation marks, and guarded.
    package static func row(_ cells: [String]) -> [UInt8] {
        Array((cells.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    /// A cell in quotation marks, guarded.
    package static func quoted(_ text: String) -> String {
        let quoted = guarded(text).unicodeScalars.reduce(into: "") { result, scalar in
            result.unicodeScalars.append(scalar)
            if scalar == "\"" { result.append("\"") }
        }
        return "\"" + quoted + "\""
    }

    /// Whether bytes are a row that ``row(_:)`` has not written, nor begun: another program's, whose first cell has no
    /// quotation mark.
    package static func isForeign(_ row: [UInt8]) -> Bool {
        guard let first = row.first else { return false }
        return !"\"\u{FEFF}".utf8.contains(first) && !row.contains(0)
    }

    /// Whether a spreadsheet may take a text for a formula.
    package static func isFormula(_ text: String) -> Bool {
        // By scalars: a carriage return and a line feed are one character.
        guard let first = text.unicodeScalars.first else { return false }
        if ["\t", "\r", "\n"].contains(first) { return true }
        // Spreadsheets drop what cannot be seen, and some drop blanks, before they look at the first sign.
        let seen = text.unicodeScalars.first { scalar in
            let properties = scalar.properties
            return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
                && properties.generalCategory != .control
        }
        return seen.map(formulaSigns.contains) ?? false
    }
}
