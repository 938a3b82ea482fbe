import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Unusual names and paths.
@Suite(.timeLimit(.minutes(10))) struct UnusualPathTests {
    /// A sidecar file of either kind.
    private struct Note: Decodable {
        var file: String?
        var fileBytes: Data?
        var source: String?
        var sourceBytes: Data?
    }

    /// A name that is not UTF-8 is given exactly: as base64 in sidecar files, and in the environment of commands.
    @Test func namesThatAreNoText() async throws {
        let watch = try WatchRun()
        let name: [UInt8] = [0x66, 0xFF, 0xFE, 0x2E, 0x70]
        let bad: [UInt8] = [0x62, 0xFF, 0x2E, 0x70]
        try watch.folder.file(Array("inbox/".utf8) + name, Picture.qr("a"))
        try watch.folder.file(Array("inbox/".utf8) + bad, Array("no picture".utf8))
        let script = try watch.folder.file(
            "hook", Array("#!/bin/sh\nprintf '%s\\n' \"$QUIETZONE_NAME\" >>\"$OUT\"\n".utf8))
        try makeExecutable(script)
        let out = watch.folder["names"]
        try watch.folder.file("c.yaml", Array("folder:\n  afterEach: [\(script)]\n".utf8))
        #expect(
            try await watch.once("--sidecar", "--config", watch.folder["c.yaml"], environment: ["OUT=\(out)"])
                == .exit(0), "\(watch.log)")
        func note(_ place: String) throws -> Note {
            let path = try #require(try shell("ls '\(watch.inbox)'/\(place)/*/*.json | cat -v").lines.first)
            #expect(path.contains("M-^"), "the name is kept: \(path)")
            let text = try shell("cat '\(watch.inbox)'/\(place)/*/*.json").output
            return try JSONDecoder().decode(Note.self, from: Data(text))
        }
        #expect(try note("done").sourceBytes == Data(name))
        #expect(try note("failed").fileBytes == Data(bad))
        let seen = Set((readFile(out) ?? []).split(separator: 0x0A).map(Array.init))
        #expect(seen == [name, bad])
    }

    /// The watched folder, and that of `--to`.
    @Test func foldersWhoseNamesAreNoText() async throws {
        let watch = try WatchRun()
        let (inbox, target) = (Array("in\u{E9}".utf8) + [0xFF], Array("to".utf8) + [0xFE])
        let paths = [inbox, target].map { Array(watch.folder.path.utf8) + [0x2F] + $0 }
        for path in paths { #expect(path.withCString { mkdir($0, 0o755) } == 0) }
        try watch.folder.file(inbox + Array("/a.png".utf8), Picture.qr("a"))
        let options = ["--database", watch.folder["outbox.sqlite"], "--settle", "0.1", "--once"].map { Array($0.utf8) }
        let result = try await watch.runner()(
            bytes: [Array("run".utf8), paths[0], Array("--to".utf8), paths[1]] + options)
        #expect(result.ending == .exit(0), "\(watch.log)")
        #expect(watch.texts() == ["a"])
        #expect(watch.log.contains("\(watch.folder.path)/in\u{E9}\u{FFFD}"), "\(watch.log)")
        #expect(try shell("cd '\(watch.folder.path)' && ls to*/done/*").text.trimmed == "a.png")
        let missing = try await WatchRun.program(bytes: [paths[0] + [0xFD]])
        #expect(missing.ending == .exit(66) && missing.messages.contains("in\u{E9}\u{FFFD}\u{FFFD} cannot be watched"))
    }

    /// A name cannot end the value of a field of the log and begin another field.
    @Test(
        arguments: [
            (#"a\" level=error x="b.png"#, #"file="a\\\" level=error x=\"b.png""#),
            ("a\"\u{338}level=error", "file=\"a\\\"\u{338}level=error\""),
        ])
    func namesWithQuotationMarksInTheLog(_ name: String, _ field: String) async throws {
        let watch = try WatchRun()
        try watch.folder.file(Array("inbox/".utf8) + Array(name.utf8), Picture.qr("a"))
        #expect(try await watch.once() == .exit(0), "\(watch.log)")
        #expect(Array(watch.log.utf8).firstRange(of: Array(field.utf8)) != nil, "\(watch.log)")
    }

    /// Names of the maximum length, with all kinds of bytes, that already exist: an added number replaces bytes of
    /// the name.
    @Test(
        arguments: [
            ("letters", [UInt8](repeating: 0x6E, count: 251) + Array(".png".utf8)),
            ("three bytes each", Array(String(repeating: "条", count: 85).utf8)),
            ("no UTF-8, each byte the middle of a character", [UInt8](repeating: 0x80, count: 255)),
            ("no UTF-8, with an extension", [UInt8](repeating: 0xBF, count: 251) + Array(".png".utf8)),
        ] as [(String, [UInt8])])
    func longNames(_ label: String, _ name: [UInt8]) async throws {
        let watch = try WatchRun()
        for round in 0..<3 {
            try watch.folder.file(Array("inbox/".utf8) + name, Picture.qr("\(round)"))
            #expect(try await watch.once("--sidecar") == .exit(0), "\(watch.log.suffix(2000))")
            try watch.folder.file(Array("inbox/".utf8) + name, Array("no picture \(round)".utf8))
            #expect(try await watch.once("--sidecar") == .exit(0), "\(watch.log.suffix(2000))")
        }
        let lengths = try shell("cd '\(watch.inbox)' && for p in done failed; do ls $p/*/ | wc -l; done").lines
        #expect(lengths.map { $0.trimmed } == ["6", "6"], "each file and its neighbors")
        #expect(watch.waiting().isEmpty && watch.texts() == ["0", "1", "2"])
    }

    @Test func emptiedFoldersAreRemovedWhereThatIsWanted() async throws {
        for isWanted in [false, true] {
            let watch = try WatchRun()
            for folder in ["a", "a/b", "a/b/c", "kept", "never"] { try watch.folder.folder("inbox/\(folder)") }
            try watch.drop(codes: ["a/1", "a/b/c/2", "kept/3"])
            try watch.drop("kept/.hidden", [1])
            let options = (isWanted ? ["--remove-empty", "60"] : []) + ["--once"]
            let result = try await watch.runner()(watch.arguments(options))
            #expect(result.ending == .exit(0), "\(watch.log)")
            let left = try shell("cd '\(watch.inbox)' && find . -type d -not -path './done*' | sort").lines
            let all = [".", "./a", "./a/b", "./a/b/c", "./kept", "./never"]
            #expect(left == all.filter { !isWanted || !$0.hasPrefix("./a") })
        }
        // While it runs: some time after the last file.
        let watch = try WatchRun()
        let watcher = try watch.start("--remove-empty", "0.2")
        try watch.folder.folder("inbox/sub")
        try watch.drop(codes: ["sub/a"])
        #expect(await watch.reports(["sub/a"]))
        let isGone = await eventually { access(watch.inbox + "/sub", F_OK) != 0 }
        #expect(isGone)
        try watch.folder.folder("inbox/sub")
        try watch.drop(codes: ["sub/b"])
        #expect(await watch.reports(["sub/a", "sub/b"]))
        #expect(try watcher.stop() == .exit(0))
    }

    /// A link that is pointed elsewhere: the program ends, so that its supervisor restarts it with the other folder.
    @Test func theWatchedLinkIsPointedElsewhere() async throws {
        let watch = try WatchRun()
        let other = try watch.folder.folder("other")
        try watch.folder.link("current", to: watch.inbox)
        let arguments = [
            "run", watch.folder["current"], "--database", watch.folder["outbox.sqlite"], "--settle", "0.1", "--poll",
            "0.1",
        ]
        let watcher = Watcher(try watch.runner().start(arguments))
        try watch.drop(codes: ["a"])
        #expect(await watch.reports(["a"]))
        // For a moment the link is missing, which does not count as another folder.
        unlink(watch.folder["current"])
        try watch.drop(codes: ["b"])
        #expect(await watch.reports(["a", "b"]))
        try watch.folder.link("next", to: other)
        try move(watch.folder["next"], to: watch.folder["current"])
        #expect(try watcher.wait() == .exit(75))
        #expect(watch.log.contains("current now leads to \(other)"), "\(watch.log.suffix(1000))")
        #expect(watch.files() == ["done/a.png", "done/b.png"])
        try watch.folder.file("other/c.png", Picture.qr("c"))
        #expect(try await watch.runner()(arguments + ["--once"]).ending == .exit(0))
        #expect(watch.texts() == ["a", "b", "c"])
    }

    /// A target folder that is a link is not followed: a user with access to the folder could redirect files.
    @Test(arguments: ["done", "done/DATE"]) func aPlaceThatIsALink(_ place: String) async throws {
        let watch = try WatchRun()
        let away = try watch.folder.folder("away")
        let day = try shell("date +%F").text.trimmed
        if place != "done" { try watch.folder.folder("inbox/done") }
        try watch.folder.link("inbox/" + place.replacingDate(day), to: away)
        try watch.drop(codes: ["a"])
        #expect(try await watch.once() == .exit(1))
        #expect(
            watch.log.contains("\(place.replacingDate(day)) is a symbolic link") && watch.log.contains("--to"),
            "\(watch.log)")
        #expect(try shell("ls -A '\(away)'").text.isEmpty && watch.waiting() == ["a.png"])
        // The code is reported once, even after the problem is fixed.
        #expect(watch.texts() == ["a"])
        unlink(watch.inbox + "/" + place.replacingDate(day))
        #expect(try await watch.once() == .exit(0))
        #expect(watch.files() == ["done/a.png"] && watch.texts() == ["a"])
    }
}

extension String {
    fileprivate func replacingDate(_ day: String) -> String { hasSuffix("DATE") ? dropLast(4) + day : self }
}
