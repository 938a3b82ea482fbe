import Glibc

/// Encodes text in a character set with iconv; `nil` if that is not possible.
func encode(_ text: String, _ charset: String) -> [UInt8]? {
    guard let handle = iconv_open(charset, "UTF-8"), Int(bitPattern: handle) != -1 else { return nil }
    defer { iconv_close(handle) }
    var input = Array(text.utf8).map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count * 4 + 16)
    let count: Int? = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            var from = input.baseAddress
            var fromCount = input.count
            var to = output.baseAddress
            var toCount = output.count
            guard iconv(handle, &from, &fromCount, &to, &toCount) == 0 else { return nil }
            return output.count - toCount
        }
    }
    return count.map { output.prefix($0).map { UInt8(bitPattern: $0) } }
}

/// Parses hexadecimal digits; spaces are ignored.
func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
