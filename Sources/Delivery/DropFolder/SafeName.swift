internal import BarcodeCore
internal import Cryptography

/// Names of files and folders made of texts that anybody may have printed into a code.
enum SafeName {
    /// The most bytes of such a name, which leaves room for a number, an extension and `.json`.
    static let maximumLength = 200
    /// Characters that mean something in a path, in a pattern of a shell, or to Windows, which may see the folder as a
    /// share (naming rules of Win32, "Naming Files, Paths, and Namespaces").
    private static let reserved: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
    /// What stands for a character that no name has.
    private static let substitute: Unicode.Scalar = "_"
    /// Devices of Windows, whatever their extension.
    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    /// The name that a text makes; nil where nothing is left of it.
    ///
    /// It is no path, not hidden, no option of a command, and every usual file system takes it. A text that is longer
    /// than ``maximumLength`` is cut, and ends in eight digits of its SHA-256, so that two of them stay two.
    static func name(_ text: String) -> [UInt8]? {
        var scalars = text.unicodeScalars.map { reserved.contains($0) || isUnnamed($0) ? substitute : $0 }
        // Blanks at either end cannot be seen, and Windows takes off those, and dots, at the end.
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
