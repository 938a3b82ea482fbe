import Cryptography
import Testing

/// Test vectors of FIPS 180-2, RFC 4231 and RFC 8032.
@Suite struct CryptographyTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func sha256(text: String, digest: String) {
        #expect(SHA256.hash(text.utf8).hexadecimal == digest)
        var pieces = SHA256()
        for byte in text.utf8 { pieces.update([byte]) }
        #expect(pieces.digest.hexadecimal == digest)
        // More data may follow after the digest was read.
        pieces.update(Array("x".utf8))
        #expect(pieces.digest == SHA256.hash((text + "x").utf8))
    }

    @Test(arguments: [
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        ("", "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func hmac(key: String, message: String, code: String) {
        #expect(HMACSHA256.code(for: bytes(message), key: bytes(key)).hexadecimal == code)
    }

    @Test func ed25519() {
        let key = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        let signature = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        #expect(Ed25519.isValid(signature, of: [0x72], publicKey: key))
        #expect(!Ed25519.isValid(signature, of: [0x73], publicKey: key))
        #expect(!Ed25519.isValid(Array(signature.dropLast()), of: [0x72], publicKey: key))
        #expect(!Ed25519.isValid(signature, of: [0x72], publicKey: Array(key.dropLast())))
        for index in signature.indices {
            var other = signature
            other[index] ^= 1
            #expect(!Ed25519.isValid(other, of: [0x72], publicKey: key), "byte \(index)")
        }
    }

    @Test func comparison() {
        #expect([1, 2, 3].isEqualInConstantTime(to: [1, 2, 3]))
        #expect(![1, 2, 3].isEqualInConstantTime(to: [1, 2, 4]))
        #expect(![1, 2, 3].isEqualInConstantTime(to: [1, 2]))
        #expect([UInt8]().isEqualInConstantTime(to: [UInt8]()))
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
    }
}
