import BarcodeCore
import Foundation
import Symbols
import TestSupport
import Testing

extension ProgramTests {
    /// `decode-image --keys`.
    @Suite struct SignatureOptionTests {
        let folder: TemporaryFolder
        let picture: String
        let keys: String

        init() throws {
            folder = try TemporaryFolder()
            (picture, keys) = (folder.path + "/seal.pgm", folder.path + "/keys")
            let grid = try QREncoder.encode([.bytes(SealSpecimen.bytes)], version: 10, level: .medium, mask: 3)
            let image = SymbolRenderer(grid, modulePixels: 3).image()
            try Data(
                Array("P5 \(image.width) \(image.height) 255\n".utf8)
                    + (0..<image.height).flatMap { y in (0..<image.width).map { image[x: $0, y: y] } }
            ).write(to: URL(fileURLWithPath: picture))
            try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: false)
        }

        private func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(keys)/\(name)"))
        }

        @Test("A seal is confirmed by the certificate of its signer, as text and in JSON")
        func confirmed() async throws {
            try write(SealSpecimen.certificate, "DETS-32.pem")
            try write("left out, because it is hidden", ".hidden")
            let text = try await ProgramTests.decodeImage(["--content", "--keys", keys, picture])
            #expect(text.ending == .exit(0))
            #expect(text.text.contains("signature     Signature: valid\n"))
            #expect(text.text.contains("signed_by     Signed by: DETS-32.pem\n"))
            let json = try await ProgramTests.decodeImage(["--json", "--content", "--keys", keys, picture])
            #expect(json.text.contains(#""name":"signature","value":"valid""#))
        }

        @Test("Nothing is said of a signature without keys")
        func withoutKeys() async throws {
            let result = try await ProgramTests.decodeImage(["--content", picture])
            #expect(result.ending == .exit(0) && result.text.contains("digital_seal"))
            #expect(!result.text.contains("signature"))
        }

        @Test("A key that cannot be used is named, with what to do")
        func badKeys() async throws {
            let empty = try await ProgramTests.decodeImage(["--content", "--keys", keys, picture])
            #expect(empty.ending == .exit(64))
            #expect(empty.messages.contains("There is no key in the folder \(keys). Put one there."))
            try write("no key", "notes.txt")
            let text = try await ProgramTests.decodeImage(["--content", "--keys", keys, picture])
            #expect(text.ending == .exit(64) && text.messages.contains("\(keys)/notes.txt is neither a public key nor"))
            let missing = try await ProgramTests.decodeImage(["--content", "--keys", keys + "/none", picture])
            #expect(missing.ending == .exit(64))
            #expect(missing.messages.contains("cannot be read: No such file or directory."))
            let alone = try await ProgramTests.decodeImage(["--keys", keys, picture])
            #expect(alone.ending == .exit(64))
        }
    }
}
