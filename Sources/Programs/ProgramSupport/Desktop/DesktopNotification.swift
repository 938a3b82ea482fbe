internal import BarcodeCore
internal import Glibc

/// A message in the corner of the user's screen.
public struct DesktopNotification: Sendable {
    /// The line above the text.
    public var title: String
    /// The text, of which desktops show a few lines.
    public var text: String
    /// The address of a web page that the user may open; `nil` if there is none.
    public var link: String?

    /// The longest text that is shown, in characters.
    private static let maximumLength = 500

    /// Creates a notification.
    ///
    /// - Parameter link: kept only if it begins with `http://` or `https://`.
    public init(title: String, text: String, link: String? = nil) {
        self.title = title
        self.text = text
        self.link = link.flatMap { link in
            let lower = link.lowercased()
            return lower.hasPrefix("http://") || lower.hasPrefix("https://") ? link : nil
        }
    }

    private static let arguments = ["--app-name", "Quietzone", "--icon", "view-barcode-qr", "--expire-time", "15000"]
    private static let tool = DesktopTool(program: "notify-send", arguments: arguments, package: "libnotify-bin")

    /// The reason why this process cannot show notifications, a clause that says what to do; `nil` if it can.
    public static var problem: String? {
        if !tool.isInstalled { return tool.missing.description }
        func text(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
        if let bus = text("DBUS_SESSION_BUS_ADDRESS"), !bus.isEmpty { return nil }
        if let folder = text("XDG_RUNTIME_DIR"), access(folder + "/bus", F_OK) == 0 { return nil }
        return
            "it does not run in a user's session, so it has no desktop; start it in the session, not as a system "
            + "service"
    }

    /// Shows the notification; with a link, waits for the user and opens the link if the user asks for it.
    ///
    /// - Throws: ``DesktopError``.
    public func show() async throws(DesktopError) {
        let words = ["--", title, Self.escaped(String(text.prefix(Self.maximumLength)))]
        guard let link else {
            _ = try await Self.tool.output(words)
            return
        }
        let answer = try await Self.tool.output(["--action", "open=Open"] + words)
        guard String(decoding: answer, as: UTF8.self).hasPrefix("open") else { return }
        try await DesktopTool(program: "xdg-open", arguments: [], package: "xdg-utils").take([], [link])
    }

    /// Returns the text escaped for desktops, which read a subset of HTML, and for notify-send, which reads C's
    /// backslashes.
    static func escaped(_ text: String) -> String {
        String(text.unicodeScalars.replacing("\\".unicodeScalars, with: "\\\\".unicodeScalars)).markupEscaped
    }
}
