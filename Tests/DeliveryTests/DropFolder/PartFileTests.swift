import Foundation
import TestSupport
import Testing

@testable import DropFolder

/// The partial files of a crash are deleted, but no other files.
@Suite struct PartFileTests {
    @Test(arguments: [
        (".quietzone-7.part", true), (".quietzone-12345678901234567890.json.part", true), (".quietzone-.part", false),
        (".quietzone-7.part.jpg", false), (".quietzone-x.part", false), (".quietzone.lock", false), ("7.part", false),
        (".quietzone-7.json", false), (".quietzone-123456789012345678901.part", false), (".quietzone--7.part", false),
    ]) func names(_ name: String, _ isOurs: Bool) {
        #expect(PartFile.isName(Array(name.utf8)) == isOurs)
    }

    @Test func theNamesOfMovesAreKnown() {
        #expect(PartFile.isName(PartFile.copy(.max)) && PartFile.isName(PartFile.note(.max)))
    }

    @Test func staleOnesAreRemoved() async throws {
        let folder = try DropTestFolder()
        for name in [
            "done/2026-11-21/.quietzone-7.part", "failed/2026-11-21/sub/.quietzone-8.json.part",
            "no-code/.quietzone-9.part",
        ] {
            try folder.write(name, "half")
        }
        let others = [
            ".quietzone-7.part", "done/2026-11-21/.quietzone-7.part.jpg", "done/2026-11-21/a.jpg", "done/b.part",
            "elsewhere/.quietzone-7.part",
        ]
        for name in others { try folder.write(name, "whole") }
        try folder.write("done/.quietzone-10.part", "being written")
        let writer = try #require(FileHandle(forWritingAtPath: folder.path + "/done/.quietzone-10.part"))
        // A process that another test is starting has a copy of our descriptors until its exec, so a file may still
        // be open for writing.
        var removed = 0
        let areRemoved = await eventually {
            removed += (try? folder.handle()).map { PartFile.removeStale(in: $0) } ?? 0
            return removed >= 3
        }
        #expect(areRemoved && removed == 3)
        #expect(folder.files() == (others + ["done/.quietzone-10.part"]).sorted())
        try writer.close()
        let isLastRemoved = await eventually {
            (try? folder.handle()).map { PartFile.removeStale(in: $0) } == 1
        }
        #expect(isLastRemoved)
    }

    @Test func linksAreNotFollowed() throws {
        let (folder, other) = (try DropTestFolder(), try DropTestFolder())
        try other.write(".quietzone-7.part", "not ours")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/done", withDestinationPath: other.path)
        #expect(PartFile.removeStale(in: try folder.handle()) == 0)
        #expect(other.files() == [".quietzone-7.part"])
    }
}
