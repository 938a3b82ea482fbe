import DecodeWorkers
import Logging
import SystemPackage

func inSwift() async {
    let pool = WorkerPool(
        settings: WorkerPool.Settings(
            executable: ".build/release/decode-image",
            arguments: ["--worker", "--memory-megabytes", "1024", "--picture-seconds", "20"],
            workers: 2, timeout: .seconds(10)),
        logger: Logger(label: "decoding"))
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await pool.run() }
        let report = await pool.decode(WorkerRequest(path: PictureName("Samples/order-form.png")))
        print(report.symbols.map(\.text), report.error as Any)
        pool.finish()
    }
}
