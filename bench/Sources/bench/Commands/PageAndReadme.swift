internal import ArgumentParser
internal import BenchCore
internal import BenchReport

/// Makes the page of a run anew.
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

/// Writes what docs/speed.md shows of a run.
struct Readme: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the tables of docs/speed.md from a results.json, and write its plot.",
        discussion: "Between the lines `<!-- bench -->` and `<!-- /bench -->` of --into the tables are put in place.")

    @Argument(help: "The results.json of a run.")
    var results: String
    @Option(help: "The plot to write.")
    var plot = "docs/found-against-time.svg"
    @Option(help: "A Markdown file whose tables are replaced; without it they are printed.")
    var into: String?

    func run() throws {
        let read = try Results(json: Files.read(results), name: results)
        try Files.write(Array(ReadmeReport.plot(read).utf8), to: plot)
        let text = ReadmeReport.markdown(read)
        guard let into else {
            print(text)
            return
        }
        let page = String(decoding: try Files.read(into), as: UTF8.self)
        guard let replaced = ReadmeReport.replace(in: page, by: text) else {
            throw BenchError("\(into) has no lines `<!-- bench -->` and `<!-- /bench -->` to put the tables between")
        }
        try Files.write(Array(replaced.utf8), to: into)
        print("\(into) and \(plot) are written")
    }
}
