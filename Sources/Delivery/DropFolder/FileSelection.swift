/// The selection of file names to process in a folder.
struct FileSelection: Sendable {
    /// The folders to skip, relative to the watched one.
    var excluded: Set<RelativePath>

    /// The endings that programs give to the names of unfinished files, in lower case; Windows has `.TMP`.
    static let unfinished = [".part", ".partial", ".filepart", ".crdownload", ".tmp", "~"].map { Array($0.utf8) }

    /// Creates a selection that skips the output folders within the watched folder.
    ///
    /// - Parameter destination: the folder that contains them, relative to the watched one; `nil` if it is
    ///   elsewhere.
    init(destination: RelativePath?) {
        var excluded: Set<RelativePath> = []
        for outcome in FileOutcome.allCases {
            excluded.insert(RelativePath(outcome.rawValue))
            if let destination { excluded.insert(destination.appending(Array(outcome.rawValue.utf8))) }
        }
        self.excluded = excluded
    }

    /// Indicates whether a folder is entered.
    func enters(_ folder: RelativePath) -> Bool {
        folder == .root || (!folder.name.starts(with: [0x2E]) && !excluded.contains(folder))
    }

    /// Indicates whether a file is processed, by its name.
    func takes(_ file: RelativePath) -> Bool {
        let name = file.name
        if name.isEmpty || name[0] == 0x2E { return false }
        // Letters of ASCII alone: a name need not be UTF-8.
        let end = name.suffix(12).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return !Self.unfinished.contains { end.count >= $0.count && end.suffix($0.count).elementsEqual($0) }
    }

    /// Indicates whether a file is processed and every folder on its path is entered.
    func reaches(_ file: RelativePath) -> Bool { takes(file) && reaches(folder: file.folder) }

    /// Indicates whether a folder and every folder on its path are entered.
    func reaches(folder: RelativePath) -> Bool {
        var folder = folder
        while folder != .root {
            if !enters(folder) { return false }
            folder = folder.folder
        }
        return true
    }
}
