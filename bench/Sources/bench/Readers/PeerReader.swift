internal import FoundationEssentials

/// A reader behind `peers/peer.py`, a long-running process that takes file names and answers with lines of JSON.
///
/// The process measures the times itself, so that the pipe and JSON do not count.
final class PeerReader: Reader {
    let name: String
    let namesPlaces = true
    /// The version that the process reports.
    let version: String
    private let process: ChildProcess

    private struct Hello: Decodable {
        var reader: String
        var version: String
    }

    private struct Reply: Decodable {
        struct Symbol: Decodable {
            var text: String?
            var bytes: Data?
            var center: [Double]?
        }
        var loadNanoseconds: UInt64
        var decodeNanoseconds: UInt64
        var processorNanoseconds: UInt64
        var symbols: [Symbol]
        var error: String?
    }

    /// Starts a reader; `nil` if its dependencies are not installed.
    init?(_ reader: String, peers: Peers) throws {
        process = try ChildProcess(peers.command(reader), environment: Peers.environment)
        guard let line = process.nextLine(),
            let hello = try? JSONDecoder().decode(Hello.self, from: Data(line.utf8))
        else { return nil }
        name = hello.reader
        version = hello.version
    }

    func read(_ picture: WorkPicture) throws -> Answer {
        process.send(picture.path)
        guard let line = process.nextLine() else { throw BenchError("\(name) died at \(picture.path)") }
        let reply: Reply
        do {
            reply = try JSONDecoder().decode(Reply.self, from: Data(line.utf8))
        } catch {
            throw BenchError("\(name) answered in a form that is not known: \(line.prefix(200))")
        }
        return Answer(
            nanoseconds: reply.loadNanoseconds + reply.decodeNanoseconds, loadNanoseconds: reply.loadNanoseconds,
            processorNanoseconds: reply.processorNanoseconds,
            symbols: reply.symbols.map { symbol in
                FoundSymbol(
                    forms: [symbol.bytes.map { Array($0) }, symbol.text.map { Array($0.utf8) }].compactMap(\.self),
                    center: symbol.center.flatMap { $0.count == 2 ? PicturePoint(x: $0[0], y: $0[1]) : nil })
            })
    }
}

/// The Python environment of the other readers.
struct Peers {
    /// The folder of the benchmark.
    var folder: String

    /// One thread each, like Quietzone's library call.
    static let environment = ["OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1"]

    private var environmentFolder: String { folder + "/.venv" }

    var isInstalled: Bool { Files.exists(environmentFolder + "/bin/python") }

    /// Returns the command line that starts a reader.
    func command(_ reader: String) -> [String] {
        [environmentFolder + "/bin/python", folder + "/peers/peer.py", reader]
    }

    /// Creates the environment and installs the readers in it.
    func install() throws {
        guard let python = Files.program("python3") else {
            throw BenchError("the peers need python3, which is not installed: apt-get install python3 python3-venv")
        }
        let steps = [
            [python, "-m", "venv", environmentFolder],
            [environmentFolder + "/bin/pip", "install", "--quiet", "-r", folder + "/peers/requirements.txt"],
        ]
        for step in steps {
            let (output, status, _) = try ChildProcess.run(step, keepsErrors: true)
            guard status == 0 else {
                throw BenchError(
                    "\(step.joined(separator: " ")) failed (on Debian and Ubuntu it needs python3-venv):\n"
                        + String(decoding: output.suffix(2000), as: UTF8.self))
            }
        }
    }
}
