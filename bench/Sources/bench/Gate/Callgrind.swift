internal import CBench

/// Counts instructions with valgrind's callgrind, reproducibly on every machine.
enum Callgrind {
    /// The environment that removes differences between machines and between runs.
    ///
    /// libjpeg-turbo and the C library select code by processor features, and Swift seeds its hash tables randomly.
    private static let environment = [
        "JSIMD_FORCENONE=1",
        "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load,-RTM",
        "SWIFT_DETERMINISTIC_HASHING=1",
    ]

    /// Returns the instruction count of a workload.
    static func count(_ workload: String, root: String, valgrind: String) throws -> Int {
        let program = RunEnvironment.ownPath()
        let (output, status, _) = try ChildProcess.run(
            [
                valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
                "--toggle-collect=qzb_measured_region", program, "gate-workload", workload, "--root", root,
            ], environment: environment, keepsErrors: true)
        let text = String(decoding: output, as: UTF8.self)
        guard status == 0, let line = text.split(separator: "\n").first(where: { $0.contains("Collected : ") }),
            let count = line.split(separator: " ").last.flatMap({ Int($0) }), count > 0
        else {
            throw BenchError("callgrind counted nothing for \(workload), status \(status):\n\(text.suffix(2000))")
        }
        return count
    }

    /// Runs `body` once, and once more inside the function that callgrind counts.
    ///
    /// The first run binds symbols and fills tables, which only happens once.
    static func measuredRegion(_ body: @escaping () throws -> Void) throws {
        try body()
        let box = Box(body)
        // The box outlives the call, and C only passes the pointer back to the closure.
        qzb_measured_region(
            { Unmanaged<Box>.fromOpaque($0!).takeUnretainedValue().run() }, Unmanaged.passUnretained(box).toOpaque())
        if let error = box.error { throw error }
    }

    private final class Box {
        private let body: () throws -> Void
        private(set) var error: (any Error)?

        init(_ body: @escaping () throws -> Void) {
            self.body = body
        }

        func run() {
            do { try body() } catch { self.error = error }
        }
    }
}
