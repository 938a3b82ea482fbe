internal import Configuration

/// The values of a configuration: the command line before the environment before the file.
///
/// Collects what is wrong, so that all of it is said at once.
public struct ConfigurationValues {
    private let reader: ConfigReader
    private let file: ConfigurationFile?
    private let environment: [String: String]
    private let overrides: [String: String]
    private let schema: ConfigurationSchema
    private(set) var problems: [String]

    init(
        file: ConfigurationFile?, provider: (any ConfigProvider)?, schema: ConfigurationSchema,
        environment: [String: String], overrides: [String: String]
    ) {
        self.file = file
        self.schema = schema
        self.environment = environment
        self.overrides = overrides
        problems = file?.problems ?? []
        let commandLine = InMemoryProvider(
            name: "command line",
            values: Dictionary(
                uniqueKeysWithValues: overrides.map { key, value in
                    let components = key.split(separator: ".").map(String.init)
                    return (AbsoluteConfigKey(components), ConfigValue(.string(value), isSecret: false))
                }))
        let variables = EnvironmentVariablesProvider(environmentVariables: environment)
            .prefixKeys(
                with: ConfigKey(schema.variablePrefix.lowercased().split(separator: "_").map(String.init)))
        reader = ConfigReader(providers: [commandLine, variables] + (provider.map { [$0] } ?? []))
        checkNames()
    }

    /// Finds keys of the command line and variables of the environment that mean nothing.
    private mutating func checkNames() {
        for key in overrides.keys.sorted() {
            let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            if schema.form(of: parts) == nil {
                problems.append("--set: unknown key \"\(key)\"")
            } else if parts.count == 3 && !names(of: parts[0]).contains(parts[1]) {
                problems.append("--set: \(key): \"\(parts[1])\" is none of the file's \(parts[0])")
            }
        }
        var known = Set(schema.keys.keys.map { variable(for: $0) })
        for (collection, keys) in schema.collections {
            for name in names(of: collection) {
                known.formUnion(keys.keys.map { variable(for: "\(collection).\(name).\($0)") })
            }
        }
        for name in environment.keys.sorted()
        where name.hasPrefix(schema.variablePrefix + "_") && !known.contains(name) {
            problems.append("the environment: \(name) stands for no key of the configuration")
        }
    }

    /// The names of the items of a collection, in the order of the file.
    public func names(of collection: String) -> [String] { file?.items[collection] ?? [] }

    /// A value as it stands; nil where there is none.
    public mutating func text(_ key: String) -> String? {
        reader.string(forKey: ConfigKey(key.split(separator: ".").map(String.init)))
    }

    /// A list, or one value alone; from the environment and the command line the values are separated by commas.
    public mutating func list(_ key: String) -> [String] {
        if let one = overrides[key] ?? environment[variable(for: key)] {
            return one.split(separator: ",").map { String($0.drop { $0 == " " }) }
        }
        if let values = reader.stringArray(forKey: ConfigKey(key.split(separator: ".").map(String.init))) {
            return values
        }
        return text(key).map { [$0] } ?? []
    }

    /// A value that a closure makes of a text; a problem, and nil, where it makes nothing.
    public mutating func value<Value>(_ key: String, _ what: String, _ make: (String) -> Value?) -> Value? {
        guard let text = text(key) else { return nil }
        if let value = make(text) { return value }
        report(key, "\"\(text)\" is not \(what)")
        return nil
    }

    /// Whether a value is `true`; false where there is none.
    public mutating func flag(_ key: String) -> Bool {
        value(key, "true or false") { ["true": true, "false": false][$0] } ?? false
    }

    /// A number within limits; nil where there is none, a problem where it is another.
    public mutating func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
        let limits = "\(range.lowerBound.short) to \(range.upperBound.short)"
        return value(key, "a number from \(limits)") { Double($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Notes what is wrong with a value, with the place that it comes from.
    public mutating func report(_ key: String, _ problem: String) {
        problems.append("\(place(of: key)): \(key): \(problem)")
    }

    private func place(of key: String) -> String {
        if overrides[key] != nil { return "--set" }
        if environment[variable(for: key)] != nil { return "the environment, \(variable(for: key))" }
        guard let file else { return "the configuration" }
        // A key that is missing is missed in the section above it.
        var parts = key.split(separator: ".")
        while !parts.isEmpty {
            if let line = file.lines[parts.joined(separator: ".")] { return "\(file.path):\(line)" }
            parts.removeLast()
        }
        return file.path
    }

    /// The environment variable of a key, as swift-configuration names it: `SCAN_OUTBOX_DESTINATIONS_HIS_URL` stands
    /// for `destinations.his.url`.
    private func variable(for key: String) -> String {
        var name = schema.variablePrefix
        for part in key.split(separator: ".") {
            name += "_"
            for character in part {
                if character.isUppercase { name += "_" }
                name += character == "-" ? "_" : character.uppercased()
            }
        }
        return name
    }
}

extension Double {
    /// The number without a fraction that is zero.
    fileprivate var short: String { self == rounded() ? String(Int(self)) : String(self) }
}
