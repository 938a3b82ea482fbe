internal import BarcodeCore
internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A command-line program of the desktop, and the package that installs it.
///
/// Clipboards and screenshots need the desktop's own protocols, which these programs speak.
struct DesktopTool: Sendable {
    /// The display server of the user's session.
    enum Display: Sendable {
        case wayland, x11

        /// Wayland takes precedence: it also runs X11 windows, and the desktop keeps their clipboard in sync.
        static func current() throws(DesktopError) -> Display {
            if isSet("WAYLAND_DISPLAY") { return .wayland }
            if isSet("DISPLAY") { return .x11 }
            throw DesktopError("there is no desktop: neither WAYLAND_DISPLAY nor DISPLAY is set")
        }

        private static func isSet(_ variable: String) -> Bool { getenv(variable).map { $0.pointee != 0 } ?? false }
    }

    let program: String
    let arguments: [String]
    let package: String

    /// The largest picture that a tool may write, in bytes.
    private static let maximumBytes = 256 << 20
    /// The longest error message that is kept from a tool, in bytes.
    private static let maximumComplaint = 4096

    /// Indicates whether the program is in one of the folders of `PATH`.
    var isInstalled: Bool { ProgramSearch.finds(program) }

    /// Runs the program and returns its standard output.
    ///
    /// - Throws: ``DesktopError``, also if the program exits with a status other than 0.
    func output(_ more: [String] = []) async throws(DesktopError) -> [UInt8] {
        let (status, bytes, complaint): (TerminationStatus, [UInt8], [UInt8])
        do {
            let result = try await Subprocess.run(
                .name(program), arguments: Arguments(arguments + more), input: .none,
                output: .bytes(limit: Self.maximumBytes), error: .bytes(limit: Self.maximumComplaint))
            (status, bytes, complaint) = (result.terminationStatus, result.standardOutput, result.standardError)
        } catch {
            throw notStarted(error)
        }
        guard case .exited(0) = status else {
            let sentence = String(decoding: complaint, as: UTF8.self).split(separator: "\n").first
            throw DesktopError("\(program) failed" + (sentence.map { ": \($0)" } ?? ""))
        }
        return bytes
    }

    /// Writes bytes to the program's standard input; the program may stay in the background.
    func take(_ bytes: [UInt8], _ more: [String] = []) async throws(DesktopError) {
        let status: TerminationStatus
        do {
            status = try await Subprocess.run(
                .name(program), arguments: Arguments(arguments + more), input: .array(bytes), output: .discarded,
                error: .discarded
            ).terminationStatus
        } catch {
            throw notStarted(error)
        }
        guard case .exited(0) = status else { throw DesktopError("\(program) failed") }
    }

    /// The error for a program that is not installed.
    var missing: DesktopError { DesktopError("\(program) is not installed; `sudo apt install \(package)`") }

    private func notStarted(_ error: any Error) -> DesktopError {
        isInstalled ? DesktopError("\(program) could not be run: \(error)") : missing
    }
}
