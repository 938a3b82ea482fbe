/// Which names in a folder are pictures to take.
struct FileSelection: Sendable {
    /// Folders that are not looked into, relative to the watched one.
    var excluded: Set<RelativePath>

    /// Endings of names that programs give to files which they have not finished.
    static let unfinished = [".part", ".partial", ".crdownload", ".tmp", "~"].map { Array($0.utf8) }

    /// The places that files go to are not looked into, wherever they are below the watched folder.
    ///
    /// - Parameter destination: the folder that they are in, relative to the watched one; nil when it is elsewhere.
    init(destination: RelativePath?) {
        var excluded: Set<RelativePath> = []
        for outcome in FileOutcome.allCases {
            excluded.insert(RelativePath(outcome.rawValue))
            if let destination { excluded.insert(destination.appending(Array(outcome.rawValue.utf8))) }
        }
        self.excluded = excluded
    }

    /// Whether a folder is looked into.
    func enters(_ folder: RelativePath) -> Bool {
        folder == .root || (!folder.name.starts(with: [0x2E]) && !excluded.contains(folder))
    }

    /// Whether a file is taken, by its name.
    func takes(_ file: RelativePath) -> Bool {
        let name = file.name
        if name.isEmpty || name[0] == 0x2E { return false }
        return !Self.unfinished.contains { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }
    }

    /// Whether every folder on the way to a file is looked into, and the file is taken.
    func reaches(_ file: RelativePath) -> Bool { takes(file) && reaches(folder: file.folder) }

    /// Whether a folder and every one on the way to it is looked into.
    func reaches(folder: RelativePath) -> Bool {
        var folder = folder
        while folder != .root {
            if !enters(folder) { return false }
            folder = folder.folder
        }
        return true
    }
}
