public import DecodeReports

/// The command-line arguments, byte for byte.
///
/// Swift's `CommandLine.arguments` repairs invalid UTF-8, and the repaired name then opens no file. Here each such
/// byte becomes a scalar of a private-use plane, which the argument parser passes on unchanged, and `name(_:)`
/// converts back.
public enum RawArguments {
    /// The scalar of an escaped byte is this number plus the value of the byte, in a private-use plane.
    private static let escapeBase: UInt32 = 0x10FE00

    /// The arguments after the program's name.
    public static func all() -> [String] {
        CommandLine.unsafeArgv.withMemoryRebound(to: UnsafeMutablePointer<CChar>?.self, capacity: 1) { vector in
            (1..<max(1, Int(CommandLine.argc))).compactMap { index in
                vector[index].map { text(Array(UnsafeRawBufferPointer(start: $0, count: length(of: $0)))) }
            }
        }
    }

    /// The bytes as a `String` that `name(_:)` converts back.
    static func text(_ bytes: [UInt8]) -> String {
        // The UTF-8 of each such scalar begins with F4, so a name without that byte contains no escape.
        if !bytes.contains(0xF4), let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        var decoder = UTF8.ForwardParser()
        var rest = bytes[...]
        while !rest.isEmpty {
            var input = rest.makeIterator()
            switch decoder.parseScalar(from: &input) {
            case .valid(let encoded) where !isEscape(UTF8.decode(encoded)):
                text.append(UTF8.decode(encoded))
                rest = rest.dropFirst(encoded.count)
            case .valid, .error, .emptyInput:
                // One byte at a time, so that valid text after a stray byte is kept. Bytes that look like an escape
                // are escaped themselves.
                if let scalar = Unicode.Scalar(escapeBase + UInt32(rest[rest.startIndex])) { text.append(scalar) }
                rest = rest.dropFirst()
            }
            decoder = UTF8.ForwardParser()
        }
        return String(text)
    }

    /// The name of a file or folder given as an argument.
    public static func name(_ argument: String) -> PictureName {
        var bytes: [UInt8] = []
        for scalar in argument.unicodeScalars {
            if isEscape(scalar) {
                bytes.append(UInt8(scalar.value - escapeBase))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.EncodedScalar.encodedReplacementCharacter)
            }
        }
        return PictureName(bytes: bytes)
    }

    private static func isEscape(_ scalar: Unicode.Scalar) -> Bool {
        (escapeBase..<escapeBase + 256).contains(scalar.value)
    }

    private static func length(of text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}
