import FoundationEssentials

/// A visible digital seal with the certificate of its signer: the specimen of the authorities for an address on an
/// identity card.
package enum SealSpecimen {
    /// The bytes of the seal in hexadecimal.
    package static let hexadecimal =
        "DC03D9C56D32C8A72CB16ECF476ECF47F9080106CF3519AF974C02061A70208519A1030E395E463E740C749FAD19D31E"
        + "FE32FF388F16D14E828A86E0F8E31DDF13CC2CB3E0D8F5E4706562C9503D7326AD6C0FA84154607D70975E5B7DFB2E36"
        + "197988ECE64345D37AD9B97C"

    /// The bytes of the seal.
    package static let bytes: [UInt8] = {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }()

    /// The certificate in PEM; empty if the file is missing, which no test of it passes.
    package static let certificate =
        (try? String(contentsOfFile: ProgramRunner.samplesFolder + "seal-keys/DETS-32.pem", encoding: .utf8)) ?? ""
}
