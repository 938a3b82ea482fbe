internal import FoundationEssentials

/// A picture of a work set, with its truth.
struct WorkPicture: Sendable, Hashable {
    /// The path of the file.
    var path: String
    /// The name in reports.
    var name: String
    /// The set.
    var set: String
    /// The group in the set.
    var group: String
    /// The known content.
    var truth: Truth
    /// The symbology that determines how messages are compared, see ``CanonicalMessage``.
    var kind: String

    /// Creates a picture.
    init(path: String, name: String, set: String, group: String, truth: Truth, kind: String) {
        self.path = path
        self.name = name
        self.set = set
        self.group = group
        self.truth = truth
        self.kind = kind
    }
}

/// Reads the known content of pictures from the files that describe them.
enum TruthFiles {
    /// Returns the pictures of `expected.json` in `Samples/`: an array of objects with `file` and `symbols`.
    ///
    /// - Throws: `DecodingError` if the format is wrong.
    static func samples(_ json: [UInt8], folder: String) throws -> [WorkPicture] {
        struct Row: Decodable {
            struct Symbol: Decodable {
                var format: String
                var text: String?
                var bytesBase64: Data?
                var addOn: String?
            }
            var file: String
            var symbols: [Symbol]
        }
        return try JSONDecoder().decode([Row].self, from: Data(json)).map { row in
            let messages = row.symbols.map { symbol in
                var forms = [symbol.text.map { Array($0.utf8) }, symbol.bytesBase64.map { Array($0) }].compactMap(
                    \.self)
                // A reader may report the add-on as part of the number.
                if let text = symbol.text, let addOn = symbol.addOn { forms.append(Array((text + addOn).utf8)) }
                return Truth.Message(forms: forms)
            }
            return WorkPicture(
                path: folder + "/" + row.file, name: row.file, set: "samples",
                group: row.symbols.first?.format ?? "none",
                // An add-on may be reported with its symbol or as a symbol of its own.
                truth: .messages(messages, isPartial: row.symbols.contains { $0.addOn != nil }),
                kind: row.symbols.first?.format ?? "")
        }
    }

    /// Returns the pictures of a corpus' `manifest.jsonl`.
    ///
    /// Each line is an object with `image`, `suite`, `group`, and `texts` (base64) or `quads` (corners). `rule` is the
    /// ``WorkPicture/kind`` if that is not the group, and the texts in `also` are those of symbols that do not count.
    ///
    /// - Throws: `DecodingError` if the format is wrong.
    static func corpus(_ jsonLines: [UInt8], folder: String) throws -> [WorkPicture] {
        struct Row: Decodable {
            var image: String
            var suite: String
            var group: String
            var texts: [Data]?
            var quads: [[[Double]]]?
            var rule: String?
            var also: [Data]?
            var partial: Bool?
        }
        return try jsonLines.split(separator: 0x0A).map { line in
            let row = try JSONDecoder().decode(Row.self, from: Data(line))
            var truth = Truth.unknown
            if let quads = row.quads {
                truth = .outlines(
                    quads.map { $0.compactMap { $0.count == 2 ? PicturePoint(x: $0[0], y: $0[1]) : nil } })
            } else if let texts = row.texts {
                truth = .messages(
                    texts.map { Truth.Message(forms: [Array($0)]) },
                    ignored: (row.also ?? []).map { Truth.Message(forms: [Array($0)]) },
                    isPartial: row.partial ?? false)
            }
            return WorkPicture(
                path: folder + "/" + row.image, name: row.image, set: "corpus/" + row.suite,
                group: row.group, truth: truth, kind: row.rule ?? row.group)
        }
    }
}
