import ArgumentParser
import BarcodeCore
import DecodeReports
import Delivery
import Glibc
import ScanDevices
import ScanOutbox
import StationDevices

/// `scan-station doctor`: checks the machine's requirements for a station.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check configuration, secrets, cameras, permissions, codecs, port, disk, clock and outbox.",
        discussion: """
            Each line is ok, warning or fault; the remedy is on the line below a warning or fault. It runs with the permissions of the \
            current user, so for the service run

              sudo -u quietzone scan-station doctor \\
                  --config /etc/quietzone/scan-station.yaml \\
                  --database /var/lib/quietzone/station.sqlite

            Nothing is changed, and a station may be running. The exit status is 1 if there is a fault.
            """)

    @OptionGroup var common: OutboxOptions

    @Flag(help: "One JSON object per line.")
    var json = false

    func run() async throws {
        let findings = await findings()
        for finding in findings {
            try Output.write(json ? try JSONLine.encode(finding) : Array((Self.lines(finding) + "\n").utf8))
        }
        if findings.contains(where: { $0.state == .fault }) { throw ExitCode(Failure.general) }
    }

    private func findings() async -> [Finding] {
        var findings = [Finding.ok("user", "runs with the permissions of \(User.name)")]
        var station = StationConfiguration()
        do {
            let file = common.file(of: "scan-station")
            let (configuration, own) = try await ScanStation.load(common)
            station = own
            let destinations = configuration.destinations.map(\.name).joined(separator: ", ")
            findings.append(
                .ok(
                    "configuration",
                    (file ?? "no file: the defaults apply")
                        + (destinations.isEmpty ? "; no destination" : "; destinations: \(destinations)")))
            findings += SecretCheck.findings(configuration.secretFiles)
            findings += await OutboxCheck(common: common, configuration: configuration).findings()
        } catch {
            findings.append(
                .fault(
                    "configuration", "\(error)",
                    remedy: "correct the file, then: scan-station --check --config FILE"))
        }
        let isRunning = findings.contains { $0.area == OutboxCheck.area && $0.message == OutboxCheck.inUse }
        findings += PortCheck(address: station.address, port: station.port, isRunning: isRunning).findings()
        findings += CameraCheck(camera: station.camera, command: station.cameraCommand).findings()
        findings += DeviceCheck(configured: station.devices).findings()
        findings += DesktopCheck(isWanted: station.notifiesDesktop).findings()
        findings += CodecCheck.findings()
        findings += SandboxCheck.findings()
        findings += ClockCheck.findings()
        return findings
    }

    private static func lines(_ finding: Finding) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        let (state, area) = (9, 15)
        let line = padded(finding.state.rawValue, state) + padded(finding.area, area) + finding.message.printable
        guard let remedy = finding.remedy else { return line }
        return line + "\n" + String(repeating: " ", count: state + area) + "-> " + remedy.printable
    }
}
