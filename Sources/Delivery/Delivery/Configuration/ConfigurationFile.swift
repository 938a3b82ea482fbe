internal import Yams

/// The content of a YAML configuration file, with the line of each value.
struct ConfigurationFile {
    /// A value before it is parsed.
    enum Value {
        case one(String)
        case list([String])
    }

    /// The path, for messages.
    let path: String
    /// The values of the keys that the schema knows, by their dotted paths.
    private(set) var values: [String: Value] = [:]
    /// The line of each key, counted from 1, by its dotted path.
    private(set) var lines: [String: Int] = [:]
    /// The names of the items of each collection, in the order of the file.
    private(set) var items: [String: [String]] = [:]
    /// The keys with invalid values, which have been reported already.
    private(set) var faulty: Set<String> = []
    /// The problems found in the file.
    private(set) var problems = ConfigurationProblems()
    private let schema: ConfigurationSchema

    /// Reads a file.
    ///
    /// - Throws: ``ConfigurationError`` if there is no file or it is not YAML, so that none of its keys are known.
    init(path: String, schema: ConfigurationSchema) throws(ConfigurationError) {
        var bytes: ArraySlice<UInt8>
        do throws(ConfigurationError) {
            bytes = try SmallFile.read(path)[...]
        } catch {
            throw ConfigurationError("the configuration: \(error.description)")
        }
        // Some editors put a byte order mark first.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError("the configuration \(path) is not UTF-8; save it as UTF-8")
        }
        try self.init(path: path, text: text, schema: schema)
    }

    /// Reads the text of a file.
    ///
    /// - Throws: ``ConfigurationError`` if it is not YAML.
    init(path: String, text: String, schema: ConfigurationSchema) throws(ConfigurationError) {
        self.path = path
        self.schema = schema
        do {
            guard let root = try Yams.compose(yaml: text), !Self.isNull(root) else { return }
            guard let mapping = root.mapping else {
                throw ConfigurationError("\(path):1: the file is not a list of keys and values")
            }
            walk(mapping, below: [])
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw ConfigurationError(Redaction.withoutSecrets(Self.sentence(for: error, path: path, text: text)))
        }
    }

    private mutating func note(_ line: Int, _ sentence: String) {
        problems.add(.line(line), "\(path):\(line): \(sentence)")
    }

    private mutating func walk(_ mapping: Yams.Node.Mapping, below prefix: [String]) {
        for (keyNode, value) in mapping {
            let line = keyNode.mark?.line ?? 0
            guard let name = keyNode.string else {
                note(line, "a key must be text")
                continue
            }
            let key = prefix + [name]
            lines[key.joined(separator: ".")] = line
            if schema.isSection(key) {
                walkSection(value, key: key, line: line)
            } else {
                check(value, key: key, line: line)
            }
        }
    }

    private mutating func walkSection(_ value: Yams.Node, key: [String], line: Int) {
        guard let mapping = value.mapping else {
            note(line, "\"\(key.joined(separator: "."))\" needs keys, indented below it, instead of a value")
            return
        }
        if key.count == 2 {
            let isName =
                !key[1].isEmpty && key[1].utf8.count <= 64
                && key[1].utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                }
            if isName {
                items[key[0], default: []].append(key[1])
            } else {
                note(line, "\"\(key[1])\" is not a valid name for one of the \(key[0]): up to 64 of a-z, 0-9, - and _")
            }
        }
        walk(mapping, below: key)
    }

    private mutating func check(_ value: Yams.Node, key: [String], line: Int) {
        let dotted = key.joined(separator: ".")
        guard let form = schema.form(of: key) else {
            // If the type of the destination stands above, list only the keys of that type: all of them would be
            // too many.
            var kind: String?
            if case .one(let type)? = values[(key.dropLast() + ["type"]).joined(separator: ".")] { kind = type }
            let known = schema.siblings(of: key, kind: kind).joined(separator: ", ")
            note(line, "unknown key \"\(dotted)\"; the keys are \(known)")
            return
        }
        switch value {
        case .scalar(let scalar) where !Self.isNull(value): values[dotted] = .one(scalar.string)
        case .sequence(let sequence) where form == .list:
            let parts = sequence.compactMap { Self.isNull($0) ? nil : $0.scalar?.string }
            values[dotted] = .list(parts)
            if parts.count == sequence.count && !parts.isEmpty { return }
            faulty.insert(dotted)
            note(line, "\"\(dotted)\" " + (sequence.isEmpty ? "is an empty list" : "must be a list of plain values"))
        default:
            faulty.insert(dotted)
            switch value {
            case .scalar: note(line, "\"\(dotted)\" has no value")
            case .sequence: note(line, "\"\(dotted)\" must be one value, not a list")
            default: note(line, "\"\(dotted)\" must be one value, without keys below it")
            }
        }
    }

    /// Indicates whether a node is empty or a YAML word for null.
    private static func isNull(_ node: Yams.Node) -> Bool {
        guard let scalar = node.scalar else { return false }
        return scalar.string.isEmpty || scalar.style == .plain && ["~", "null", "Null", "NULL"].contains(scalar.string)
    }

    private static func sentence(for error: any Error, path: String, text: String) -> String {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            // The parser's own message: "found character that cannot start any token".
            "\(path):\(mark.line): not valid YAML: \(problem.trimmingPeriod)"
                + (problem.contains("cannot start any token") ? " (indent lines with spaces, not tabs)" : "")
        case YamlError.duplicatedKeysInMapping(let names, let context):
            "\(path):\(secondLine(of: names.first ?? "", context.mark, in: text)): the key "
                + "\"\(names.first ?? "")\" appears twice, first in line \(context.mark.line)"
        case YamlError.reader(let problem, _, _, _): "\(path): not valid YAML: \(problem.trimmingPeriod)"
        default: "\(path): not valid YAML"
        }
    }

    /// The line of the second of two equal keys: the next one in the same column.
    ///
    /// The parser names only the first.
    private static func secondLine(of key: String, _ first: Mark, in text: String) -> Int {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let indent = String(repeating: " ", count: max(0, first.column - 1))
        let starts = [key, "\"\(key)\"", "'\(key)'"].map { indent + $0 + ":" }
        let second = lines.dropFirst(first.line).firstIndex { line in starts.contains { line.hasPrefix($0) } }
        return second.map { $0 + 1 } ?? first.line
    }
}

extension String {
    /// The text without a period at its end, so that a sentence can continue after it.
    fileprivate var trimmingPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
