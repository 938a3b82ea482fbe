internal import FoundationEssentials

/// A part of a document that is made from a table of the code.
///
/// It stands between `<!-- begin NAME -->` and `<!-- end NAME -->`. Where `QUIETZONE_WRITE_DOCS` is set, a test that
/// holds it writes it anew.
package enum GeneratedText {
    /// The part as it is in a file of the repository, after it was written where that is asked for; nil where the file
    /// has no such part.
    package static func part(_ name: String, of file: String, madeAs text: String) throws -> String? {
        try part(between: "<!-- begin \(name) -->\n", and: "<!-- end \(name) -->", of: file, madeAs: text)
    }

    /// The same for what stands between any two texts.
    package static func part(
        between begin: String, and end: String, of file: String, madeAs text: String
    ) throws -> String? {
        let path = root + file
        let document = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard let begin = document.firstRange(of: begin),
            let end = document[begin.upperBound...].firstRange(of: end)
        else { return nil }
        let part = String(document[begin.upperBound..<end.lowerBound])
        if part == text || ProcessInfo.processInfo.environment["QUIETZONE_WRITE_DOCS"] == nil { return part }
        let written = document[..<begin.upperBound] + text + document[end.lowerBound...]
        try Data(written.utf8).write(to: URL(filePath: path))
        return text
    }

    /// A file of the repository, after it was written where that is asked for.
    package static func file(_ file: String, madeAs text: String) throws -> String {
        let url = URL(filePath: root + file)
        if ProcessInfo.processInfo.environment["QUIETZONE_WRITE_DOCS"] != nil { try Data(text.utf8).write(to: url) }
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    /// A table in Markdown.
    package static func table(_ head: [String], _ rows: [[String]]) -> String {
        let rule = head.map { _ in "---" }
        return ([head, rule] + rows).map { "|" + $0.map { $0.isEmpty ? " |" : " \($0) |" }.joined() + "\n" }.joined()
    }

    private static let root = String(#filePath.dropLast("Tests/Support/OutboxSupport/GeneratedText.swift".count))
}
