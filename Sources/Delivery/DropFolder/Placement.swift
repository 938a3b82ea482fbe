internal import FoundationEssentials
internal import ScanEvents

/// Where a file goes when it is done with.
enum FileOutcome: String, Sendable, Hashable, CaseIterable {
    /// It held codes.
    case done
    /// It could not be read.
    case failed
    /// It is a picture without a code.
    case noCode = "no-code"
}

/// The names of the places that files go to.
enum Placement {
    /// The longest name that the usual file systems of Linux take, in bytes; some take less.
    static let maximumNameLength = 255

    /// The folder below the destination: the outcome, and the one that a rule names, or the day and the folders that the
    /// file lay in.
    static func folder(
        _ outcome: FileOutcome, day: String, of path: RelativePath, filed: [UInt8]? = nil
    ) -> RelativePath {
        if let filed { return RelativePath(outcome.rawValue).appending(filed) }
        let base = RelativePath("\(outcome.rawValue)/\(day)")
        return path.folder == .root ? base : RelativePath(base.bytes + [0x2F] + path.folder.bytes)
    }

    /// A name and its extension, with the dot.
    static func parts(of name: [UInt8]) -> (stem: ArraySlice<UInt8>, tail: ArraySlice<UInt8>) {
        guard let dot = name.lastIndex(of: 0x2E), dot > 0, name.count - dot <= 16 else {
            return (name[...], name[name.endIndex...])
        }
        return (name[..<dot], name[dot...])
    }

    /// At most `count` bytes of a name, one at least; a character of UTF-8 is not cut in two.
    static func prefix(_ name: ArraySlice<UInt8>, _ count: Int) -> ArraySlice<UInt8> {
        let keep = max(1, min(name.count, count))
        if keep == name.count { return name }
        let whole = (max(1, keep - 3)...keep).last { name[name.startIndex + $0] & 0xC0 != 0x80 }
        // What is no UTF-8 has no characters.
        return name.prefix(whole ?? keep)
    }

    /// The name for the attempt `number`, counted from 1: `name.jpg`, `name (2).jpg`, `name (3).jpg`.
    ///
    /// - Parameters:
    ///   - room: bytes that are kept free for what is put behind the name, such as `.json`. A name that would be too
    ///     long loses bytes before its extension.
    ///   - maximumLength: how many bytes a name may have there.
    static func name(_ name: [UInt8], number: Int, room: Int, maximumLength: Int = maximumNameLength) -> [UInt8] {
        let mark = number == 1 ? [] : Array(" (\(number))".utf8)
        let (stem, tail) = parts(of: name)
        return prefix(stem, maximumLength - mark.count - tail.count - room) + mark + tail
    }

    /// The day of a time in the time zone of the machine, as `2026-11-21`.
    static func day(of date: Date) -> String { date.localDay }
}
