internal import ArgumentParser

/// Creates the HTML page of a run again.
struct Page: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make the HTML page of a results.json.")

    @Argument(help: "The results.json of a run.")
    var results: String
    @Option(help: "The file to write. (default: index.html beside the results)")
    var out: String?

    func run() throws {
        let read = try Results(json: Files.read(results), name: results)
        let folder = results.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = out ?? (folder.map(String.init) + ["index.html"]).joined(separator: "/")
        try Files.write(Array(PageReport.html(read).utf8), to: path)
        print("\(path) is written")
    }
}

/// Updates the tables of README.md and docs/speed.md and their chart from a run.
struct Readme: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the tables of README.md and docs/speed.md and their plot from a results.json.",
        discussion: """
            The tables are put between the lines `<!-- bench -->` and `<!-- /bench -->` of each file, and the plot in \
            docs/found-against-time.svg.
            """)

    @Argument(help: "The results.json of a run.")
    var results: String
    @Flag(help: "Print the tables, README.md's first, and write nothing.")
    var print = false
    @Option(help: "The project's folder.")
    var root = "."

    func run() throws {
        let read = try Results(json: Files.read(results), name: results)
        let plot = "docs/found-against-time.svg"
        let texts = [
            ("README.md", ReadmeReport.summary(read, plot: plot)), ("docs/speed.md", ReadmeReport.markdown(read)),
        ]
        guard !print else {
            Swift.print(texts.map(\.1).joined(separator: "\n\n"))
            return
        }
        let pages = try texts.map { name, text in
            let page = String(decoding: try Files.read("\(root)/\(name)"), as: UTF8.self)
            guard let replaced = ReadmeReport.replace(in: page, by: text) else {
                throw BenchError(
                    "\(name) has no lines `<!-- bench -->` and `<!-- /bench -->` to put the tables between")
            }
            return (name, replaced)
        }
        for (name, page) in pages { try Files.write(Array(page.utf8), to: "\(root)/\(name)") }
        try Files.write(Array(ReadmeReport.plot(read).utf8), to: "\(root)/\(plot)")
        Swift.print("\((pages.map(\.0) + [plot]).joined(separator: ", ")) are written")
    }
}
