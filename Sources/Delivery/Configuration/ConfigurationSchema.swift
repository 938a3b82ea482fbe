/// The keys that a program's configuration may have: those of the outbox and its destinations, and the program's own.
public struct ConfigurationSchema: Sendable {
    /// The form of a key's value.
    public enum Form: Sendable, Hashable {
        /// One value.
        case scalar
        /// A list of scalars, or one alone.
        case list
    }

    /// What the names of environment variables begin with, as in `SCAN_OUTBOX`.
    let variablePrefix: String
    /// Keys with a value, by their dotted paths of one or two parts.
    let keys: [String: Form]
    /// Sections that hold items with names of their own, and the keys of each item.
    let collections: [String: [String: Form]]

    /// The keys of every program that has an outbox, and more.
    ///
    /// - Parameters:
    ///   - variablePrefix: what the names of environment variables begin with: capital letters and `_`.
    ///   - keys: the program's own keys, by their dotted paths of one or two parts, as in `camera.device`.
    ///   - collections: the program's own sections of named items, with the keys of an item.
    public init(variablePrefix: String, keys: [String: Form] = [:], collections: [String: [String: Form]] = [:]) {
        self.variablePrefix = variablePrefix
        self.keys = Self.outbox.merging(keys) { $1 }
        self.collections = ["destinations": DestinationKey.forms].merging(collections) { $1 }
    }

    private static let outbox: [String: Form] = [
        "database": .scalar, "station": .scalar,
        "keep.days": .scalar, "keep.events": .scalar,
        "deduplication.policy": .scalar, "deduplication.seconds": .scalar,
    ]

    /// The form of a key; nil where there is no such key.
    func form(of key: [String]) -> Form? {
        if let item = collections[key[0]] {
            return key.count == 3 ? item[key[2]] : nil
        }
        return keys[key.joined(separator: ".")]
    }

    /// Whether a key holds others.
    func isSection(_ key: [String]) -> Bool {
        if collections[key[0]] != nil { return key.count <= 2 }
        return key.count == 1 && keys.keys.contains { $0.hasPrefix(key[0] + ".") }
    }

    /// The names that may stand where an unknown one does.
    func siblings(of key: [String]) -> [String] {
        if key.count == 3, let item = collections[key[0]] { return item.keys.sorted() }
        if key.count == 1 {
            return Set(keys.keys.map { String($0.prefix { $0 != "." }) }).union(collections.keys).sorted()
        }
        return keys.keys.filter { $0.hasPrefix(key[0] + ".") }.map { String($0.dropFirst(key[0].count + 1)) }.sorted()
    }
}

/// The types of destination.
enum DestinationType: String, CaseIterable {
    case http, stdout, command

    /// "http, stdout or command".
    static let list: String = {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }()
}

/// The keys of a destination: the form of each, and the types of destination that it means something to.
enum DestinationKey {
    private static let every = DestinationType.allCases

    private static let table: [(name: String, form: ConfigurationSchema.Form, types: [DestinationType])] = [
        ("type", .scalar, every), ("form", .scalar, every), ("template", .scalar, every),
        ("formats", .list, every), ("sources", .list, every), ("textMatches", .scalar, every),
        ("concurrency", .scalar, every), ("timeoutSeconds", .scalar, every), ("retryAfterSeconds", .list, every),
        ("url", .scalar, [.http]), ("secretFile", .scalar, [.http]), ("secretEnvironment", .scalar, [.http]),
        ("unsigned", .scalar, [.http]), ("certificateAuthorities", .scalar, [.http]), ("address", .scalar, [.http]),
        ("allowPrivateAddress", .scalar, [.http]),
        ("command", .list, [.command]),
    ]

    /// The form of each key.
    static let forms = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.form) })

    /// The keys that mean nothing to a type, and the type that each belongs to.
    static func meaningless(for type: DestinationType) -> [(name: String, belongsTo: String)] {
        table.filter { !$0.types.contains(type) }
            .map { ($0.name, $0.types.map(\.rawValue).joined(separator: " or ")) }
    }
}
