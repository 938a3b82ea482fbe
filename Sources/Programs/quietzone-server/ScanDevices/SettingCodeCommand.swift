import ArgumentParser
import BarcodeCore
import Delivery
import FoundationEssentials
import ProgramSupport
import StationDevices

/// `scan-devices setting-code`: writes a setup code for a scan gun.
struct SettingCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setting-code", abstract: "Write a setting code for a gun, such as for its name.",
        discussion: """
            Without a setting it lists the known ones. A file of --settings adds others, one per line: \
            maker | name | most characters | content with {} for the text | what it does
            """)

    @Argument(help: "The setting, such as name.")
    var setting: String?

    @Argument(help: "Its text, such as the name of the gun.")
    var text: String?

    @Option(help: ArgumentHelp("The maker, if several have such a setting.", valueName: "name"))
    var maker: String?

    @Option(help: ArgumentHelp("A file of additional settings.", valueName: "file"))
    var settings: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write: .png, .svg or .pdf.", valueName: "file"))
    var output = "setting-code.png"

    func validate() throws {
        guard SettingCode.Format(ofFile: output) != nil else {
            throw ValidationError("--output \(output): its name must end with .png, .svg or .pdf")
        }
    }

    func run() async throws {
        let table = try table()
        guard let name = setting, let format = SettingCode.Format(ofFile: output) else {
            for setting in table.settings {
                let text = setting.maximumLength.map { " TEXT (at most \($0) characters)" } ?? ""
                let line = "\(setting.name)\(text): \(setting.summary), --maker \(setting.maker)".printable
                try await Output.writeLine(line)
            }
            return
        }
        let known: Setting?
        do throws(SettingFault) { known = try table.setting(name, maker: maker) } catch {
            throw Failure(message: "--maker: \(error)", status: 64)
        }
        guard let setting = known else {
            throw Failure(
                message: "there is no setting \"\(name)\"; setting-code without a setting lists them", status: 64)
        }
        do {
            let code = try SettingCode(setting, text: text)
            try OutputFile.write(code.file(format), to: Array(output.utf8))
        } catch let fault as OutputFile.Fault {
            throw Failure(message: "\(output) cannot be written: \(fault)")
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    private func table() throws -> SettingTable {
        var table = SettingTable()
        guard let path = settings else { return table }
        guard let file = try? Data(contentsOf: URL(filePath: path)) else {
            throw Failure(message: "the settings \(path) cannot be read", status: Failure.noInput)
        }
        do throws(SettingFault) {
            try table.add([UInt8](file))
        } catch {
            throw Failure(message: "\(path), \(error)", status: Failure.configuration)
        }
        return table
    }
}

extension SettingCode.Format {
    /// The format for a file name's extension; `nil` if there is none.
    init?(ofFile path: String) {
        self.init(rawValue: path.split(separator: ".").last.map { $0.lowercased() } ?? "")
    }
}
