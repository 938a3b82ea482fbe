import BarcodeCore
import Foundation
import Testing

@testable import DropFolder

/// The names and target folders of files, and the matching of rules.
@Suite struct NameTests {
    @Test(arguments: [
        ("a.jpg", 1, "a.jpg"), ("a.jpg", 2, "a (2).jpg"), ("a.jpg", 31, "a (31).jpg"), ("a", 2, "a (2)"),
        ("a.tar.gz", 2, "a.tar (2).gz"), (".a", 3, ".a (3)"), ("a.", 2, "a (2)."),
        ("a.no extension at all", 2, "a.no extension at all (2)"), ("a (2).jpg", 2, "a (2) (2).jpg"),
    ]) func namesThatAreTaken(_ name: String, _ number: Int, _ expected: String) {
        #expect(String(decoding: Placement.name(Array(name.utf8), number: number, room: 0), as: UTF8.self) == expected)
    }

    /// The longest names stay within the limits of file systems, and remain valid UTF-8.
    @Test(arguments: ["x", "ü", "漢", "🎈"]) func longNames(_ character: String) {
        for count in 240...255 {
            let stem = String(repeating: character, count: (count - 4) / character.utf8.count)
            let name = Array((stem + ".jpg").utf8)
            for number in [1, 2, 99_999] {
                let new = Placement.name(name, number: number, room: 5)
                #expect(new.count + 5 <= 255)
                #expect(new.suffix(4).elementsEqual(".jpg".utf8))
                #expect(String(validating: new, as: UTF8.self) != nil)
                #expect(new.count >= min(name.count, 255 - 5 - 3))
            }
        }
    }

    @Test(arguments: [
        ("a.jpg", "done/2026-11-21"), ("b/c/a.jpg", "done/2026-11-21/b/c"),
    ]) func folders(_ path: String, _ expected: String) {
        #expect(Placement.folder(.done, day: "2026-11-21", of: RelativePath(path)).display == expected)
    }

    @Test(arguments: [
        ("a.jpg", true), ("a", true), ("no picture.txt", true), ("sub/a.jpg", true), ("a.tmp.jpg", true),
        (".a.jpg", false), ("a.part", false), ("a.jpg.partial", false), ("a.crdownload", false), ("a.tmp", false),
        ("~DF12.TMP", false), ("a.Part", false), ("a.jpg.filepart", false), ("a.tmq", true),
        ("a.jpg~", false), (".part", false), ("~", false), (".hidden/a.jpg", false), ("a/.b/c.jpg", false),
        ("done/a.jpg", false), ("failed/a/b.jpg", false), ("no-code/a", false), ("done", true),
        ("sub/done/a.jpg", true),
        ("out/done/x.jpg", false), ("out/x.jpg", true),
    ]) func selection(_ path: String, _ isTaken: Bool) {
        #expect(FileSelection(destination: RelativePath("out")).reaches(RelativePath(path)) == isTaken)
    }

    @Test(arguments: [
        ("*.png", "a.png", true), ("*.png", "b/a.png", true), ("*.png", "a.PNG", false), ("b/*.png", "b/a.png", true),
        ("b/*.png", "b/c/a.png", false), ("b/**", "b/c/a.png", true), ("b/**", "bc/a.png", false),
        ("[ab]?", "b1", true),
        ("order-*", "x/order-7.jpg", true), ("x/order-*", "x/order-7.jpg", true), ("*", "any/where", true),
    ]) func patterns(_ pattern: String, _ path: String, _ matches: Bool) {
        #expect(FolderRule.matches(pattern, RelativePath(path)) == matches)
    }

    @Test func bytesThatAreNoTextMatchToo() {
        #expect(FolderRule.matches("*.png", RelativePath([0xFF, 0x0A] + Array(".png".utf8))))
    }

    @Test func theFirstRuleCounts() {
        var settings = DropFolderSettings(folder: [])
        settings.afterEach = ["all"]
        var first = FolderRule(name: "first")
        first.patterns = ["orders/*"]
        first.after = .leave
        first.destinations = ["erp"]
        var second = FolderRule(name: "second")
        second.patterns = ["*.png"]
        second.effort = .thorough
        second.symbologies = [.ean13]
        settings.rules = [first, second]
        let order = settings.file(RelativePath("orders/1.png"))
        #expect(order.after == .leave)
        #expect(order.destinations == ["erp"])
        #expect(order.decoding == settings.decoding)
        #expect(order.afterEach == ["all"])
        let picture = settings.file(RelativePath("1.png"))
        #expect(picture.after == .move)
        #expect(picture.destinations == nil)
        #expect(picture.decoding.effort == .thorough)
        #expect(picture.decoding.symbologies == [.ean13])
        #expect(settings.file(RelativePath("1.jpg")).decoding == settings.decoding)
    }

    @Test(
        arguments: [
            (0x6969, "NFS"), (0xFE53_4D42, "SMB2"), (0x6573_5546, "FUSE"), (0xEF53, nil), (0x0102_1994, nil),
            (0x794C_7630, nil), (0, nil),
        ] as [(UInt32, String?)]) func fileSystems(_ type: UInt32, _ name: String?)
    {
        #expect(FileSystemKind.silent(type: type) == name)
    }
}
