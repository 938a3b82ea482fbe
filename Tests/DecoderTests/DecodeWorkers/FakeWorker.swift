import BarcodeCore
import DecodeReports
import DecodeWorkers
import Logging
import SystemPackage

/// The reaction of a fake worker to a request.
///
/// Its number is sent as the request's `maximumSide`.
enum Behavior: Int, CaseIterable, Sendable {
    case answers = 1
    case answersLate, answersInPieces, answersAnotherFirst, answersThenEnds, answersThenDies
    case dies, ends, endsWell, answersGarbage, answersHalfALine, answersNothing, closesOutput, answersGarbageAndStays
    case answersByAnotherProtocol, runsOutOfMemory, answersUnderTwoNumbers

    /// The error code that the pool reports for the picture; `nil` if it succeeds.
    var code: String? {
        switch self {
        case .answers, .answersLate, .answersInPieces, .answersAnotherFirst, .answersThenEnds, .answersThenDies,
            .answersUnderTwoNumbers:
            nil
        case .answersNothing: "timed_out"
        case .answersByAnotherProtocol: "no_worker"
        case .runsOutOfMemory: "out_of_memory"
        default: "reader_crashed"
        }
    }
}

/// A worker that is a shell script: it implements the protocol, without decoding.
enum FakeWorker {
    /// Reads requests and does what each says.
    ///
    /// The answer names the picture by the base64 of its name. Its width is the process identifier of the worker.
    static let script = #"""
        field() { rest=${line#*\"$1\":}; rest=${rest%%[,\}]*}; }
        while IFS= read -r line; do
            field id; id=$rest
            field name; name=$rest
            field maximumSide; what=$rest
            report="{\"id\":$id,\"report\":{\"schema\":1,\"source\":$name,\"width\":$$,\"height\":1,"
            tail="\"orientation\":1,\"symbols\":[],\"truncated\":false,\"milliseconds\":{\"load\":0,\"decode\":0}}}"
            case $what in
                1) echo "$report$tail" ;;
                2) sleep 0.02; echo "$report$tail" ;;
                3) printf '%s' "$report"; sleep 0.01; echo "$tail" ;;
                4) echo "${report#*,}" | sed "s/^/{\"id\":999,/;s/$/$tail/"; echo "$report$tail" ;;
                5) echo "$report$tail"; exit 0 ;;
                6) echo "$report$tail"; kill -KILL $$ ;;
                7) kill -SEGV $$ ;;
                8) exit 3 ;;
                9) exit 0 ;;
                10) echo garbage; exit 1 ;;
                11) printf '%s' "$report"; exit 1 ;;
                12) exec tail -f /dev/null ;;
                13) exec >&-; exec tail -f /dev/null ;;
                14) echo garbage; exec tail -f /dev/null ;;
                15) echo "{\"schema\":9,\"id\":$id}"; exec tail -f /dev/null ;;
                16) exit 71 ;;
                17) echo "$report${tail%?},\"id\":999,\"schema\":1}" ;;
            esac
        done
        """#

    static func pool(
        workers: Int = 2, timeout: Duration = .seconds(60), picturesPerWorker: Int = 1000, script: String = script,
        executable: FilePath = "/bin/sh"
    ) -> WorkerPool {
        WorkerPool(
            settings: WorkerPool.Settings(
                executable: executable, arguments: ["-c", script], workers: workers, timeout: timeout,
                picturesPerWorker: picturesPerWorker),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    static func request(_ name: String, _ behavior: Behavior) -> WorkerRequest {
        WorkerRequest(path: PictureName(name), limits: Limits(maximumSide: behavior.rawValue))
    }
}

extension WorkerPool {
    /// Runs the pool during `body`.
    func during<Result: Sendable>(_ body: @Sendable (WorkerPool) async throws -> Result) async rethrows -> Result {
        async let running: Void = run()
        do {
            let result = try await body(self)
            finish()
            await running
            return result
        } catch {
            finish()
            await running
            throw error
        }
    }
}
