/// Protection against spreadsheets that take a text for a formula (CSV injection).
package enum SpreadsheetCell {
    /// The characters that begin a formula, and their full-width forms, which Excel accepts in Chinese and
    /// Japanese.
    private static let formulaSigns: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

    /// The characters at which some spreadsheets end a cell, even within quotation marks.
    private static let separators: Set<Unicode.Scalar> = [";", "\t", "\n", "\r"]

    /// The text, with an apostrophe before each part that a spreadsheet would take for a formula.
    ///
    /// Spreadsheets whose list separator is a semicolon or a tab also end a cell there or at a line break, and read on
    /// in a new one.
    package static func guarded(_ text: String) -> String {
        var guarded = isFormula(text) ? "'" : ""
        var rest = text.unicodeScalars[...]
        while let end = rest.firstIndex(where: separators.contains) {
            guarded.unicodeScalars += rest[...end]
            rest = rest[end...].dropFirst()
            if beginsWithSign(String(rest.prefix { !separators.contains($0) })) { guarded += "'" }
        }
        guarded.unicodeScalars += rest
        return guarded
    }

    /// A row of comma-separated values (RFC 4180) with its line break.
    ///
    /// Each cell is quoted and guarded.
    package static func row(_ cells: [String]) -> [UInt8] {
        Array((cells.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    /// A quoted and guarded cell.
    package static func quoted(_ text: String) -> String { guarded(text).inQuotationMarks }

    /// Indicates whether a row cannot be one that ``row(_:)`` has written, even in part.
    ///
    /// The first cell of another program's row has no quotation mark.
    package static func isForeign(_ row: [UInt8]) -> Bool {
        guard let first = row.first else { return false }
        return !"\"\u{FEFF}".utf8.contains(first) && !row.contains(0)
    }

    /// Indicates whether a spreadsheet may take a text for a formula.
    package static func isFormula(_ text: String) -> Bool {
        // By scalars, because a carriage return and a line feed are one `Character`.
        guard let first = text.unicodeScalars.first else { return false }
        return ["\t", "\r", "\n"].contains(first) || beginsWithSign(text)
    }

    private static func beginsWithSign(_ text: String) -> Bool {
        // Spreadsheets skip invisible characters, and some skip white space, before they look at the first
        // character.
        let seen = text.unicodeScalars.first { scalar in
            let properties = scalar.properties
            return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
                && properties.generalCategory != .control
        }
        return seen.map(formulaSigns.contains) ?? false
    }
}
