internal import BarcodeCore
internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A program of the desktop, and the package that has it.
///
/// Clipboards and screens belong to the desktop's own protocols, which its own small programs speak.
struct DesktopTool: Sendable {
    /// Where the user sees windows.
    enum Display: Sendable {
        case wayland, x11

        /// Wayland goes first: it has X windows too, in a clipboard that the desktop keeps in step.
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

    /// The most bytes of a picture that a tool writes.
    private static let maximumBytes = 256 << 20
    /// The most bytes of a sentence that a tool complains with.
    private static let maximumComplaint = 4096

    /// Whether the program is in one of the folders of `PATH`.
    var isInstalled: Bool { ProgramSearch.finds(program) }

    /// What the program writes to its standard output.
    ///
    /// - Throws: ``DesktopError``, also where the program ends with another status than 0.
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

    /// Hands bytes to the program's standard input; it may stay in the background.
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

    /// What somebody is told where it is not there.
    var missing: DesktopError { DesktopError("\(program) is not installed; `sudo apt install \(package)`") }

    private func notStarted(_ error: any Error) -> DesktopError {
        isInstalled ? DesktopError("\(program) could not be run: \(error)") : missing
    }
}
