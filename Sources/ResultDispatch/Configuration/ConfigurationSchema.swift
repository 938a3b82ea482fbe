/// The keys that a configuration may have.
enum ConfigurationSchema {
    /// The form of a key's value.
    enum Form {
        case scalar
        /// A list of scalars, or one alone.
        case list
    }

    static let top: [String: Form] = [
        "database": .scalar, "station": .scalar,
        "keep.days": .scalar, "keep.events": .scalar,
        "deduplication.policy": .scalar, "deduplication.seconds": .scalar,
    ]

    static let destination: [String: Form] = [
        "type": .scalar, "url": .scalar, "form": .scalar, "template": .scalar, "command": .list,
        "secretFile": .scalar, "secretEnvironment": .scalar, "unsigned": .scalar,
        "certificateAuthorities": .scalar, "address": .scalar, "allowPrivateAddress": .scalar,
        "formats": .list, "sources": .list, "textMatches": .scalar,
        "concurrency": .scalar, "timeoutSeconds": .scalar, "retryAfterSeconds": .list,
    ]

    /// The form of a key; nil where there is no such key.
    static func form(of key: [String]) -> Form? {
        if key.first == "destinations" {
            return key.count == 3 ? destination[key[2]] : nil
        }
        return top[key.joined(separator: ".")]
    }

    /// Whether a key holds others.
    static func isSection(_ key: [String]) -> Bool {
        if key.first == "destinations" { return key.count <= 2 }
        return key == ["keep"] || key == ["deduplication"]
    }

    /// The names that may stand where an unknown one does.
    static func siblings(of key: [String]) -> [String] {
        if key.first == "destinations" && key.count == 3 { return destination.keys.sorted() }
        if key.count == 1 { return ["database", "deduplication", "destinations", "keep", "station"] }
        return top.keys.filter { $0.hasPrefix(key[0] + ".") }.map { String($0.dropFirst(key[0].count + 1)) }.sorted()
    }
}
