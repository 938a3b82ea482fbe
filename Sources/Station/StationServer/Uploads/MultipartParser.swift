/// An incremental parser of `multipart/form-data` (RFC 7578); the chunks of the body may be split anywhere.
///
/// This value has no I/O. It returns the results as ``Output``, and only buffers one boundary line and the head of
/// one part.
struct MultipartParser: Sendable {
    /// A parsed element.
    enum Output: Sendable, Hashable {
        /// The start of a part, with its name and file name.
        case begin(name: String?, filename: String?)
        /// Bytes of the current part.
        case bytes([UInt8])
        /// The end of the current part.
        case end
    }

    /// The reason for rejecting a body.
    enum Failure: Error, Sendable, Hashable {
        case noBoundary
        case tooManyParts
        case headTooLarge
        case badHead
        /// The body ended before its last boundary.
        case cutOff
    }

    /// The maximum number of parts, and the maximum size of a part's head in bytes.
    static let maximumParts = 64
    static let maximumHeadBytes = 8192

    private enum State: Sendable, Hashable {
        case preamble
        case afterBoundary
        case head
        case body
        case epilogue
    }

    private var state = State.preamble
    /// Bytes that are not yet parsed: perhaps a boundary, or an incomplete head.
    private var pending: [UInt8]
    /// CR LF and the boundary with its two hyphens.
    private let delimiter: [UInt8]
    private var parts = 0

    /// Creates a parser for the boundary of a `Content-Type`.
    init(contentType: String) throws(Failure) {
        guard let boundary = HeaderValue(contentType).parameters["boundary"], (1...70).contains(boundary.utf8.count)
        else { throw .noBoundary }
        delimiter = [0x0D, 0x0A, 0x2D, 0x2D] + Array(boundary.utf8)
        // The first boundary may start the body, without the line end that precedes the others.
        pending = [0x0D, 0x0A]
    }

    /// Parses more of the body.
    mutating func feed(_ bytes: some Collection<UInt8>) throws(Failure) -> [Output] {
        pending.append(contentsOf: bytes)
        var outputs: [Output] = []
        while try step(&outputs) {}
        return outputs
    }

    /// Ends the body; throws if it is incomplete.
    func finish() throws(Failure) {
        guard state == .epilogue else { throw .cutOff }
    }

    /// Makes one step of the state machine; false if it needs more bytes.
    private mutating func step(_ outputs: inout [Output]) throws(Failure) -> Bool {
        switch state {
        case .preamble:
            guard let offset = offset(of: delimiter) else {
                pending.removeFirst(max(0, pending.count - delimiter.count + 1))
                return false
            }
            pending.removeFirst(offset + delimiter.count)
            state = .afterBoundary
        case .afterBoundary: return try endOfBoundary()
        case .head:
            guard let offset = offset(of: [0x0D, 0x0A, 0x0D, 0x0A]) else {
                // Three bytes of the end may have arrived already.
                if pending.count > Self.maximumHeadBytes + 3 { throw .headTooLarge }
                return false
            }
            if offset > Self.maximumHeadBytes { throw .headTooLarge }
            outputs.append(try Self.begin(pending[..<offset]))
            pending.removeFirst(offset + 4)
            state = .body
        case .body:
            guard let offset = offset(of: delimiter) else {
                // Everything except for a possible start of a boundary.
                let certain = max(0, pending.count - delimiter.count + 1)
                if certain > 0 { outputs.append(.bytes(Array(pending[..<certain]))) }
                pending.removeFirst(certain)
                return false
            }
            if offset > 0 { outputs.append(.bytes(Array(pending[..<offset]))) }
            outputs.append(.end)
            pending.removeFirst(offset + delimiter.count)
            state = .afterBoundary
        case .epilogue:
            pending = []
            return false
        }
        return true
    }

    /// Parses the end of a boundary line, or the two hyphens after the last part.
    private mutating func endOfBoundary() throws(Failure) -> Bool {
        // Optional white space, which has no meaning.
        let blanks = pending.prefix { $0 == 0x20 || $0 == 0x09 }.count
        if blanks > 256 { throw .badHead }
        guard pending.count >= blanks + 2 else { return false }
        switch (pending[blanks], pending[blanks + 1]) {
        case (0x2D, 0x2D): state = .epilogue
        case (0x0D, 0x0A):
            parts += 1
            if parts > Self.maximumParts { throw .tooManyParts }
            // The line end is kept: a part without headers then has its empty line at once.
            pending.removeFirst(blanks)
            state = .head
        default: throw .badHead
        }
        return true
    }

    private func offset(of pattern: [UInt8]) -> Int? {
        guard pending.count >= pattern.count else { return nil }
        return pending.withUnsafeBufferPointer { bytes in
            pattern.withUnsafeBufferPointer { pattern in
                var offset = 0
                let last = bytes.count - pattern.count
                while offset <= last {
                    if bytes[offset] == pattern[0] {
                        var index = 1
                        while index < pattern.count && bytes[offset + index] == pattern[index] { index += 1 }
                        if index == pattern.count { return offset }
                    }
                    offset += 1
                }
                return nil
            }
        }
    }

    private static func begin(_ head: ArraySlice<UInt8>) throws(Failure) -> Output {
        var disposition: HeaderValue?
        for line in String(decoding: head, as: UTF8.self).split(whereSeparator: { $0 == "\r\n" || $0 == "\n" }) {
            guard let colon = line.firstIndex(of: ":") else { throw .badHead }
            if line[..<colon].lowercased() == "content-disposition" {
                disposition = HeaderValue(String(line[line.index(after: colon)...]))
            }
        }
        return .begin(name: disposition?.parameters["name"], filename: disposition?.parameters["filename"])
    }
}

/// A header value with its parameters, such as `form-data; name="file"`.
struct HeaderValue: Sendable, Hashable {
    /// The text before the first parameter, in lower case.
    var value: String
    /// The parameters by lower-case name; if a name occurs twice, the first value counts.
    var parameters: [String: String] = [:]

    init(_ text: String) {
        var fields: [String] = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" && isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ";" && !isQuoted {
                fields.append("")
                continue
            }
            fields[fields.count - 1].append(character)
        }
        value = fields[0].trimmed.lowercased()
        for field in fields.dropFirst() {
            guard let equals = field.firstIndex(of: "=") else { continue }
            let name = String(field[..<equals]).trimmed.lowercased()
            if parameters[name] == nil {
                parameters[name] = Self.unquoted(String(field[field.index(after: equals)...]).trimmed)
            }
        }
    }

    /// Unquotes a string.
    ///
    /// Browsers write a quotation mark in a file name as `%22`. A backslash is literal, except before a quotation
    /// mark.
    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return String(text.dropFirst().dropLast()).replacing("\\\"", with: "\"").replacing("%22", with: "\"")
    }
}

extension String {
    /// The text without leading and trailing white space.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}
