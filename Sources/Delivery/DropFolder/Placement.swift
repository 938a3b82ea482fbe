internal import FoundationEssentials
internal import ScanEvents

/// The result of processing a file, which determines its output folder.
enum FileOutcome: String, Sendable, Hashable, CaseIterable {
    /// It has codes.
    case done
    /// It could not be read.
    case failed
    /// It is an image without a code.
    case noCode = "no-code"
}

/// The names of output folders and files.
enum Placement {
    /// The maximum length of a name on the usual Linux file systems, in bytes; some allow less.
    static let maximumNameLength = 255

    /// The folder below the destination: the outcome, followed by the folder of a rule or by the day and the
    /// original sub-folders.
    static func folder(
        _ outcome: FileOutcome, day: String, of path: RelativePath, filed: [UInt8]? = nil
    ) -> RelativePath {
        if let filed { return RelativePath(outcome.rawValue).appending(filed) }
        let base = RelativePath("\(outcome.rawValue)/\(day)")
        return path.folder == .root ? base : RelativePath(base.bytes + [0x2F] + path.folder.bytes)
    }

    /// Splits a name into its stem and its extension with the dot.
    static func parts(of name: [UInt8]) -> (stem: ArraySlice<UInt8>, tail: ArraySlice<UInt8>) {
        guard let dot = name.lastIndex(of: 0x2E), dot > 0, name.count - dot <= 16 else {
            return (name[...], name[name.endIndex...])
        }
        return (name[..<dot], name[dot...])
    }

    /// At most `count` bytes of a name, but at least one.
    ///
    /// Does not split a UTF-8 character.
    static func prefix(_ name: ArraySlice<UInt8>, _ count: Int) -> ArraySlice<UInt8> {
        let keep = max(1, min(name.count, count))
        if keep == name.count { return name }
        let whole = (max(1, keep - 3)...keep).last { name[name.startIndex + $0] & 0xC0 != 0x80 }
        // A name that is not UTF-8 has no characters.
        return name.prefix(whole ?? keep)
    }

    /// The name for the attempt `number`, counted from 1: `name.jpg`, `name (2).jpg`, `name (3).jpg`.
    ///
    /// - Parameters:
    ///   - room: the number of bytes to reserve for a suffix such as `.json`. A name that would be too long is
    ///     shortened before its extension.
    ///   - maximumLength: the maximum length of a name in the folder, in bytes.
    static func name(_ name: [UInt8], number: Int, room: Int, maximumLength: Int = maximumNameLength) -> [UInt8] {
        let mark = number == 1 ? [] : Array(" (\(number))".utf8)
        let (stem, tail) = parts(of: name)
        return prefix(stem, maximumLength - mark.count - tail.count - room) + mark + tail
    }

    /// The day in the machine's time zone, as `2026-11-21`.
    static func day(of date: Date) -> String { date.localDay }
}
