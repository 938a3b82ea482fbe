import Foundation
import TestSupport
import Testing

/// Names and folders by codes, as configured in the program.
@Suite(.timeLimit(.minutes(10))) struct FilingProgramTests {
    @Test func filesAreNamedAndFiledByTheirCodes() async throws {
        let watch = try WatchRun()
        let configuration = """
            filing:
              orders:
                match: [orders/**]
                formats: [qr_code]
                textMatches: "^ORDER-[0-9]+$"
                folder: "orders/{{symbol.text}}"
              links:
                contentMatches: [url]
                folder: "links"
                name: "{{content.url.host}} {{station}}"
            station: ward-3
            destinations: {out: {type: stdout, form: event}}
            """
        try watch.folder.file("c.yaml", Array(configuration.utf8))
        try makeFolder(watch.inbox + "/orders")
        try watch.drop("orders/a.png", Picture.qr("ORDER-17"))
        try watch.drop("b.png", Picture.qr("ORDER-18"))
        try watch.drop("c.png", Picture.qr("http://example.org/"))
        try watch.drop("orders/d.png", Picture.qr("../../x"))
        #expect(try await watch.once("--config", watch.folder["c.yaml"]) == .exit(0), "\(watch.log)")
        #expect(
            watch.files() == [
                "done/b.png", "done/links/example.org ward-3.png", "done/orders/ORDER-17/a.png", "done/orders/d.png",
            ])
        #expect(watch.texts() == ["../../x", "ORDER-17", "ORDER-18", "http://example.org/"])
    }

    @Test("A seal is filed by its signature, which the event has")
    func filedBySignature() async throws {
        let watch = try WatchRun()
        let samples = ProgramRunner.samplesFolder
        let configuration = """
            content: {keys: "\(samples)seal-keys"}
            filing:
              confirmed:
                contentMatches: ["digital_seal.signature=^valid$"]
                folder: "{{content.digital_seal.signed_by}}"
            destinations: {out: {type: stdout, form: event}}
            """
        let file = try watch.folder.file("c.yaml", Array(configuration.utf8))
        try watch.drop("seal.png", [UInt8](Data(contentsOf: URL(filePath: samples + "seal.png"))))
        try watch.drop("other.png", Picture.qr("other"))
        #expect(try await watch.once("--config", file) == .exit(0), "\(watch.log)")
        #expect(watch.files() == ["done/DETS-32.pem/seal.png", "done/other.png"])
        let ledger = try String(contentsOfFile: watch.ledger, encoding: .utf8)
        #expect(ledger.contains(#""signature":{"signedBy":"DETS-32.pem","state":"valid"}"#))
    }

    /// All faults are reported at once, with the line and the remedy.
    @Test func aConfigurationThatCannotBe() async throws {
        let watch = try WatchRun()
        let configuration = """
            filing:
              one:
                folder: "../{{symbol.text}}"
                name: "{{symbol.txet}}"
              two:
                match: ["*.png"]
              three:
                formats: [qr]
                textMatches: "("
                contentMatches: [gs2]
                name: "a/b"
                nmae: "c"
                split: pages
              four:
                name: "a"
                separator: "^P$"
              five:
                contentMatches: [gs1.10, "digital_seal.signed by"]
                name: "a"
            """
        let file = try watch.folder.file("c.yaml", Array(configuration.utf8))
        #expect(try await watch.once("--config", file) == .exit(78))
        for line in [
            "c.yaml:3: filing.one.folder: \"..\" is not a safe name",
            "c.yaml:4: filing.one.name: the template has the field \"symbol.txet\", which does not exist",
            "c.yaml:5: filing.two: needs at least one of folder, name and split",
            "c.yaml:8: filing.three.formats: \"qr\" is not a symbology that can be read",
            "c.yaml:9: filing.three.textMatches: \"(\" is not a regular expression",
            "c.yaml:10: filing.three.contentMatches: \"gs2\" is not a kind of content",
            "c.yaml:11: filing.three.name: \"a/b\" contains a slash; put folders into the key folder",
            "c.yaml:12: unknown key \"filing.three.nmae\"",
            "c.yaml:13: filing.three.split: \"pages\" is not code or separator",
            "c.yaml:16: filing.four.separator: is set without split; add split: code",
            "c.yaml:18: filing.five.contentMatches: \"digital_seal.signed by\" needs the keys of the signers, see content",
        ] { #expect(watch.log.contains(line), "\(line)\n\(watch.log)") }
    }
}
