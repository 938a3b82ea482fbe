/// The keys that a program's configuration may have: those of the outbox and its destinations, and the program's
/// own.
public struct ConfigurationSchema: Sendable {
    /// The form of a key's value.
    public enum Form: Sendable, Hashable {
        /// One value.
        case scalar
        /// A list of scalars, or one alone.
        case list
    }

    /// The prefix of the environment variables, as in `SCAN_OUTBOX`.
    let variablePrefix: String
    /// Keys with a value, by their dotted paths of one or two parts.
    let keys: [String: Form]
    /// Sections that hold items with names of their own, and the keys of each item.
    let collections: [String: [String: Form]]
    /// The available kinds of destination.
    let kinds: [DestinationKind]

    /// Creates a schema with the keys of the outbox and its destinations, and the program's own.
    ///
    /// - Parameters:
    ///   - variablePrefix: the prefix of the environment variables: capital letters and `_`.
    ///   - keys: the program's own keys, by their dotted paths of one or two parts, as in `camera.device`.
    ///   - collections: the program's own sections of named items, with the keys of an item.
    ///   - kinds: the available kinds of destination.
    public init(
        variablePrefix: String, keys: [String: Form] = [:], collections: [String: [String: Form]] = [:],
        kinds: [DestinationKind] = DestinationKind.all
    ) {
        self.variablePrefix = variablePrefix
        self.kinds = kinds
        self.keys = Self.outbox.merging(keys) { $1 }
        self.collections = ["destinations": kinds.forms].merging(collections) { $1 }
    }

    private static let outbox: [String: Form] = [
        "database": .scalar, "station": .scalar,
        "keep.days": .scalar, "keep.events": .scalar, "keep.personal": .scalar,
        "content.keys": .scalar, "deduplication.policy": .scalar, "deduplication.seconds": .scalar,
    ]

    /// The form of a key; `nil` if there is no such key.
    func form(of key: [String]) -> Form? {
        if let item = collections[key[0]] {
            return key.count == 3 ? item[key[2]] : nil
        }
        return keys[key.joined(separator: ".")]
    }

    /// Indicates whether a key is a section with keys of its own.
    func isSection(_ key: [String]) -> Bool {
        if collections[key[0]] != nil { return key.count <= 2 }
        return key.count == 1 && keys.keys.contains { $0.hasPrefix(key[0] + ".") }
    }

    /// The valid names to suggest for an unknown key.
    ///
    /// If the kind of destination is known, only the keys of that kind.
    func siblings(of key: [String], kind: String? = nil) -> [String] {
        if key.count == 3, key[0] == "destinations", let kind = kinds.first(where: { $0.name == kind }) {
            return (DestinationKey.common + kind.keys).map(\.name).sorted()
        }
        if key.count == 3, let item = collections[key[0]] { return item.keys.sorted() }
        if key.count == 1 {
            return Set(keys.keys.map { String($0.prefix { $0 != "." }) }).union(collections.keys).sorted()
        }
        return keys.keys.filter { $0.hasPrefix(key[0] + ".") }.map { String($0.dropFirst(key[0].count + 1)) }.sorted()
    }
}
