import Foundation
import TestSupport
import Testing

/// The Swift code in the documentation compiles: each page has a file of the same name in Examples/, with exactly the
/// imports that the page shows, so that copied code builds.
///
/// The examples of doc comments are in one more file.
@Suite struct ExampleTests {
    static let root = ProgramRunner.packageFolder

    /// The pages that may contain Swift: those of the catalogs, and the guides for users of the libraries.
    static let pages: [String] = {
        let catalogs = FileManager.default.enumerator(atPath: root + "Sources")?.compactMap { $0 as? String } ?? []
        return ["README.md", "docs/how-to/camera.md", "docs/reference/content.md", "docs/reference/worker-protocol.md"]
            + catalogs.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.map { "Sources/" + $0 }.sorted()
    }()

    /// A block of Swift: its imports, and its other lines without indentation, comments and empty lines.
    struct Code {
        var imports: Set<String> = []
        var lines: [String] = []

        init(_ text: some Sequence<String>) {
            for line in text {
                let words = line.split(separator: " ").map(String.init)
                if words.isEmpty || words[0].hasPrefix("//") { continue }
                if words[0] == "import" { imports.insert(words[1]) } else { lines.append(words.joined(separator: " ")) }
            }
        }

        func contains(_ other: Code) -> Bool {
            lines.indices.contains { lines[$0...].starts(with: other.lines) }
        }
    }

    /// The blocks of a page, or those of the lines that begin with a prefix, behind it.
    static func blocks(of page: String, prefix: String = "") throws -> [Code] {
        var blocks: [Code] = []
        var block: [String]?
        for text in try String(contentsOfFile: root + page, encoding: .utf8).components(separatedBy: "\n")
        where text.hasPrefix(prefix) {
            let line = String(text.dropFirst(prefix.count))
            if let lines = block {
                block = lines + [line]
                guard line.hasPrefix("```") else { continue }
                blocks.append(Code(lines))
                block = nil
            } else if line == "```swift" {
                block = []
            }
        }
        return blocks
    }

    @Test func thereArePages() { #expect(Self.pages.count >= 5) }

    @Test(arguments: pages) func codeOfThePageIsCompiled(_ page: String) throws {
        let blocks = try Self.blocks(of: page)
        guard !blocks.isEmpty else { return }
        let name = page.split(separator: "/").last?.dropLast(".md".count) ?? ""
        let file = Self.root + "Tests/ProgramTests/Example/Examples/\(name).swift"
        let compiled = Code(try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n"))
        #expect(blocks.reduce(into: []) { $0.formUnion($1.imports) } == compiled.imports)
        for block in blocks {
            #expect(compiled.contains(block), "\(page): \(block.lines.joined(separator: "\n")) is not in \(file)")
        }
    }

    @Test func examplesOfDocCommentsAreCompiled() throws {
        let paths = FileManager.default.enumerator(atPath: Self.root + "Sources")?.compactMap { $0 as? String } ?? []
        let file = Self.root + "Tests/ProgramTests/Example/Examples/DocComments.swift"
        let compiled = Code(try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n"))
        var count = 0
        for path in paths where path.hasSuffix(".swift") {
            for block in try Self.blocks(of: "Sources/" + path, prefix: "/// ") {
                count += 1
                #expect(compiled.contains(block), "\(path): \(block.lines.joined(separator: "\n")) is not in \(file)")
            }
        }
        #expect(count >= 10)
    }

    @Test func aPageThatDiffersIsSeen() {
        let compiled = Code(["import A", "func f() {", "    let x = 1", "    // why", "    use(x)", "}"])
        #expect(compiled.contains(Code(["let x = 1", "", "use(x)"])))
        #expect(!compiled.contains(Code(["let x = 2", "use(x)"])))
        #expect(!compiled.contains(Code(["use(x)", "let x = 1"])))
    }
}
