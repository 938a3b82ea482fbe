internal import BarcodeCore
internal import Glibc

/// A camera that is a program: it writes frames on its standard output.
///
/// Its text is one of:
/// - `exec:PROGRAM ARGUMENT...`: a command with quotes as in a shell, but without a shell. It writes Y4M, JPEG after
///   JPEG or a multipart message of JPEGs. `#size=1280x720#format=GREY` at its end states the format of raw frames.
/// - an `rtsp://`, `rtsps://`, `http://` or `https://` address, which ffmpeg reads.
/// - `@FILE`: the first line of a file is one of these, so that a password is in no list of processes.
public struct CaptureCommand: Sendable, Hashable {
    /// The name for people and logs: the address without its user, password and query, or `exec:` and the program.
    public let name: String
    /// Indicates whether the text itself, and not a file that it names, contains a user or password for an address.
    public let exposesPassword: Bool
    /// The program and its arguments.
    package let arguments: [String]
    /// The document that the program reads from descriptor 3; `nil` for none.
    let input: String?
    /// The format of raw frames; `nil` for Y4M and JPEG.
    let raw: CaptureFormat?
    /// The host of an address, whose program is sandboxed; `nil` for a command of the user.
    let host: String?

    /// The longest text in bytes.
    private static let maximumText = 8192
    private static let schemes = ["rtsp", "rtsps", "http", "https"]

    /// Parses a text; `nil` if it is the path of a device.
    ///
    /// - Throws: ``CaptureError`` with the code `bad_command` or, for a file, `not_found`.
    public init?(_ text: String) throws(CaptureError) {
        if text.hasPrefix("@") {
            let file = String(text.dropFirst())
            let line = try Self.firstLine(of: file)
            // A file that names a file could name itself.
            guard !line.hasPrefix("@"), let command = try CaptureCommand(line) else {
                throw CaptureError(
                    .badCommand, "its first line must be an address such as rtsp://..., or exec: and a command",
                    subject: file)
            }
            (name, arguments, input) = (command.name, command.arguments, command.input)
            (raw, host) = (command.raw, command.host)
            exposesPassword = false
            return
        }
        exposesPassword = Self.withoutUsers(text) != text
        if text.hasPrefix("exec:") {
            let (command, raw) = try Self.rawFormat(of: String(text.dropFirst(5)))
            arguments = try Self.words(of: command)
            (name, input, self.raw, host) = ("exec:\(arguments[0])", nil, raw, nil)
            return
        }
        // The path of a device has a slash before it.
        guard let end = text.firstRange(of: "://")?.lowerBound, !text[..<end].contains("/") else { return nil }
        guard Self.schemes.contains(text[..<end].lowercased()) else {
            throw CaptureError(
                .badCommand,
                "an address must begin with rtsp://, rtsps://, http:// or https://; for others use exec:ffmpeg",
                subject: Self.withoutSecrets(text))
        }
        guard text.utf8.count <= Self.maximumText, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            throw CaptureError(
                .badCommand, "the address has spaces or other characters that must be written as in %20",
                subject: Self.withoutSecrets(text))
        }
        name = Self.withoutSecrets(text)
        arguments = Self.ffmpeg
        input = Self.list(of: text)
        raw = nil
        host = Self.host(of: name)
    }

    // MARK: ffmpeg

    /// The ffmpeg command that reads the address in descriptor 3 and writes Y4M.
    ///
    /// Its arguments are visible to every user, so the address is in a list, which its demuxer `concat` reads. The
    /// protocols do not include local files, which a hostile server could name in a playlist.
    private static let ffmpeg = [
        "ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist",
        "pipe,rtp,udp,tcp,tls,http,https,httpproxy,crypto", "-fflags", "nobuffer", "-flags", "low_delay", "-f",
        "concat",
        "-safe", "0", "-i", "pipe:3", "-map", "0:v:0", "-fps_mode", "passthrough", "-pix_fmt", "gray", "-strict", "-1",
        "-f", "yuv4mpegpipe", "-",
    ]

    /// The host of an address without a user and a query, in small letters.
    private static func host(of address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return "" }
        return address[scheme.upperBound...].prefix { !":/#".contains($0) }.lowercased()
    }

    private static func list(of address: String) -> String {
        let quoted = address.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        // Over UDP, which is the default, frames of more than a few packets are damaged by any loss.
        let transport = address.lowercased().hasPrefix("rtsp") ? "option rtsp_transport tcp\n" : ""
        return "ffconcat version 1.0\nfile '\(quoted)'\n\(transport)"
    }

    // MARK: exec

    /// Splits `#size=...#format=...` from the end of a command.
    private static func rawFormat(of text: String) throws(CaptureError) -> (command: String, raw: CaptureFormat?) {
        var parts = text.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        var (size, format) = (PixelSize?.none, PixelFormat?.none)
        while parts.count > 1, let last = parts.last {
            if last.hasPrefix("size="), size == nil {
                let sides = last.dropFirst(5).split(separator: "x", omittingEmptySubsequences: false).compactMap {
                    Int($0)
                }
                guard sides.count == 2, (try? Limits().check(width: sides[0], height: sides[1])) != nil else {
                    throw CaptureError(.badCommand, "#\(last) must be #size=WIDTHxHEIGHT, such as #size=1280x720")
                }
                size = PixelSize(width: sides[0], height: sides[1])
            } else if last.hasPrefix("format="), format == nil {
                guard let known = PixelFormat(String(last.dropFirst(7))), known.rowBytes(width: 1) != nil else {
                    let names = PixelFormat.preferred.filter { $0.rowBytes(width: 1) != nil }.map(\.description)
                    throw CaptureError(
                        .badCommand, "#\(last) must be #format= and one of \(names.joined(separator: ", "))")
                }
                format = known
            } else {
                break
            }
            parts.removeLast()
        }
        let command = parts.joined(separator: "#")
        switch (size, format) {
        case (nil, nil): return (command, nil)
        case (let size?, let format?): return (command, CaptureFormat(raw: format, size: size))
        default: throw CaptureError(.badCommand, "raw frames need both #size= and #format=")
        }
    }

    /// Splits a command into words at spaces that are not quoted, as a shell does.
    private static func words(of text: String) throws(CaptureError) -> [String] {
        guard text.utf8.count <= maximumText, !text.utf8.contains(0) else {
            throw CaptureError(.badCommand, "the command after exec: is longer than \(maximumText) bytes")
        }
        var (words, word, quote, isEscaped) = ([String](), String?.none, Character?.none, false)
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else {
            throw CaptureError(.badCommand, "the command after exec: ends within a quote")
        }
        if let word { words.append(word) }
        guard let program = words.first, !program.isEmpty else {
            throw CaptureError(.badCommand, "exec: must be followed by a command, such as exec:rpicam-vid -o -")
        }
        return words
    }

    private static func firstLine(of path: String) throws(CaptureError) -> String {
        guard let file = fopen(path, "re") else {
            throw CaptureError(.notFound, "cannot be read: \(String(cString: strerror(errno)))", subject: path)
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: maximumText)
        let line = bytes[..<fread(&bytes, 1, bytes.count, file)].prefix { $0 != 0x0A && $0 != 0x0D }
        return String(decoding: line, as: UTF8.self)
    }

    // MARK: secrets

    /// Returns a text in which addresses have no user, password or query, which may hold a password too.
    static func withoutSecrets(_ text: String) -> String {
        words(withAddressesIn: withoutUsers(text)) { $0.prefix { $0 != "?" } }
    }

    /// Returns a text in which addresses have no user and no password.
    private static func withoutUsers(_ text: String) -> String {
        // To the last @, because a password may contain one.
        words(withAddressesIn: text) { rest in rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest }
    }

    /// Changes the part after `://` in each word of a text.
    private static func words(withAddressesIn text: String, change: (Substring) -> Substring) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let scheme = word.firstRange(of: "://") else { return String(word) }
            return String(word[..<scheme.upperBound]) + change(word[scheme.upperBound...])
        }.joined(separator: " ")
    }

    /// Checks that the program is installed.
    ///
    /// - Throws: ``CaptureError`` with the code `not_found`.
    public func checkProgram() throws(CaptureError) {
        guard ProgramSearch.finds(arguments[0]) else { throw notStarted(ENOENT) }
    }

    /// Returns the error for a program that could not be started.
    func notStarted(_ number: CInt) -> CaptureError {
        let program = arguments[0]
        let cause = SystemError("execvp", errno: number)
        guard number == ENOENT else {
            return CaptureError(
                .programFailed, "\(program) could not be started: \(String(cString: strerror(number)))", subject: name,
                cause: cause)
        }
        let remedy = program == "ffmpeg" ? "`sudo apt install ffmpeg`" : "install it, or correct the command"
        return CaptureError(
            .notFound, "the program \(program) is not installed; \(remedy)", subject: name, cause: cause)
    }
}

extension CaptureFormat {
    /// Creates the format of raw frames without padding.
    fileprivate init?(raw format: PixelFormat, size: PixelSize) {
        guard let line = format.rowBytes(width: size.width) else { return nil }
        let chroma = format.hasChromaPlanes ? (size.width + 1) / 2 * ((size.height + 1) / 2) * 2 : 0
        self.init(
            pixelFormat: format, width: size.width, height: size.height, bytesPerLine: line,
            imageBytes: line * size.height + chroma)
    }
}

extension PixelFormat {
    /// Indicates whether planes of chroma follow the luma, at half its width and height.
    fileprivate var hasChromaPlanes: Bool { [.nv12, .nv21, .yu12, .yv12].contains(self) }

    /// Returns the bytes of a row of luma without padding; `nil` for a JPEG, and for a format that is not supported.
    fileprivate func rowBytes(width: Int) -> Int? {
        if hasSeparatePlanes { return nil }
        return switch luma {
        case .plane: width
        case .interleaved: (width + 1) / 2 * 4
        case .wide: width * 2
        case .bayer(let bytes, _): width * bytes
        case .compressed, nil: nil
        }
    }
}
