internal import FoundationEssentials

/// A part of a document that is generated from a table in the code.
///
/// It lies between `<!-- begin NAME -->` and `<!-- end NAME -->`. If `QUIETZONE_WRITE_DOCS` is set, the test that
/// checks the part writes it.
package enum GeneratedText {
    /// Returns the part of a file of the repository; `nil` if the file has no such part.
    ///
    /// It writes the part first if `QUIETZONE_WRITE_DOCS` is set.
    package static func part(_ name: String, of file: String, madeAs text: String) throws -> String? {
        try part(between: "<!-- begin \(name) -->\n", and: "<!-- end \(name) -->", of: file, madeAs: text)
    }

    /// Returns the part between any two texts, in the same way.
    package static func part(
        between begin: String, and end: String, of file: String, madeAs text: String
    ) throws -> String? {
        let path = ProgramRunner.packageFolder + file
        let document = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard let begin = document.firstRange(of: begin),
            let end = document[begin.upperBound...].firstRange(of: end)
        else { return nil }
        let part = String(document[begin.upperBound..<end.lowerBound])
        if part == text || ProcessInfo.processInfo.environment["QUIETZONE_WRITE_DOCS"] == nil { return part }
        let written = String(document[..<begin.upperBound]) + text + String(document[end.lowerBound...])
        try Data(written.utf8).write(to: URL(filePath: path))
        return text
    }

    /// Returns a file of the repository.
    ///
    /// It writes the file first if `QUIETZONE_WRITE_DOCS` is set.
    package static func file(_ file: String, madeAs text: String) throws -> String {
        let url = URL(filePath: ProgramRunner.packageFolder + file)
        if ProcessInfo.processInfo.environment["QUIETZONE_WRITE_DOCS"] != nil { try Data(text.utf8).write(to: url) }
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    /// A table in Markdown.
    package static func table(_ head: [String], _ rows: [[String]]) -> String {
        let rule = head.map { _ in "---" }
        return ([head, rule] + rows).map { "|" + $0.map { $0.isEmpty ? " |" : " \($0) |" }.joined() + "\n" }.joined()
    }
}
