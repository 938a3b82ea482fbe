import BarcodeCore
import Delivery
import DropFolder
import ScanEvents

/// The watcher's own configuration keys: `folder:` and `rules:`.
enum FolderKeys {
    static let keys: [String: ConfigurationSchema.Form] = Dictionary(
        uniqueKeysWithValues: [
            "settleSeconds", "watch", "pollSeconds", "rescanSeconds", "to", "after", "sidecar", "duplicates", "jobs",
            "timeoutSeconds", "effort", "hookSeconds", "rememberDays", "rememberFiles", "removeEmptySeconds",
        ].map { ("folder." + $0, .scalar) } + ["formats", "before", "afterEach"].map { ("folder." + $0, .list) })

    static let collections: [String: [String: ConfigurationSchema.Form]] = [
        "rules": [
            "match": .list, "formats": .list, "effort": .scalar, "destinations": .list, "after": .scalar,
            "sidecar": .scalar, "before": .list, "afterEach": .list,
        ],
        "filing": [
            "match": .list, "formats": .list, "textMatches": .scalar, "contentMatches": .list, "folder": .scalar,
            "name": .scalar, "split": .scalar, "separator": .scalar,
        ],
    ]

    /// Reads the settings for a folder, and the timeout for one image in seconds.
    static func read(
        _ values: inout ConfigurationValues, folder: [UInt8]
    ) -> (settings: DropFolderSettings, timeout: Double?) {
        var settings = DropFolderSettings(folder: folder)
        func duration(_ seconds: Double) -> Duration { .microseconds(Int64(seconds * 1_000_000)) }
        if let seconds = values.number("folder.settleSeconds", 0...86_400) { settings.settle = duration(seconds) }
        if let seconds = values.number("folder.pollSeconds", 0.05...86_400) { settings.poll = duration(seconds) }
        if let seconds = values.number("folder.rescanSeconds", 0.1...86_400) { settings.rescan = duration(seconds) }
        if let seconds = values.number("folder.hookSeconds", 0.1...86_400) { settings.hookTimeout = duration(seconds) }
        if let seconds = values.number("folder.removeEmptySeconds", 0...86_400) {
            settings.removeEmpty = duration(seconds)
        }
        if let days = values.number("folder.rememberDays", 0.001...36_500) {
            settings.journalRetention.age = duration(days * 86_400)
        }
        if let count = values.whole("folder.rememberFiles", 0...100_000_000) { settings.journalRetention.count = count }
        if let jobs = values.whole("folder.jobs", 1...256) { settings.jobs = jobs }
        if let to = values.path("folder.to") { settings.destination = Array(to.utf8) }
        settings.watch = values.value("folder.watch", "auto, inotify or poll", WatchMode.init) ?? settings.watch
        settings.duplicates =
            values.value("folder.duplicates", "again or skip", DuplicatePolicy.init) ?? settings.duplicates
        settings.after = after(&values, "folder.after") ?? settings.after
        settings.writesSidecars = values.flag("folder.sidecar")
        settings.decoding.effort = effort(&values, "folder.effort") ?? settings.decoding.effort
        settings.decoding.symbologies = symbologies(&values, "folder.formats") ?? settings.decoding.symbologies
        settings.before = values.command("folder.before")
        settings.afterEach = values.command("folder.afterEach")
        settings.rules = rules(&values)
        settings.filing = filing(&values)
        return (settings, values.number("folder.timeoutSeconds", 0.1...86_400))
    }

    private static func rules(_ values: inout ConfigurationValues) -> [FolderRule] {
        let destinations = Set(values.names(of: "destinations"))
        return values.names(of: "rules").map { name in
            let key = { (last: String) in "rules.\(name).\(last)" }
            var rule = FolderRule(name: name)
            rule.patterns = values.list(key("match"))
            rule.symbologies = symbologies(&values, key("formats"))
            rule.effort = effort(&values, key("effort"))
            rule.after = after(&values, key("after"))
            if values.text(key("sidecar")) != nil { rule.writesSidecars = values.flag(key("sidecar")) }
            let names = values.list(key("destinations"))
            for name in names where !destinations.contains(name) {
                values.report(key("destinations"), "\"\(name)\" is not one of the destinations")
            }
            if !names.isEmpty { rule.destinations = Set(names) }
            let before = values.command(key("before"))
            if !before.isEmpty { rule.before = before }
            let afterEach = values.command(key("afterEach"))
            if !afterEach.isEmpty { rule.afterEach = afterEach }
            return rule
        }
    }

    private static func filing(_ values: inout ConfigurationValues) -> [FilingRule] {
        values.names(of: "filing").map { name in
            let section = "filing.\(name)."
            var rule = FilingRule(name: name)
            rule.patterns = values.list(section + "match")
            rule.filter = values.filter(section)
            rule.folder = values.parsed(section + "folder") { text throws(SyntaxError) in
                try PathTemplate(folder: text)
            }
            rule.fileName = values.parsed(section + "name") { text throws(SyntaxError) in
                try PathTemplate(name: text)
            }
            rule.split = values.value(section + "split", "code or separator", SplitPolicy.init)
            rule.separator = values.pattern(section + "separator")
            if values.isSet(section + "separator"), !values.isSet(section + "split") {
                values.report(section + "separator", "is set without split; add split: code")
            }
            if !["folder", "name", "split"].contains(where: { values.isSet(section + $0) }) {
                values.report(
                    String(section.dropLast()), "needs at least one of folder, name and split")
            }
            return rule
        }
    }

    private static func after(_ values: inout ConfigurationValues, _ key: String) -> AfterPolicy? {
        values.value(key, "move, leave or delete", AfterPolicy.init)
    }

    private static func effort(_ values: inout ConfigurationValues, _ key: String) -> DecodeOptions.Effort? {
        values.value(key, "fast, normal or thorough", DecodeOptions.Effort.init)
    }

    private static func symbologies(_ values: inout ConfigurationValues, _ key: String) -> Set<Symbology>? {
        let names = values.list(key)
        let known = Set(Symbology.all.map(\.rawValue))
        for name in names where !known.contains(name) {
            values.report(key, "\"\(name)\" is not a supported symbology")
        }
        return names.isEmpty ? nil : Set(names.map { Symbology(rawValue: $0) })
    }
}
