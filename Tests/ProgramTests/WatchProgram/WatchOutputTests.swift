import Glibc
import TestSupport
import Testing

/// Standard output without a reader, and hooks that do not end.
@Suite(.timeLimit(.minutes(10))) struct WatchOutputTests {
    /// The codes are in the outbox, but later ones would go unnoticed.
    @Test func whenTheReaderIsGoneNoFileIsPutAwayAnyMore() async throws {
        let watch = try WatchRun()
        var runner = watch.runner()
        runner.streams.output = .pipe
        let watcher = Watcher(try runner.start(watch.arguments([])))
        try watch.drop(codes: ["first"])
        #expect(watcher.program.line()?.contains("\"first\"") == true)
        watcher.program.closeOutput()
        #expect(try watcher.wait() == .exit(141), "\(watch.log.suffix(2000))")
        #expect(watch.log.contains("standard output was closed"))
        try watch.drop(codes: ["second"])
        #expect(watch.files() == ["done/first.png", "second.png"])
        // The next run continues where this one ended.
        #expect(try await watch.once() == .exit(0))
        #expect(watch.texts() == ["second"])
    }

    /// A failure to write is an error; scripts check the status.
    @Test func theAnswerOfStatusThatCannotBeWritten() async throws {
        let watch = try WatchRun()
        let watcher = try watch.start()
        let isThere = await eventually { access(watch.folder["outbox.sqlite.status"], F_OK) == 0 }
        #expect(isThere)
        for options in [[], ["--json"]] {
            var runner = watch.runner()
            runner.streams = .init(output: .file("/dev/full"))
            let result = try await runner(
                ["status", watch.inbox, "--database", watch.folder["outbox.sqlite"]] + options)
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("standard output: No space left on device"), "\(result.messages)")
        }
        #expect(try watcher.stop() == .exit(0))
    }

    @Test func aStuckReaderHoldsUpNoFile() async throws {
        let watch = try WatchRun()
        let path = try watch.folder.fifo("output")
        let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reading) }
        var runner = watch.runner(seconds: 200)
        runner.streams.output = .file(path)
        // The smallest pipe is full after a few events.
        _ = fcntl(reading, setPipeSize, 4096)
        try watch.folder.file(
            "c.yaml", Array("destinations:\n  lines: {type: stdout, form: event, timeoutSeconds: 1}\n".utf8))
        let watcher = Watcher(try runner.start(watch.arguments(["--config", watch.folder["c.yaml"], "--settle", "0"])))
        let names = (0..<100).map { "code-\($0)" }
        try watch.drop(codes: names)
        let isDone = await eventually { watch.waiting().isEmpty }
        #expect(isDone)
        // One thread may wait for the reader, but none of those that read, hash and move files.
        #expect(threads(of: watcher.program.process, waitingIn: "pipe").count <= 1)
        #expect(try watcher.stop() == .exit(0), "\(watch.log.suffix(2000))")
        #expect(watch.files() == names.map { "done/\($0).png" }.sorted())
    }

    /// Returns the threads of a process that wait in a kernel function; empty if the kernel does not report it.
    private func threads(of process: pid_t, waitingIn name: String) -> [String] {
        let list = (try? shell("cat /proc/\(process)/task/*/wchan 2>/dev/null | tr '\\0' '\\n'"))?.lines ?? []
        return list.filter { $0.contains(name) }
    }

    /// The hooks of a folder do not get the secrets of destinations.
    @Test(arguments: ["before", "afterEach"])
    func aHookGetsNoSecretOfADestination(_ key: String) async throws {
        let watch = try WatchRun()
        try watch.drop(codes: ["a"])
        let out = watch.folder["out"]
        let hook = try watch.folder.file("hook", Array("#!/bin/sh\nenv >\(out)\n".utf8))
        try makeExecutable(hook)
        let destination = "his: {type: http, url: http://a/, secretEnvironment: HIS_SECRET, sources: [camera]}"
        try watch.folder.file(
            "c.yaml", Array("folder:\n  \(key): [\(hook)]\ndestinations:\n  \(destination)\n".utf8))
        let ending = try await watch.once(
            "--config", watch.folder["c.yaml"],
            environment: ["HIS_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "PLAIN=1"])
        #expect(ending == .exit(0), "\(watch.log.suffix(2000))")
        let variables = (readFile(out) ?? []).text.split(separator: "\n")
        #expect(variables.contains("PLAIN=1") && variables.contains { $0.hasPrefix("QUIETZONE_FILE=") }, "\(variables)")
        #expect(!variables.contains { $0.contains("whsec_") }, "\(variables)")
    }

    @Test(arguments: ["before", "afterEach"])
    func aCommandThatTakesTooLongEndsWithItsChildren(_ hook: String) async throws {
        let watch = try WatchRun()
        let file = watch.folder["pid"]
        try watch.folder.file(
            "script", Array("(trap '' TERM; exec sleep 1000) & echo $! > \(file); exec sleep 1000\n".utf8))
        try watch.folder.file(
            "c.yaml", Array("folder:\n  hookSeconds: 1\n  \(hook): [sh, '\(watch.folder["script"])']\n".utf8))
        try watch.drop(codes: ["a"])
        #expect(try await watch.once("--config", watch.folder["c.yaml"]) == .exit(0), "\(watch.log.suffix(2000))")
        let child = try #require(readFile(file).flatMap { pid_t($0.text.filter(\.isNumber)) })
        defer { kill(child, SIGKILL) }
        #expect(remaining(of: [child]).isEmpty, "what the command has started has ended too")
    }
}

/// Linux' F_SETPIPE_SZ, which is only declared with `_GNU_SOURCE`.
private let setPipeSize: Int32 = 1031
