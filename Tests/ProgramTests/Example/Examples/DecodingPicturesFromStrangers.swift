import DecodeWorkers
import Logging
import SystemPackage

enum DecodingPicturesFromStrangers {
    static func start(serve: (WorkerPool) async -> Void) async {
        let pool = WorkerPool(
            settings: WorkerPool.Settings(
                executable: "/usr/bin/decode-image",
                arguments: ["--worker", "--memory-megabytes", "1024", "--picture-seconds", "20"],
                workers: 2, timeout: .seconds(10)),
            logger: Logger(label: "decoding"))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            await serve(pool)
            pool.finish()
        }
    }

    static func decode(_ path: String, with pool: WorkerPool) async -> DecodeReport {
        let request = WorkerRequest(
            path: PictureName(path), name: PictureName("upload 17"),
            options: DecodeOptions(symbologies: [.qrCode, .code128]),
            limits: Limits(maximumPixels: 40_000_000, maximumFileBytes: 16 << 20))
        let report = await pool.decode(request)
        return report
    }

    static func answer(_ report: DecodeReport) -> String {
        switch report.error?.code {
        case nil: return report.symbols.map(\.text).joined(separator: "\n")
        case .unsupportedFormat, .corrupt, .tooLarge, .emptyFile: return "We cannot read this picture."
        case .timedOut, .readerCrashed, .outOfMemory: return "This picture takes too long to read."
        default: return "Please try again later."
        }
    }

    static func main() throws {
        if CommandLine.arguments.dropFirst().first == "--worker" {
            try Worker(settings: Worker.Settings(memoryLimit: 1 << 30, pictureSeconds: 20)) { _, _, _ in }.run()
            return
        }
    }
}
