import ArgumentParser
import BarcodeCore
import ProgramSupport

/// `scan-devices`: lists devices, and stores and delivers their scans.
struct ScanDevicesProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan-devices",
        abstract: "Read scan guns and scales, and store and deliver what they read.",
        discussion: """
            scan-devices list                          possible guns and scales
            scan-devices watch --config counter.yaml   prints scans, and stores nothing
            scan-devices run --config counter.yaml     stores and delivers scans
            scan-devices learn gun --output learn.png  finds a gun by a code that it scans
            scan-devices setting-code name "Ward 3"    writes a code that names a gun

            Without --config the file $XDG_CONFIG_HOME/quietzone/scan-devices.yaml is used if it exists. See \
            docs/how-to/devices.md.
            """,
        version: "scan-devices \(Quietzone.version)",
        subcommands: [ListDevices.self, Watch.self, RunDevices.self, Learn.self, SettingCodeCommand.self])

    /// Prepares the process before anything suspends, see ``prepareStreams()``.
    static func prepare() {
        prepareStreams()
    }
}
