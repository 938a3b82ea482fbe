internal import Yams

/// The keys of a YAML file and their lines: what the values themselves are, swift-configuration says.
struct ConfigurationFile {
    /// The path, for messages.
    let path: String
    /// The line of each key that has a value, counted from 1, by its dotted path.
    private(set) var lines: [String: Int] = [:]
    /// The names of the items of each collection, in the order of the file.
    private(set) var items: [String: [String]] = [:]
    /// What is wrong, a sentence each, in the order of the lines.
    private(set) var problems: [String] = []
    private let schema: ConfigurationSchema

    /// Reads the keys of a file's text.
    init(path: String, text: String, schema: ConfigurationSchema) {
        self.path = path
        self.schema = schema
        do {
            guard let root = try Yams.compose(yaml: text) else { return }
            guard let mapping = root.mapping else {
                problems.append("\(path):1: the file is no list of keys and values")
                return
            }
            walk(mapping, below: [])
        } catch let error as YamlError {
            problems.append(Self.sentence(for: error, path: path))
        } catch {
            problems.append("\(path): \(error)")
        }
    }

    private mutating func walk(_ mapping: Yams.Node.Mapping, below prefix: [String]) {
        var seen: Set<String> = []
        for (keyNode, value) in mapping {
            let line = keyNode.mark?.line ?? 0
            guard let name = keyNode.string else {
                problems.append("\(path):\(line): a key is no text")
                continue
            }
            let key = prefix + [name]
            let dotted = key.joined(separator: ".")
            if !seen.insert(name).inserted { problems.append("\(path):\(line): the key \"\(dotted)\" stands twice") }
            lines[dotted] = line
            if schema.isSection(key) {
                walkSection(value, key: key, line: line)
            } else {
                check(value, key: key, line: line)
            }
        }
    }

    private mutating func walkSection(_ value: Yams.Node, key: [String], line: Int) {
        guard let mapping = value.mapping else {
            let dotted = key.joined(separator: ".")
            problems.append("\(path):\(line): \"\(dotted)\" holds keys, indented below it, and no value of its own")
            return
        }
        if key.count == 2 {
            items[key[0], default: []].append(key[1])
            let isName =
                !key[1].isEmpty && key[1].utf8.count <= 64
                && key[1].utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                }
            if !isName {
                problems.append(
                    "\(path):\(line): \"\(key[1])\" is no name for one of the \(key[0]): up to 64 of a-z, 0-9, - and _")
            }
        }
        walk(mapping, below: key)
    }

    private mutating func check(_ value: Yams.Node, key: [String], line: Int) {
        let dotted = key.joined(separator: ".")
        guard let form = schema.form(of: key) else {
            let names = schema.siblings(of: key)
            problems.append("\(path):\(line): unknown key \"\(dotted)\"; known are \(names.joined(separator: ", "))")
            return
        }
        switch value {
        case .scalar(let scalar):
            if scalar.string.isEmpty { problems.append("\(path):\(line): \"\(dotted)\" has no value") }
        case .sequence(let sequence) where form == .list:
            if sequence.contains(where: { $0.scalar == nil }) {
                problems.append("\(path):\(line): \"\(dotted)\" is a list of plain values")
            }
        case .sequence: problems.append("\(path):\(line): \"\(dotted)\" takes one value and no list")
        default: problems.append("\(path):\(line): \"\(dotted)\" takes a value and no keys below it")
        }
    }

    private static func sentence(for error: YamlError, path: String) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "\(path):\(mark.line): no YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            "\(path):\(context.mark.line): a key stands twice: \(duplicates)"
        default: "\(path): no YAML: \(error)"
        }
    }
}
