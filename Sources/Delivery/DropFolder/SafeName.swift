internal import BarcodeCore
internal import Cryptography

/// Safe names of files and folders from the text of untrusted codes.
enum SafeName {
    /// The maximum length of a name, in bytes, which leaves room for a number, an extension and `.json`.
    static let maximumLength = 200
    /// The characters with a meaning in paths, in shell patterns, or on Windows, which may access the folder as a
    /// share (naming rules of Win32, "Naming Files, Paths, and Namespaces").
    private static let reserved: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
    /// The replacement for a character that is not allowed.
    private static let substitute: Unicode.Scalar = "_"
    /// The reserved device names of Windows, with any extension.
    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    /// Converts a text to a name; `nil` if nothing remains.
    ///
    /// The name is not a path, not hidden, not a command-line option, and valid on all usual file systems. A text
    /// longer than ``maximumLength`` is shortened and ends in eight digits of its SHA-256, so that different texts
    /// get different names.
    static func name(_ text: String) -> [UInt8]? {
        var scalars = text.unicodeScalars.map { reserved.contains($0) || isUnnamed($0) ? substitute : $0 }
        // Leading and trailing white space is invisible, and Windows removes trailing spaces and dots.
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        for index in scalars.indices {
            guard scalars[index] == "." || index == 0 && (scalars[0] == "-" || scalars[0] == "~") else { break }
            scalars[index] = substitute
        }
        while let last = scalars.last, last == "." || last.properties.isWhitespace { scalars.removeLast() }
        if scalars.isEmpty { return nil }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        var name = String(view)
        let stem = name.prefix { $0 != "." }.uppercased()
        if devices.contains(stem) { name = "_" + name }
        return cut(Array(name.utf8), of: text)
    }

    private static func isUnnamed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isHidden { return true }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        default: return false
        }
    }

    private static func cut(_ name: [UInt8], of text: String) -> [UInt8] {
        guard name.count > maximumLength else { return name }
        let mark = Array(("~" + SHA256.hash(text.utf8).prefix(4).hexadecimal).utf8)
        return Placement.prefix(name[...], maximumLength - mark.count) + mark
    }
}
