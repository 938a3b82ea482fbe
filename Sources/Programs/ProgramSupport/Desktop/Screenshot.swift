internal import BarcodeCore
internal import CServices
internal import Glibc

/// A picture of the screen.
public enum Screenshot {
    /// The time that the user has to answer the desktop's prompt, in seconds.
    private static let patience: UInt32 = 120

    /// Takes a screenshot and returns the bytes of an image file.
    ///
    /// The desktop's portal comes first: it asks the user and works on every desktop that has one. Otherwise maim,
    /// ImageMagick or scrot is used on X11, and grim on wlroots compositors.
    ///
    /// - Throws: ``DesktopError``.
    public static func take() async throws(DesktopError) -> [UInt8] {
        let display = try DesktopTool.Display.current()
        if let bytes = try await byPortal() { return bytes }
        let tools =
            switch display {
            case .wayland: [DesktopTool(program: "grim", arguments: ["-"], package: "grim")]
            case .x11:
                [
                    DesktopTool(program: "maim", arguments: [], package: "maim"),
                    DesktopTool(program: "import", arguments: ["-window", "root", "png:-"], package: "imagemagick"),
                    DesktopTool(program: "scrot", arguments: ["-"], package: "scrot"),
                ]
            }
        guard let tool = tools.first(where: \.isInstalled) else {
            let names = tools.map(\.package).joined(separator: " or ")
            throw DesktopError(
                "no program can take a picture of this screen: install xdg-desktop-portal with the backend of your "
                    + "desktop, or \(names)")
        }
        return try await tool.output()
    }

    /// Takes the screenshot through the portal; `nil` if there is no portal that takes screenshots.
    private static func byPortal() async throws(DesktopError) -> [UInt8]? {
        // The call blocks until the user has answered.
        let (outcome, address) = await onThread {
            var address = [CChar](repeating: 0, count: 4096)
            let outcome = qz_portal_screenshot(patience, &address, address.count)
            return (outcome, String(decoding: address.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        switch outcome {
        case QZ_PORTAL_ANSWERED:
            guard let path = FileAddress.path(address) else {
                throw DesktopError("the desktop saved the picture of the screen to \(address), which cannot be read")
            }
            defer { unlink(path) }
            return try bytes(of: path)
        case QZ_PORTAL_REFUSED: throw DesktopError("no picture of the screen was taken: the request was canceled")
        case QZ_PORTAL_TIMED_OUT:
            throw DesktopError("no picture of the screen was taken: the desktop's question was not answered")
        default: return nil
        }
    }

    private static func bytes(of path: String) throws(DesktopError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw DesktopError("\(path), the picture of the screen: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < 256 << 20 {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            OwnedThread { continuation.resume(returning: body()) }.detach()
        }
    }
}
