internal import BarcodeCore

/// The clipboard of the user's desktop.
public struct Clipboard: Sendable {
    private let display: DesktopTool.Display

    /// The type that is preferred, because it is exact and every desktop offers it.
    private static let preferredType = "image/png"
    /// The type of the lists of files that file managers copy.
    private static let fileType = "text/uri-list"

    /// The clipboard.
    ///
    /// - Throws: ``DesktopError`` where there is no desktop.
    public init() throws(DesktopError) { display = try .current() }

    /// A copied picture.
    public enum Picture: Sendable, Hashable {
        /// The bytes of a picture.
        case bytes([UInt8])
        /// The path of a file.
        case file(String)
    }

    /// The picture, or the file, that was copied last.
    ///
    /// - Parameter mediaTypes: the types that can be read, the best first; programs that copy a picture offer several.
    /// - Throws: ``DesktopError``, also if something else was copied.
    public func picture(mediaTypes: [String]) async throws(DesktopError) -> Picture {
        let list =
            switch display {
            case .wayland: DesktopTool(program: "wl-paste", arguments: ["--list-types"], package: "wl-clipboard")
            case .x11: xclip(["-t", "TARGETS", "-o"])
            }
        let nothing = DesktopError("the clipboard has no picture: copy one, or take a screenshot to the clipboard")
        var types: Set<String> = []
        do {
            types = Set(
                String(decoding: try await list.output(), as: UTF8.self).split(separator: "\n").map(String.init))
        } catch {
            // Both programs fail where nothing was ever copied.
            throw list.isInstalled ? nothing : error
        }
        if let type = ([Self.preferredType] + mediaTypes).first(where: types.contains) {
            return .bytes(try await content(as: type))
        }
        if types.contains(Self.fileType) {
            let text = String(decoding: try await content(as: Self.fileType), as: UTF8.self)
            let addresses = text.split { $0.isNewline }.filter { !$0.hasPrefix("#") }
            if let path = addresses.lazy.compactMap({ FileAddress.path(String($0)) }).first { return .file(path) }
        }
        throw nothing
    }

    private func content(as type: String) async throws(DesktopError) -> [UInt8] {
        switch display {
        case .wayland:
            try await DesktopTool(
                program: "wl-paste", arguments: ["--no-newline", "--type", type], package: "wl-clipboard"
            ).output()
        case .x11: try await xclip(["-t", type, "-o"]).output()
        }
    }

    /// Puts a text into the clipboard.
    public func copy(_ text: String) async throws(DesktopError) {
        switch display {
        case .wayland:
            try await DesktopTool(program: "wl-copy", arguments: ["--type", "text/plain"], package: "wl-clipboard")
                .take(Array(text.utf8))
        case .x11: try await xclip(["-i"]).take(Array(text.utf8))
        }
    }

    private func xclip(_ arguments: [String]) -> DesktopTool {
        DesktopTool(program: "xclip", arguments: ["-selection", "clipboard"] + arguments, package: "xclip")
    }
}

/// Addresses of files, as desktops hand them on.
enum FileAddress {
    /// The path of a `file:` URI of this machine; nil for any other.
    static func path(_ address: String) -> String? {
        guard address.hasPrefix("file://") else { return nil }
        let rest = address.dropFirst(7)
        guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash]) else { return nil }
        guard let bytes = HexadecimalEscapes.strictlyDecoded(rest[slash...].utf8), !bytes.contains(0) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
