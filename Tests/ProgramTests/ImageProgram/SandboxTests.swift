import Foundation
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// The sandbox of the built program's workers, from within: `attempts.c` is loaded into them and tries to get out
    /// when libpng begins to read the picture.
    @Suite(.enabled(if: Machine.hasSandbox)) struct SandboxTests {
        /// An attempt of `attempts.c`, and what happens to it.
        struct Attempt: Sendable, CustomTestStringConvertible {
            enum Result: String, Sendable {
                case allowed
                /// It fails with an error.
                case refused
                /// The process is killed by the filter of system calls.
                case killed
            }

            var name: String
            var result: Result

            var testDescription: String { "\(name) is \(result)" }

            init(_ name: String, _ result: Result) {
                self.name = name
                self.result = result
            }
        }

        static let attempts = [
            Attempt("create_file", .refused), Attempt("create_file_for_reading", .refused),
            Attempt("write_file", .refused), Attempt("read_and_write_file", .refused),
            Attempt("truncate_file", .refused), Attempt("truncate_path", .refused),
            Attempt("unnamed_file", .refused), Attempt("openat2_file", .refused), Attempt("delete_file", .refused),
            Attempt("rename_file", .refused), Attempt("link_file", .refused), Attempt("symbolic_link", .refused),
            Attempt("make_folder", .refused), Attempt("change_mode", .refused),
            Attempt("read_file", .allowed), Attempt("thread", .allowed),
            Attempt("internet_socket", .killed), Attempt("unix_socket", .killed), Attempt("pair_of_sockets", .killed),
            Attempt("fork_process", .refused), Attempt("raw_fork", .refused), Attempt("clone3_process", .refused),
            Attempt("start_program", .killed), Attempt("start_from_memory", .killed),
            Attempt("trace_parent", .killed), Attempt("read_parent", .killed), Attempt("signal_parent", .refused),
            Attempt("signal_parent_by_thread", .refused), Attempt("signal_by_descriptor", .refused),
            Attempt("signal_owner_of_pipe", .refused), Attempt("limits_of_parent", .refused),
            Attempt("io_ring", .killed), Attempt("user_namespace", .killed), Attempt("kernel_program", .killed),
        ]

        /// Attempts that fail without a sandbox too, depending on the user and on settings of the kernel.
        static let dependsOnMachine = [
            "trace_parent", "read_parent", "io_ring", "user_namespace", "kernel_program", "unnamed_file",
        ]

        let folder: TemporaryFolder
        let library: String

        init() throws {
            folder = try TemporaryFolder()
            library = try Preload.library("attempts")
        }

        /// Returns the program with an attempt, or without a library.
        private func program(
            _ attempt: String = "", of program: String? = nil, missing library: String? = nil
        ) throws -> ProgramRunner {
            var runner = ProgramTests.decodeImage
            runner.environment += [
                "LD_PRELOAD=\(self.library)", "QUIETZONE_ATTEMPT=\(attempt)", "SWIFT_BACKTRACE=enable=no",
                "QUIETZONE_ATTEMPT_FILE=\(try folder.file("file", [1]))",
            ]
            if let program { runner.environment.append("QUIETZONE_ATTEMPT_PROGRAM=\(program)") }
            if let library { runner.environment.append("QUIETZONE_MISSING_LIBRARY=\(library)") }
            return runner
        }

        private static func request(_ path: String) -> [UInt8] {
            Array(#"{"id":1,"path":"\#(Data(path.utf8).base64EncodedString())"}"#.utf8) + [0x0A]
        }

        /// Returns the result of an attempt in a worker with these options.
        private func result(
            of attempt: String, _ options: [String] = [], picture: String = Samples.path("qr.png")
        ) async throws -> Attempt.Result? {
            let answer = try await program(attempt)(["--worker"] + options, input: Self.request(picture))
            if answer.ending == .signal(SIGSYS) { return .killed }
            // Whatever was refused, the picture is decoded.
            #expect(answer.text.contains("https://example.org/quietzone"))
            #expect(answer.ending == .exit(0))
            return Attempt.Result(rawValue: answer.messages.trimmingCharacters(in: .newlines))
        }

        @Test(arguments: attempts) func worker(_ attempt: Attempt) async throws {
            #expect(try await result(of: attempt.name) == attempt.result)
        }

        /// The same attempts succeed in a worker without a filter, so they are real ones.
        @Test(arguments: attempts.map(\.name).filter { !dependsOnMachine.contains($0) })
        func workerWithoutSandbox(_ attempt: String) async throws {
            let answer = try await program(attempt, missing: "libseccomp.so.2")(
                ["--worker"], input: Self.request(Samples.path("qr.png")))
            #expect((answer.messages + answer.text).contains("allowed\n"))
        }

        @Test(
            .enabled(if: Machine.hasLandlock),
            arguments: [
                Attempt("read_file", .allowed), Attempt("read_elsewhere", .refused),
                Attempt("read_environment_of_parent", .refused), Attempt("create_file", .refused),
                Attempt("write_file", .refused),
            ])
        func workerWithPictureFolder(_ attempt: Attempt) async throws {
            let picture = try folder.file("qr.png", Samples.bytes("qr.png"))
            #expect(
                try await result(of: attempt.name, ["--picture-folder", folder.path], picture: picture)
                    == attempt.result)
        }

        @Test(
            .enabled(if: Machine.hasLandlock),
            arguments: [
                Attempt("create_file", .allowed), Attempt("write_file", .allowed), Attempt("delete_file", .refused),
                Attempt("rename_file", .refused), Attempt("symbolic_link", .refused), Attempt("make_folder", .refused),
                Attempt("unix_socket", .killed), Attempt("start_program", .killed),
            ])
        func workerWithAnnotationFolder(_ attempt: Attempt) async throws {
            #expect(try await result(of: attempt.name, ["--annotation-folder", folder.path]) == attempt.result)
            if attempt.result == .allowed {
                let other = try TemporaryFolder()
                #expect(try await result(of: attempt.name, ["--annotation-folder", other.path]) == .refused)
            }
        }

        /// The program opens the pictures, and passes them to workers that can open no other files.
        @Test(
            .enabled(if: Machine.hasLandlock),
            arguments: [
                Attempt("thread", .allowed), Attempt("read_file", .refused), Attempt("read_elsewhere", .refused),
                Attempt("read_environment_of_parent", .refused), Attempt("create_file", .refused),
                Attempt("write_file", .refused),
            ])
        func workerOfSeveralPictures(_ attempt: Attempt) async throws {
            var runner = try program(attempt.name)
            runner.environment.append("QUIETZONE_ATTEMPT_STATUS=17")
            let pictures = [Samples.path("qr.png"), Samples.path("qr.png")]
            for options in [[], ["--annotate", folder.path + "/annotated"]] {
                let answer = try await runner(["--json", "--jobs", "1"] + options + pictures)
                let reports = answer.text.split(separator: "\n")
                #expect(reports.count == 2)
                for report in reports {
                    if attempt.result == .allowed {
                        #expect(report.contains("crashed the process that decoded it (exit status 17)"))
                    } else {
                        #expect(report.contains("https://example.org/quietzone"))
                    }
                }
            }
        }

        @Test(
            .enabled(if: Machine.hasLandlock), arguments: [Attempt("thread", .allowed), Attempt("read_file", .refused)])
        func workerOfADropFolder(_ attempt: Attempt) async throws {
            let watch = try WatchRun()
            try watch.drop("a.png", Samples.bytes("qr.png"))
            let environment = try program(attempt.name).environment + ["QUIETZONE_ATTEMPT_STATUS=17"]
            _ = try await watch.once(environment: environment)
            let isEnded = watch.log.contains("crashed the process that decoded it (exit status 17)")
            #expect(isEnded == (attempt.result == .allowed), "\(watch.log)")
            #expect(watch.texts() == (isEnded ? [] : ["https://example.org/quietzone"]))
        }

        /// Only Landlock knows folders: a worker that reads the pictures of others writes none without it.
        @Test(arguments: [Attempt("create_file", .refused), Attempt("write_file", .refused)])
        func workerWithBothFoldersAndNoLandlock(_ attempt: Attempt) async throws {
            let picture = try folder.file("qr.png", Samples.bytes("qr.png"))
            var program = try program(attempt.name)
            program.environment.append("QUIETZONE_WITHOUT_LANDLOCK=1")
            let answer = try await program(
                ["--worker", "--picture-folder", folder.path, "--annotation-folder", folder.path],
                input: Self.request(picture))
            #expect(answer.text.contains("https://example.org/quietzone"))
            #expect(answer.messages.trimmingCharacters(in: .newlines) == attempt.result.rawValue)
        }

        @Test(arguments: [
            Attempt("create_file", .refused), Attempt("write_file", .refused), Attempt("delete_file", .refused),
            Attempt("internet_socket", .refused), Attempt("fork_process", .refused), Attempt("trace_parent", .killed),
            Attempt("limits_of_parent", .refused), Attempt("thread", .allowed),
        ])
        func programThatRendersDocuments(_ attempt: Attempt) async throws {
            let document = try folder.file("a.pdf", PDFDocument([try .scan("scanned")]).bytes)
            let answer = try await program(attempt.name, of: "pdftoppm")(["--worker"], input: Self.request(document))
            let words = attempt.result == .killed ? "pdftoppm ended" : attempt.result.rawValue
            #expect(answer.text.contains("could not be rendered: \(words)"), "\(answer.text)")
        }

        /// Returns the result of an attempt in the program itself, for its only picture.
        private func resultAlone(of attempt: String, _ options: [String], input: [UInt8] = []) async throws
            -> Attempt.Result?
        {
            var runner = try program(attempt)
            runner.environment.append("QUIETZONE_ATTEMPT_OUTPUT=1")
            let answer = try await runner(["--json"] + options, input: input)
            if answer.text.contains(#""code":"reader_crashed""#) {
                #expect(answer.ending == .exit(1))
                return .killed
            }
            #expect(answer.text.contains("https://example.org/quietzone"))
            #expect(answer.ending == .exit(0))
            return answer.text.split(separator: "\n").first.flatMap { Attempt.Result(rawValue: String($0)) }
        }

        /// Limited by the filter of system calls.
        static let attemptsAlone = [
            Attempt("create_file", .refused), Attempt("write_file", .refused), Attempt("delete_file", .refused),
            Attempt("make_folder", .refused), Attempt("change_mode", .refused), Attempt("thread", .allowed),
            Attempt("fork_process", .refused), Attempt("raw_fork", .refused), Attempt("signal_parent", .refused),
            Attempt("internet_socket", .killed), Attempt("unix_socket", .killed), Attempt("start_program", .killed),
            Attempt("start_from_memory", .killed), Attempt("trace_parent", .killed), Attempt("io_ring", .killed),
        ]

        @Test(arguments: attemptsAlone) func onlyPicture(_ attempt: Attempt) async throws {
            #expect(try await resultAlone(of: attempt.name, [Samples.path("qr.png")]) == attempt.result)
        }

        @Test(arguments: [
            Attempt("create_file", .refused), Attempt("internet_socket", .killed), Attempt("helper_program", .allowed),
            Attempt("helper_other_program", .refused),
        ])
        func onlyPictureFromStandardInput(_ attempt: Attempt) async throws {
            #expect(
                try await resultAlone(of: attempt.name, ["-"], input: Samples.bytes("qr.png")) == attempt.result)
        }

        @Test(
            .enabled(if: Machine.hasLandlock),
            arguments: [
                Attempt("read_elsewhere", .refused), Attempt("read_file", .refused),
                Attempt("read_environment_of_parent", .refused),
            ])
        func onlyPictureIsTheOnlyFile(_ attempt: Attempt) async throws {
            #expect(try await resultAlone(of: attempt.name, [Samples.path("qr.png")]) == attempt.result)
        }

        /// An archive of the program brings its codecs along, in a folder that the loader is told of.
        @Test(.enabled(if: Machine.hasLandlock)) func librariesOfTheProgram() async throws {
            var runner = try program("read_file")
            runner.environment.append("QUIETZONE_ATTEMPT_OUTPUT=1")
            let loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]
            let decodeImage = runner.executable
            runner.executable = try #require(loaders.first { FileManager.default.isExecutableFile(atPath: $0) })
            for (libraries, result) in [(folder.path, "allowed"), (try TemporaryFolder().path, "refused")] {
                runner.leading = ["--library-path", libraries, decodeImage]
                let answer = try await runner(["--json", Samples.path("qr.png")])
                #expect(answer.text.contains("https://example.org/quietzone"))
                #expect(answer.text.split(separator: "\n").first.map(String.init) == result)
            }
        }

        @Test(
            .enabled(if: Machine.hasLandlock),
            arguments: [
                Attempt("create_file", .allowed), Attempt("write_file", .allowed), Attempt("delete_file", .refused),
                Attempt("unix_socket", .killed),
            ])
        func onlyPictureWithAnnotations(_ attempt: Attempt) async throws {
            let picture = Samples.path("qr.png")
            #expect(try await resultAlone(of: attempt.name, ["--annotate", folder.path, picture]) == attempt.result)
            if attempt.result == .allowed {
                let other = try TemporaryFolder()
                #expect(try await resultAlone(of: attempt.name, ["--annotate", other.path, picture]) == .refused)
            }
        }

        /// Attempts that the filter alone prevents succeed without it.
        @Test(arguments: ["fork_process", "raw_fork", "internet_socket", "unix_socket", "thread"])
        func onlyPictureWithoutFilter(_ attempt: String) async throws {
            var runner = try program(attempt, missing: "libseccomp.so.2")
            runner.environment.append("QUIETZONE_ATTEMPT_OUTPUT=1")
            let answer = try await runner(["--raw", Samples.path("qr.png")])
            #expect(answer.text == "allowed\nhttps://example.org/quietzone")
        }

        /// Requests of a worker that was taken over to the helper that starts the programs of documents.
        @Test(arguments: [
            Attempt("helper_program", .allowed), Attempt("helper_most_arguments", .allowed),
            Attempt("helper_too_many_arguments", .refused), Attempt("helper_argument_without_end", .refused),
            Attempt("helper_argument_to_the_end", .refused), Attempt("helper_other_kind", .refused),
            Attempt("helper_other_program", .refused), Attempt("helper_program_by_path", .refused),
            Attempt("helper_program_outside", .refused), Attempt("helper_no_program", .refused),
            Attempt("helper_no_descriptors", .refused), Attempt("helper_many_descriptors", .refused),
            Attempt("helper_ends_parent", .refused), Attempt("helper_ends_all", .refused),
            Attempt("helper_half_message", .refused), Attempt("helper_long_message", .refused),
            // It goes on after a request that it refuses, and ends after a message that is none.
            Attempt("helper_after_refusal", .allowed), Attempt("helper_after_half_message", .refused),
            Attempt("helper_after_long_message", .refused),
        ])
        func helper(_ attempt: Attempt) async throws {
            #expect(try await result(of: attempt.name) == attempt.result)
        }

        @Test func attackCostsOnePicture() async throws {
            let answer = try await program("internet_socket")(
                ["--json", "--jobs", "1", Samples.path("ean8.pgm"), Samples.path("qr.png"), Samples.path("ean8.pgm")])
            let reports = answer.text.split(separator: "\n").map(String.init)
            #expect(reports.count == 3)
            #expect(reports.filter { $0.contains("96385074") }.count == 2)
            #expect(reports.filter { $0.contains("reader_crashed") && $0.contains("signal \(SIGSYS)") }.count == 1)
        }

        @Test func worksWithoutSeccomp() async throws {
            let runner = try program(missing: "libseccomp.so.2")
            let answer = try await runner(["--worker"], input: Self.request(Samples.path("qr.png")))
            #expect(answer.text.contains("https://example.org/quietzone"))
            #expect(answer.messages.contains("decoding without a filter of system calls"))
            let version = try await runner(["--version"])
            #expect(!version.text.contains("seccomp,") && version.text.contains("sandbox: "))
            #expect(try await ProgramTests.decodeImage(["--version"]).text.contains("sandbox: seccomp"))
        }
    }

    /// What this machine has for a sandbox.
    enum Machine {
        /// Not by the program's own account, which is tested too.
        static let hasSandbox =
            (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?
            .contains("Seccomp_filters:") == true
        static let hasLandlock =
            (try? ProgramTests.decodeImage.run(["--version"]).text)?.contains("Landlock") == true
    }
}
