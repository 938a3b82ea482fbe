import ArgumentParser
import BarcodeCore
import DecodeReports
import DecodeWorkers
import Dispatch
import Glibc
import ImageCodecs
import ProgramSupport

/// The program: parses its arguments, then decodes one image in this process or many in workers.
@main
enum DecodeImage {
    static func main() {
        let arguments = RawArguments.all()
        WorkerMode.runIfAsked(arguments) { (image, symbols, path) throws(DecodeError) in
            try AnnotatedPicture(image, symbols: symbols).write(to: path)
        }
        StandardStreams.reserve()
        // A closed pipe causes an error where it is written to, for our output as for a worker's input.
        signal(SIGPIPE, SIG_IGN)
        ProcessLimits.outliveFileLimit()
        if PoolMode.isAsked(arguments) { end { await PoolMode.run(arguments) } }
        if let (settings, picture) = plainCall(arguments) {
            end(DecodeRun(settings: settings), with: picture)
        }
        let command: DecodeCommand
        do {
            command = try DecodeCommand.parse(arguments)
            try command.checkForPicture()
        } catch {
            DecodeCommand.endPrintable(with: pictureLikeOption(in: arguments) ?? error)
        }
        let run = DecodeRun(settings: command.settings)
        if command.desktop.isAsked {
            let desktop = DesktopRun(options: command.desktop, run: run, input: command.input)
            end { await desktop.status().exitStatus }
        }
        if let picture = command.input.onlyPicture, command.output.resume == nil { end(run, with: picture) }
        let items = PictureList(input: command.input).items()
        end { await run.decodeAll(items).exitStatus }
    }

    /// Returns the error for a picture whose name was taken for an option, or for the `-h` in it; `nil` if there is none.
    private static func pictureLikeOption(in arguments: [String]) -> (any Error)? {
        let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0 != "-" }
        guard let name = options.first(where: { FileKind(of: RawArguments.name($0).bytes) != nil }) else { return nil }
        return ValidationError("\(name) looks like an option; write ./\(name), or -- before it")
    }

    /// Decodes one image in this process, or the pages of one document in workers, and ends the program.
    private static func end(_ run: DecodeRun, with picture: PictureName) -> Never {
        guard run.settings.explanationFolder == nil,
            ImageFormat.detect(inFileAt: picture.path.bytes)?.isDocument == true
        else {
            exit(run.decodeAlone(picture).exitStatus)
        }
        let items = PictureItems { $0(.picture(picture)) }
        end { await run.decodeAll(items, isAlone: true).exitStatus }
    }

    private static func end(_ body: @escaping @Sendable () async -> Int32) -> Never {
        // Dispatch waits forever for its first threads if they cannot be started.
        if let shortage = ThreadLimit.shortage(of: 4) {
            Messages(isQuiet: false).write("no thread could be started: \(shortage)")
            exit(1)
        }
        // The only task of the program, which also ends it.
        Task { exit(await body()) }
        dispatchMain()
    }

    /// Parses a call with one image and no option but the output format; `nil` for any other call.
    ///
    /// Scripts often call the program once for each image, and the parser would take a third of the time of a small
    /// one.
    private static func plainCall(_ arguments: [String]) -> (RunSettings, PictureName)? {
        var settings = RunSettings()
        switch arguments.first {
        case "--json": settings.form = .json
        case "--raw": settings.form = .raw
        default: break
        }
        let rest = arguments.dropFirst(settings.form == .text ? 0 : 1)
        guard rest.count == 1, let picture = rest.first, !picture.hasPrefix("-"), !picture.isEmpty else { return nil }
        return (settings, RawArguments.name(picture))
    }
}

/// The command line of `decode-image`.
struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-image",
        abstract: "Read the barcodes and QR codes in pictures.",
        usage: """
            decode-image [<options>] <picture> ...
            decode-image [<options>] --recursive <folder> ...
            some-command | decode-image [<options>] --files-from -
            """,
        discussion: """
            Pictures are \(ImageFormat.titles), recognized by content, not by name; - is standard input. Each \
            code is printed as "format: text", after the picture's name if there are several pictures.

            EXAMPLES
              decode-image photo.jpg                 the codes in a photo
              decode-image --raw --first ticket.png  the first code's bytes, nothing else
              decode-image --json album/*.jpg        a JSON object per picture
              find . -name '*.jpg' -print0 | decode-image --json --files0-from -
              decode-image --recursive --formats qr_code,ean_13 scans/
              decode-image --pages 1-3 scan.pdf      the first three pages of a document
              decode-image --annotate out photo.jpg  a copy with each code outlined
              decode-image --explain why photo.jpg   why/index.html: what each step found
              decode-image --screen --notify --copy  a code that is on the screen

            EXIT STATUS
              0    every picture has a symbol
              4    some picture has no symbol
              1    reading a picture, or writing the output or a file, failed
              64   the command line is invalid
            """,
        version: Versions.text)

    @OptionGroup(title: "Pictures") var input: InputOptions
    @OptionGroup(title: "Reading") var reading: ReadingOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Desktop") var desktop: DesktopOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions

    func validate() throws {
        guard !(desktop.givesPicture && input.namesSomething) else {
            throw ValidationError("--clipboard and --screen are the picture: give no other one.")
        }
        guard output.explain == nil || input.onlyPicture != nil else {
            throw ValidationError("--explain takes one picture: the page shows how that one was read.")
        }
    }

    /// Throws an error if there is no picture; not a part of `validate()`, which runs before unknown options are found.
    func checkForPicture() throws {
        guard input.namesSomething || desktop.givesPicture else {
            throw ValidationError("Give a picture, or - for standard input; --help shows examples.")
        }
    }

    /// The options as plain values.
    var settings: RunSettings {
        var settings = RunSettings()
        settings.options = reading.decodeOptions
        settings.limits = reading.limits
        settings.pages = reading.pages
        settings.resolution = reading.dpi
        settings.maximumPages = reading.maxPages ?? settings.maximumPages
        settings.timeout = .seconds(reading.timeout)
        settings.form = output.form
        settings.isNullSeparated = output.isNullSeparated
        settings.annotationFolder = output.annotate
        settings.showsContent = output.content
        settings.signingKeys = output.keys
        settings.joinsMessages = output.join
        settings.explanationFolder = output.explain
        settings.resumedFile = output.resume
        settings.isQuiet = output.quiet
        settings.jobs = workers.jobs ?? settings.jobs
        settings.workerMegabytes = workers.workerMegabytes
        return settings
    }
}
