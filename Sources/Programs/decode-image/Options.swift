import ArgumentParser
import BarcodeCore
import DecodeReports
import DecodeWorkers
import ProgramSupport
import SymbolContent

/// The options that select images.
struct InputOptions: ParsableArguments {
    @Argument(help: "Pictures, or - for standard input.", completion: .file())
    var pictures: [String] = []

    @Option(help: "Read the names of the pictures from a file, one per line; - is standard input.", completion: .file())
    var filesFrom: [String] = []

    @Option(
        name: .customLong("files0-from"), help: "The same, with a NUL after each name, as from find -print0.",
        completion: .file())
    var files0From: [String] = []

    @Flag(name: .shortAndLong, help: "Decode all pictures in the given folders and their subfolders.")
    var recursive = false

    func validate() throws {
        guard filesFrom.isEmpty || files0From.isEmpty else {
            throw ValidationError("Give --files-from or --files0-from, not both.")
        }
        guard !(filesFrom + files0From).contains("") else {
            throw ValidationError("The name of a list is empty.")
        }
        guard (pictures + filesFrom + files0From).count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input can be read only once: as a picture or as a list of names.")
        }
    }

    private var hasList: Bool { !filesFrom.isEmpty || !files0From.isEmpty }

    var namesSomething: Bool { !pictures.isEmpty || hasList }

    /// The image, if there is only one and no list or folder.
    var onlyPicture: PictureName? {
        guard pictures.count == 1, !hasList, !recursive else { return nil }
        return RawArguments.name(pictures[0])
    }
}

/// The decoding options and resource limits.
struct ReadingOptions: ParsableArguments {
    @OptionGroup var formats: SymbologyOptions

    @Option(help: "How thoroughly to search: fast, normal or thorough.")
    var effort = DecodeOptions.Effort.normal

    @Flag(help: "Stop at the first symbol of each picture.")
    var first = false

    @Option(
        parsing: .unconditional, help: "Time limit for one picture, in seconds. (default: 30)",
        transform: NumberArgument.decimal(0.001...86_400))
    var timeout = 30.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time budget for the search in one picture, in milliseconds; the symbols found by then are the result.",
            valueName: "milliseconds"),
        transform: NumberArgument.decimal(1...86_400_000))
    var timeBudget: Double?

    @Option(
        parsing: .unconditional, help: "Maximum size of a picture, in megapixels. (default: 200)",
        transform: NumberArgument.decimal(0.001...4_000))
    var maxMegapixels = 200.0

    @Option(
        parsing: .unconditional, help: "Maximum size of a file, in megabytes. (default: 256)",
        transform: NumberArgument.decimal(0.001...100_000))
    var maxFileMegabytes = 256.0

    @Option(
        help: "Read these pages of documents, such as 1-3,7 or 2-. (default: all)",
        transform: { text in
            guard let pages = PageSelection(text) else {
                throw ValidationError("--pages must be numbers from 1 and ranges, such as 1-3,7 or 2-.")
            }
            return pages
        })
    var pages = PageSelection.all

    @Option(
        parsing: .unconditional,
        help: "Pixels per inch for the pages of a PDF. (default: 300, and 600 if there is no code; a scan as it is)",
        transform: NumberArgument.decimal(PageRequest.resolutions))
    var dpi: Double?

    @Option(
        parsing: .unconditional, help: "Maximum number of pages to read of one document. (default: 1000)",
        transform: NumberArgument.whole(1...1_000_000))
    var maxPages: Int?

    var decodeOptions: DecodeOptions {
        DecodeOptions(
            symbologies: formats.symbologies ?? Symbology.standard, effort: effort,
            timeBudget: timeBudget.map { .microseconds(Int64($0 * 1000)) }, maximumCount: first ? 1 : nil)
    }

    var limits: Limits {
        Limits(
            maximumPixels: Int(maxMegapixels * 1e6), maximumFileBytes: Int(maxFileMegabytes * 1024 * 1024))
    }
}

/// The output options.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print a JSON object per picture on one line, as soon as it is decoded.")
    var json = false

    @Flag(help: "Print the bytes of each symbol, with no separator.")
    var raw = false

    @Flag(name: .customLong("null"), help: "End each symbol with a NUL instead of a line feed.")
    var isNullSeparated = false

    @Flag(help: "Print XML in the format of zbarimg.")
    var xml = false

    @Flag(help: "Print a table of pictures and their symbols.")
    var table = false

    @Flag(help: "Also list the fields of each message: GS1, links, contacts, payments. With text and --json.")
    var content = false

    @Option(
        help: ArgumentHelp(
            "With --content, check the signatures of tickets, certificates and seals with the public keys and certificates in this folder.",
            valueName: "folder"),
        completion: .directory, transform: KeyFolder.keys)
    var keys: SigningKeys?

    @Flag(help: "After the last picture, print the messages that are spread over several symbols (structured append).")
    var join = false

    @Option(
        help: "Write a PNG of each picture, with its symbols outlined and labeled, to this folder.",
        completion: .directory)
    var annotate: String?

    @Option(
        help: "Write a page to this folder that shows the result of every step, and why codes were not read.",
        completion: .directory)
    var explain: String?

    @Option(
        help: "Append the answers of --json to this file, and skip the pictures that it has answers for.",
        completion: .file())
    var resume: String?

    @Flag(name: .shortAndLong, help: "Print nothing on standard error.")
    var quiet = false

    func validate() throws {
        guard [json, raw, xml, table].count(where: { $0 }) <= 1 else {
            throw ValidationError("Choose one of --json, --raw, --xml and --table.")
        }
        guard ![annotate, explain, resume].contains("") else {
            throw ValidationError("--annotate, --explain and --resume need a name, which is empty here.")
        }
        guard resume == nil || json else {
            throw ValidationError("--resume needs --json: the file says which pictures are done.")
        }
        guard !isNullSeparated || !(json || xml || table) else {
            throw ValidationError("--null needs plain output or --raw.")
        }
        guard !content || !(raw || xml || table || isNullSeparated) else {
            throw ValidationError("--content needs plain output or --json.")
        }
        guard keys == nil || content else {
            throw ValidationError("--keys needs --content: a signature is one of the fields of a message.")
        }
        guard !join || !(raw || xml || table || isNullSeparated || resume != nil) else {
            throw ValidationError("--join needs plain output or --json, without --resume.")
        }
    }

    var form: RunSettings.OutputForm {
        if json { .json } else if raw { .raw } else if xml { .xml } else if table { .table } else { .text }
    }
}

/// The options of the worker processes.
struct WorkerOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: "Number of pictures to decode in parallel. (default: the number of processors)",
        transform: NumberArgument.whole(1...1024))
    var jobs: Int?

    @Option(
        parsing: .unconditional, help: "Memory limit for decoding a picture, in megabytes. (default: 2048)",
        transform: NumberArgument.whole(64...1_000_000))
    var workerMegabytes = 2048
}
