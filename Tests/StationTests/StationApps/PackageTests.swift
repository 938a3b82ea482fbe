import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import StationApps

/// The permitted content of a package.
@Suite struct PackageTests {
    private func install(_ bytes: [UInt8], limits: AppLimits = AppLimits()) throws(AppError) -> TestStore {
        let test: TestStore
        do { test = try TestStore() } catch { throw AppError(.storage, "\(error)") }
        let store = AppStore(folder: test.path, limits: limits)
        let file = try store.packageFile()
        try file.append(bytes)
        guard let name = AppName(rawValue: "ward") else { throw AppError(.invalid, "name") }
        do throws(AppError) {
            try store.install(file, as: name, version: nil, settings: .init())
        } catch {
            // After any failure, nothing of the package remains.
            #expect(test.files == [".lock"])
            throw error
        }
        return test
    }

    @Test func filesAreServedAsTheyStandInThePackage() throws {
        let test = try install(
            ZipWriter.archive([
                .init("index.html", "front"), .init("orders/", "", mode: 0o040755),
                .init("orders/index.html", "orders"),
                .init("病房/一.js", "ward"), .init(".well-known/x", "known"), .init("empty.css", ""),
            ]))
        for (path, expected) in [
            ("/", "front"), ("/index.html", "front"), ("/orders/", "orders"), ("/病房/一.js", "ward"),
            ("/.well-known/x", "known"), ("/a/route/of/the/page", "front"), ("/empty.css", ""),
            ("/missing.js", nil), ("/../lock", nil), ("/orders/../../app.json", nil), ("//index.html", nil),
            ("/orders\\index.html", nil), ("/a\u{0}b", nil), ("index.html", nil), ("", nil),
        ] {
            #expect(test.page(path) == expected, "\(path)")
        }
        #expect(test.page("/", of: "other") == nil)
    }

    @Test func aFolderAroundEverythingIsLeftOut() throws {
        let test = try install(
            ZipWriter.archive([
                .init("dist/", "", mode: 0o040755), .init("dist/index.html", "front"), .init("dist/js/a.js", "a"),
                .init("__MACOSX/dist/._index.html", "junk"),
            ]))
        #expect(test.page() == "front")
        #expect(test.page("/js/a.js") == "a")
    }

    static let index = ZipWriter.Item("index.html", "front")

    @Test(
        arguments: [
            ("a parent folder", [index, .init("../evil.html")], "refused"),
            ("a parent folder inside", [index, .init("a/../../evil.html")], "refused"),
            ("a parent folder, its slash under a mark", [index, .init("a/../\u{301}x.html")], "refused"),
            ("from the root", [index, .init("/etc/evil.html")], "refused"),
            ("a backslash", [index, .init("..\\evil.html")], "refused"),
            ("an empty part", [index, .init("a//b.html")], "refused"),
            // Debian 13's libzip leaves this check to the station.
            ("a control character", [index, .init("a\u{7}.html")], "not a zip archive|refused"),
            ("a dot", [index, .init("./b.html")], "refused"),
            ("deep", [index, .init(String(repeating: "a/", count: 40) + "b.html")], "refused"),
            ("long", [index, .init(String(repeating: "a", count: 600))], "longer than 512 bytes"),
            ("a link", [index, .init("link", "/etc/passwd", mode: 0o120777)], "a link or a special file"),
            ("a device", [index, .init("device", "", mode: 0o020666)], "a link or a special file"),
            ("no page", [.init("readme.txt")], "no index.html"),
            ("twice", [index, index], "not a zip archive"),
            ("a file in a file", [index, .init("a"), .init("a/b")], "cannot be created"),
            (
                "a wrong checksum", [index, .init(name: "a", content: [1, 2, 3], checksum: 7)], "is damaged"
            ),
            (
                "another method", [index, .init(name: "a", content: [1, 2, 3], method: 12)],
                "compressed with a method other than deflate"
            ),
            (
                "a large file", [index, .init(name: "a", content: [1], announced: 100 << 20, method: 8)],
                "the limit for a file is 64 MiB"
            ),
            (
                "a bomb", [index] + (0..<9).map { .init(name: "\($0)", content: [1], announced: 60 << 20, method: 8) },
                "unpacks to more than 256 MiB"
            ),
            (
                "no deflated data", [index, .init(name: "a", content: [1, 2, 3], announced: 9, method: 8)], "is damaged"
            ),
        ] as [(String, [ZipWriter.Item], String)])
    func aPackageIsRefused(_ label: String, _ items: [ZipWriter.Item], _ sentence: String) {
        #expect {
            try install(ZipWriter.archive(items))
        } throws: { error in
            sentence.split(separator: "|").contains { "\(error)".contains($0) }
        }
    }

    @Test func archivesThatAreNone() {
        let whole = ZipWriter.archive([Self.index, .init("a", String(repeating: "x", count: 500))])
        for (label, bytes) in [
            ("nothing", []), ("text", Array("<html>".utf8)), ("half", Array(whole.prefix(whole.count / 2))),
            ("the end alone", Array(whole.suffix(22))), ("no beginning", Array(whole.dropFirst(20))),
        ] {
            #expect(throws: AppError.self, "\(label)") { try install(bytes) }
        }
        #expect { try install(ZipWriter.archive([Self.index], announcedEntries: 60_000)) } throws: {
            ($0 as? AppError)?.code == .tooLarge
        }
    }

    @Test func morePackageThanAnAppMayHave() throws {
        var limits = AppLimits()
        limits.packageBytes = 100
        #expect { try install([UInt8](repeating: 0, count: 101), limits: limits) } throws: {
            ($0 as? AppError)?.code == .tooLarge
        }
    }

    /// A package with random byte changes gives an error or an app, and never writes outside of its folder.
    @Test func damagedPackages() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededGenerator(seed: seed)
        let whole = ZipWriter.archive([Self.index, .init("a/b.js", "script"), .init("c.css", "style")])
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let test = try? install(bytes)
            if let test {
                let outside = try FileManager.default.contentsOfDirectory(atPath: test.folder.path)
                #expect(outside == ["apps"], "seed \(seed)")
            }
        }
    }
}
