import Delivery
import Glibc
import ScanOutbox

/// Checks that events can be stored and that none was given up.
struct OutboxCheck {
    static let area = "outbox"
    static let inUse = "a running program has it open"

    let common: OutboxOptions
    let configuration: DeliveryConfiguration

    private var path: String { configuration.database }
    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    func findings() async -> [Finding] {
        var findings: [Finding] = []
        do {
            if let outbox = try await common.openIfThere(configuration) {
                let status = try await outbox.status()
                try outbox.close()
                findings.append(.ok(Self.area, "\(path): \(status.events) events"))
                findings += Self.undelivered(status)
            } else {
                findings.append(made)
            }
        } catch let error as OutboxError where error.code == .inUse {
            findings.append(.ok(Self.area, Self.inUse))
        } catch {
            findings.append(
                .fault(Self.area, "\(error)", remedy: "scan-outbox verify --database '\(path)'"))
        }
        if let room = room { findings.append(room) }
        return findings
    }

    /// The finding if there is no outbox yet.
    private var made: Finding {
        if configuration.isStandardDatabase || access(folder, W_OK | X_OK) == 0 {
            return .ok(Self.area, "\(path) is created at the first start")
        }
        let reason = String(cString: strerror(errno))
        return .fault(
            Self.area, "it cannot be created in \(folder): \(reason)",
            remedy: "sudo install -d -o \(User.name) -m 700 '\(folder)'")
    }

    private static func undelivered(_ status: OutboxStatus) -> [Finding] {
        status.destinations.sorted { $0.key < $1.key }.compactMap { name, destination in
            if let reason = destination.disabled {
                return .fault("delivery", "\(name) is disabled: \(reason)", remedy: "scan-outbox enable '\(name)'")
            }
            guard let count = destination.counts[.dead], count > 0 else { return nil }
            return .warning(
                "delivery", "\(count) deliveries to \(name) were given up",
                remedy: "scan-outbox replay --dead --to '\(name)'")
        }
    }

    /// The free disk space in MB below which a station should not run for long (warning), and below which it lasts
    /// less than a day (fault).
    private static let fewMegabytes = 1024
    private static let leastMegabytes = 100

    private var room: Finding? {
        var system = statvfs()
        guard statvfs(folder, &system) == 0 else { return nil }
        let (free, isOverflowing) = UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize))
        if isOverflowing { return nil }
        let megabytes = Int(free >> 20)
        let message = "\(megabytes) MB free in \(folder)"
        if megabytes >= Self.fewMegabytes { return .ok("disk", message) }
        let remedy = "free some space: du -x --max-depth=2 '\(folder)'"
        return megabytes < Self.leastMegabytes
            ? .fault("disk", message, remedy: remedy) : .warning("disk", message, remedy: remedy)
    }
}
