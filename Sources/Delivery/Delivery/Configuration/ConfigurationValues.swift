/// The values of a configuration.
///
/// The command line overrides the environment, which overrides the file.
///
/// Collects all problems, so that they are reported together.
public struct ConfigurationValues {
    private let file: ConfigurationFile?
    private let environment: [String: String]
    private let overrides: [String: String]
    private let schema: ConfigurationSchema
    private var faulty: Set<String>
    private(set) var problems: ConfigurationProblems
    /// The programs and folders that it names.
    ///
    /// They need not exist at the start, as they may be added later.
    private(set) var configuredPaths = ConfiguredPaths()
    /// The environment variables that hold secrets.
    private(set) var secretVariables: Set<String> = []
    /// The paths of the files that hold secrets.
    private(set) var secretFiles: Set<String> = []

    init(
        file: ConfigurationFile?, schema: ConfigurationSchema, environment: [String: String],
        overrides: [String: String]
    ) {
        self.file = file
        self.schema = schema
        self.environment = environment
        self.overrides = overrides
        problems = file?.problems ?? ConfigurationProblems()
        faulty = file?.faulty ?? []
        checkNames()
    }

    /// Reports unknown keys on the command line and unknown environment variables.
    private mutating func checkNames() {
        for (key, value) in overrides.sorted(by: { $0.key < $1.key }) {
            let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            if schema.form(of: parts) == nil {
                problems.add(.commandLine, "--set: unknown key \"\(key)\"")
            } else if parts.count == 3 && !names(of: parts[0]).contains(parts[1]) {
                problems.add(.commandLine, "--set: \(key): \"\(parts[1])\" is not one of the file's \(parts[0])")
            } else if value.isEmpty {
                report(key, "has no value")
                faulty.insert(key)
            } else {
                faulty.remove(key)
            }
        }
        var known: [String: String] = [:]
        for key in schema.keys.keys { known[variable(for: key)] = key }
        for (collection, keys) in schema.collections {
            for name in names(of: collection) {
                for last in keys.keys {
                    let key = "\(collection).\(name).\(last)"
                    let variable = variable(for: key)
                    // The names a-b and a_b have the same variable.
                    if let other = known.updateValue(key, forKey: variable), environment[variable] != nil {
                        problems.add(
                            .environment,
                            "the environment: \(variable) sets both \(other) and \(key); rename one of them")
                    }
                }
            }
        }
        for (name, value) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix(schema.variablePrefix + "_") {
            guard let key = known[name] else {
                problems.add(.environment, "the environment: \(name) matches no key of the configuration")
                continue
            }
            if overrides[key] != nil { continue }
            if value.isEmpty {
                report(key, "has no value")
                faulty.insert(key)
            } else {
                faulty.remove(key)
            }
        }
    }

    /// The names of the items of a collection, in the order of the file.
    public func names(of collection: String) -> [String] { file?.items[collection] ?? [] }

    /// Indicates whether a key is set, even if its value is empty.
    public func isSet(_ key: String) -> Bool {
        overrides[key] != nil || environment[variable(for: key)] != nil || file?.lines[key] != nil
    }

    /// The text of a key; `nil` if it is missing or empty.
    public mutating func text(_ key: String) -> String? {
        if let text = overrides[key] ?? environment[variable(for: key)] { return text.isEmpty ? nil : text }
        guard case .one(let text) = file?.values[key], !text.isEmpty else { return nil }
        return text
    }

    /// A list, or a single value.
    ///
    /// In the environment and on the command line, commas separate the values.
    public mutating func list(_ key: String) -> [String] {
        if let one = overrides[key] ?? environment[variable(for: key)] {
            return one.split(separator: ",").map { String($0.drop { $0 == " " }) }
        }
        if case .list(let values) = file?.values[key] { return values }
        return text(key).map { [$0] } ?? []
    }

    /// A command: the program (a path or a name in `PATH`) and its arguments; empty if there is none.
    public mutating func command(_ key: String) -> [String] {
        let command = list(key)
        if let program = command.first, isExpanded(program, of: key) { expect(.program(program), key) }
        return command
    }

    /// A path; `nil` if there is none.
    ///
    /// Reports a problem if the path relies on expansion by a shell.
    public mutating func path(_ key: String) -> String? {
        guard let path = text(key), isExpanded(path, of: key) else { return nil }
        return path
    }

    private mutating func isExpanded(_ path: String, of key: String) -> Bool {
        guard path.hasPrefix("~/") else { return true }
        report(key, "\"\(path)\" begins with ~, which is not expanded; write the full path")
        faulty.insert(key)
        return false
    }

    /// Records a program, folder or file that must be usable by the time it is needed.
    mutating func expect(_ kind: ConfiguredPaths.Kind, _ key: String) {
        let place = place(of: key)
        configuredPaths.add(kind, place.origin, "\(place.name): \(key)")
    }

    /// Adds the missing programs and folders to the problems.
    mutating func reportMissingPaths() { problems.add(configuredPaths.missing) }

    /// The value of an environment variable that holds a secret; `nil` if it is not set.
    mutating func secret(inVariable name: String) -> String? {
        secretVariables.insert(name)
        return environment[name]
    }

    /// Records the path of a file that holds a secret.
    public mutating func recordSecret(inFile path: String) { secretFiles.insert(path) }

    /// The text of a key, converted by a closure; `nil` if there is no text, or if the closure returns `nil`, which
    /// is reported.
    public mutating func value<Value>(_ key: String, _ what: String, _ make: (String) -> Value?) -> Value? {
        guard let text = text(key) else { return nil }
        if let value = make(text) { return value }
        report(key, "\"\(text)\" is not \(what)")
        return nil
    }

    /// The station's name.
    mutating func station() -> String { text("station") ?? "default" }

    /// Indicates whether a value is `true`; `false` if it is missing.
    public mutating func flag(_ key: String) -> Bool {
        // YAML has three spellings of each.
        value(key, "true or false") { ["true": true, "false": false][$0.lowercased()] } ?? false
    }

    /// A number within limits; `nil` if it is missing or invalid.
    ///
    /// An invalid one is reported.
    public mutating func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
        let limits = "\(range.lowerBound.short) to \(range.upperBound.short)"
        return value(key, "a number from \(limits)") { Double($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// An integer within limits; `nil` if it is missing or invalid.
    ///
    /// An invalid one is reported.
    public mutating func whole(_ key: String, _ range: ClosedRange<Int>) -> Int? {
        value(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// The bytes of the file that a value names; `nil` if there is no value, or if the file cannot be read, which
    /// is reported.
    public mutating func file(_ key: String) -> [UInt8]? {
        guard let path = path(key) else { return nil }
        do throws(ConfigurationError) {
            return try SmallFile.read(path)
        } catch {
            report(key, error.description)
            return nil
        }
    }

    /// Reports a problem with a value, with the origin of the value.
    ///
    /// Ignored if the value has been reported as invalid already.
    public mutating func report(_ key: String, _ problem: String) {
        if faulty.contains(key) { return }
        let place = place(of: key)
        problems.add(place.origin, "\(place.name): \(key): \(problem)")
    }

    private func place(of key: String) -> (origin: ConfigurationProblems.Origin, name: String) {
        if overrides[key] != nil { return (.commandLine, "--set") }
        if environment[variable(for: key)] != nil { return (.environment, "the environment, \(variable(for: key))") }
        guard let file else { return (.line(0), "the configuration") }
        // A missing key is reported at the nearest section above it.
        var parts = key.split(separator: ".")
        while !parts.isEmpty {
            if let line = file.lines[parts.joined(separator: ".")] { return (.line(line), "\(file.path):\(line)") }
            parts.removeLast()
        }
        return (.line(0), file.path)
    }

    /// The environment variable of a key: `SCAN_OUTBOX_DESTINATIONS_HIS_URL` for `destinations.his.url`, and
    /// `..._MAX_SIZE` for `maxSize`.
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
    /// The number, without a fraction if it is an integer.
    fileprivate var short: String { self == rounded() ? String(Int(self)) : String(self) }
}
