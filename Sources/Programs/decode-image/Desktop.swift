import ArgumentParser
import BarcodeCore
import DecodeReports
import Glibc
import ImageCodecs
import ProgramSupport

/// The options for the user's desktop.
struct DesktopOptions: ParsableArguments {
    @Flag(help: "Read the picture or file on the clipboard.")
    var clipboard = false

    @Flag(help: "Take a picture of the screen and read it; the desktop may ask first.")
    var screen = false

    @Flag(help: "Also copy the result to the clipboard.")
    var copy = false

    @Flag(help: "Also show the result as a notification; a click opens a link.")
    var notify = false

    /// Indicates whether the image comes from the desktop.
    var givesPicture: Bool { clipboard || screen }

    var isAsked: Bool { givesPicture || copy || notify }

    func validate() throws {
        guard !(clipboard && screen) else { throw ValidationError("Give --clipboard or --screen, not both.") }
    }
}

/// A run that takes its image from the desktop or shows its result there.
struct DesktopRun {
    let options: DesktopOptions
    let run: DecodeRun
    let input: InputOptions

    /// Decodes and updates the desktop; failures are reported on standard error.
    func status() async -> RunStatus {
        let messages = Messages(isQuiet: run.settings.isQuiet)
        var status = RunStatus()
        do throws(DesktopError) {
            let items: PictureItems
            if options.givesPicture {
                let picture = try await picture()
                items = PictureItems { $0(.picture(picture)) }
            } else {
                items = PictureList(input: input).items()
            }
            status = await run.decodeAll(items, isAlone: options.givesPicture || input.onlyPicture != nil)
            if options.copy, !status.found.isEmpty {
                try await Clipboard().copy(status.found.map(\.text).joined(separator: "\n"))
                if status.found.count < status.symbols {
                    messages.write("only the first \(status.found.count) of \(status.symbols) codes were copied")
                }
            }
            if options.notify { try await Self.notification(of: status).show() }
        } catch {
            messages.write("\(error)")
            status.hasFailed = true
        }
        return status
    }

    /// The maximum number of codes in a notification.
    private static let maximumShown = 100

    /// The image from the desktop: a file, or bytes that replace the standard input.
    private func picture() async throws(DesktopError) -> PictureName {
        let bytes: [UInt8]
        if options.screen {
            bytes = try await Screenshot.take()
        } else {
            switch try await Clipboard().picture(mediaTypes: ImageFormat.mediaTypes) {
            case .file(let path): return PictureName(path)
            case .bytes(let content): bytes = content
            }
        }
        try StandardInput.replace(by: bytes)
        return PictureName("-")
    }

    /// The notification about a run.
    static func notification(of status: RunStatus) -> DesktopNotification {
        switch status.found.count {
        case 0:
            DesktopNotification(
                title: status.unreadable > 0 || status.hasFailed ? "The picture could not be read" : "No code found",
                text: status.summary)
        case 1:
            DesktopNotification(
                title: status.found[0].title, text: status.found[0].text, link: status.found[0].text)
        default:
            DesktopNotification(
                title: "\(status.symbols) codes",
                text: status.found.prefix(maximumShown).map(\.text).joined(separator: "\n"))
        }
    }
}

/// The standard input, which workers reach by its number.
private enum StandardInput {
    /// Replaces it by bytes, held only in memory.
    static func replace(by bytes: [UInt8]) throws(DesktopError) {
        let file: CInt
        do {
            file = try bytes.withUnsafeBytes { (bytes) throws(DecodeError) in try MemoryFile.open(holding: bytes) }
        } catch {
            throw DesktopError.notKept("\(error)")
        }
        defer { close(file) }
        guard lseek(file, 0, SEEK_SET) == 0, dup2(file, STDIN_FILENO) >= 0 else {
            throw DesktopError.notKept(String(cString: strerror(errno)))
        }
    }
}
