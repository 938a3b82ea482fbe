import ArgumentParser
import BarcodeCore
import BarcodeDecoding
import DecodeWorkers
import Glibc

/// The program: reads its arguments, then decodes one picture in this process or many in workers.
@main
enum DecodeImage {
    static func main() async {
        let arguments = RawArguments.all()
        if arguments.first == WorkerMode.flag {
            WorkerMode.main(Array(arguments.dropFirst()))
        }
        do {
            let command = try DecodeCommand.parse(arguments)
            try await command.run()
        } catch {
            DecodeCommand.exit(withError: error)
        }
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
            Pictures are JPEG, PNG, WebP or PNM, told apart by what is in them, not by their names; - is standard \
            input. One picture prints "format: text" a line, several print their names too.

            EXAMPLES
              decode-image photo.jpg                      the codes in a photo
              decode-image --raw --first ticket.png       the first code's bytes and nothing else
              decode-image --json album/*.jpg             one JSON object a picture, as soon as it is done
              find . -name '*.jpg' -print0 | decode-image --json --files0-from -
              decode-image --recursive --formats qr_code,ean_13 scans/
              decode-image --annotate out/ photo.jpg      a copy of the picture with each code outlined

            EXIT STATUS
              0    every picture held a symbol
              4    some picture held none
              1    some picture could not be read, or the output could not be written
              64   the command line is wrong
            """,
        version: Versions.text)

    @OptionGroup(title: "Pictures") var input: InputOptions
    @OptionGroup(title: "Reading") var reading: ReadingOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions

    func validate() throws {
        guard input.namesSomething else {
            throw ValidationError("Name a picture, or - for standard input; --help shows examples.")
        }
    }

    func run() async throws {
        // A closed pipe is met as an error at the place that writes, be it our output or a worker's input.
        signal(SIGPIPE, SIG_IGN)
        let run = DecodeRun(
            options: reading.decodeOptions, limits: reading.limits, timeout: reading.timeoutDuration,
            output: output, workers: workers)
        let status: RunStatus
        if let picture = input.onlyPicture {
            status = run.decodeAlone(picture)
        } else {
            status = try await run.decodeAll(input)
        }
        throw status.exitCode
    }
}
