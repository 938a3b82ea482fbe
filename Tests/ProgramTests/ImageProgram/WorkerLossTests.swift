import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Lost workers of the built program: each costs one picture.
    @Suite struct WorkerLossTests {
        let good = Samples.path("ean8.png")

        @Test func aPictureThatNeedsTooMuchMemory() async throws {
            let folder = try TemporaryFolder()
            // 100 megapixels of white take 100 MB, and smaller levels of the pyramid.
            let large = try folder.file("large.png", Pictures.pngBomb(width: 10_000, height: 10_000))
            let files = [good, large, good, good, large, good]
            let result = try await decodeImage(["--json", "--jobs", "2", "--worker-megabytes", "64"] + files)
            let answers = try result.lines.map { try Answer($0) }
            #expect(answers.count == files.count)
            for answer in answers {
                if answer.source == large {
                    #expect(answer.outcome == "out_of_memory")
                } else {
                    #expect(answer.outcome == "96385074")
                }
            }
            #expect(result.ending == .exit(1))
            // The same in this process, from its last message.
            let alone = try await decodeImage(["--json", "--worker-megabytes", "64", large])
            #expect(try alone.lines.map { try Answer($0).outcome } == ["out_of_memory"])
            #expect(alone.ending == .exit(1))
        }

        /// If no more processes can be started, no more threads can either, and the process library needs some.
        @Test(arguments: [6, 8]) func noRoomForAProcess(_ limit: Int) async throws {
            let folder = try TemporaryFolder()
            let picture = try folder.file("good.png", Samples.bytes("ean8.png"))
            // The limit applies to a user without other processes; it does not apply to root.
            let copy = try folder.file("decode-image", try #require(readFile(decodeImage.executable)))
            try makeExecutable(copy)
            let user = ProgramRunner(
                executable: "/usr/bin/setpriv",
                leading: [
                    "--reuid=\(54_320 + limit)", "--regid=54321", "--clear-groups", "/bin/bash", "-c",
                    "ulimit -u \(limit); exec \"$0\" \"$@\"", copy,
                ])
            let result = try await user(["--json", "--jobs", "2", picture, picture])
            let answers = try result.lines.map { try Answer($0) }
            #expect(answers.map(\.error?.code) == ["no_worker", "no_worker"], "\(result.messages)")
            #expect(answers.allSatisfy { $0.error?.message.contains("this user has too many processes") == true })
            #expect(result.ending == .exit(1))
        }

        /// If memory is too short for threads, the program says so, or at least ends at the second signal.
        @Test func tooLittleMemoryForThreads() async throws {
            var program = ProgramRunner(
                executable: "/bin/bash",
                leading: ["-c", "ulimit -v 200000; exec \"$0\" \"$@\"", decodeImage.executable])
            program.seconds = 60
            let result = try await onThread { [program, good] in
                let running = try program.start(["--json", good, good, good, good])
                for _ in 0..<2 {
                    sleep(2)
                    running.signal(SIGTERM)
                }
                return try running.end()
            }
            #expect(result.ending != .signal(SIGKILL))
        }

        @Test func hangsCostTheirPictures() async throws {
            let folder = try TemporaryFolder()
            let silent = [try folder.fifo("one"), try folder.fifo("two")]
            let files = [good, silent[0], good, silent[1], good, good]
            // Long enough for the others, even on a busy machine.
            let result = try await decodeImage(["--timeout", "10", "--jobs", "2"] + files)
            #expect(result.lines.count == 4, "\(result.messages)")
            #expect(result.messages.contains("\(silent[0]): took longer than 10.0 seconds"))
            #expect(result.messages.contains("\(silent[1]): took longer than 10.0 seconds"))
            #expect(result.messages.hasSuffix("4 symbols in 6 pictures, 2 that could not be read\n"))
            #expect(result.ending == .exit(1))
        }

        @Test(arguments: [SIGSEGV, SIGKILL, SIGABRT, SIGTERM])
        func aWorkerThatIsKilledOverAPicture(_ signal: Int32) async throws {
            let folder = try TemporaryFolder()
            let silent = try folder.fifo("silent")
            let program = decodeImage
            let result = try await onThread { [good] in
                // The others are named later: a picture is only blamed by a process that has decoded no other.
                let running = try program.start(["--json", "--jobs", "1", "--files-from", "-"])
                try running.send(silent + "\n")
                let writer = open(silent, O_WRONLY | O_CLOEXEC)
                defer { close(writer) }
                // The pool has opened the pipe for a worker; the kernel's list of children may lag behind.
                var children = running.children
                while children.isEmpty {
                    usleep(2000)
                    children = running.children
                }
                for child in children { kill(child, signal) }
                return try running.end(input: Array("\(good)\n\(good)\n".utf8))
            }
            let answers = try result.answers()
            #expect(answers.mapValues(\.outcome) == [silent: "reader_crashed", good: "96385074"])
            #expect(answers[silent]?.error?.message.contains("signal \(signal)") == true)
            #expect(result.lines.count == 3)
            #expect(result.ending == .exit(1))
        }

        @Test func aWorkerThatIsKilledWhileIdleCostsNothing() async throws {
            let program = decodeImage
            let (lines, result) = try await onThread { [good] in
                let running = try program.start(["--json", "--jobs", "1", "--files-from", "-"])
                var lines: [String] = []
                for _ in 0..<5 {
                    try running.send(good + "\n")
                    lines.append(running.line() ?? "")
                    for child in running.children { kill(child, SIGKILL) }
                }
                return (lines, try running.end())
            }
            #expect(try lines.map { try Answer($0).outcome } == Array(repeating: "96385074", count: 5))
            #expect(result.ending == .exit(0))
        }
    }
}
