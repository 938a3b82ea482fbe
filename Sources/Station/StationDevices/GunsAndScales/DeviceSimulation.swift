internal import FoundationEssentials
internal import ScanDevices
internal import ServiceLifecycle

/// Simulated devices from a file, for pages and tests: lines of JSON as `scan-devices watch` writes them.
///
/// A line may have `after`, the seconds to wait before it (default: 1), and a scan may have only `text`. All devices
/// are connected at the start.
public struct DeviceSimulation: Sendable, Hashable {
    /// The reason why a file cannot be played: a line number and a sentence.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        /// The line number, from 1.
        public var line: Int
        /// The fault.
        public var sentence: String

        /// The line number and the sentence.
        public var description: String { "line \(line): \(sentence)" }
    }

    /// The maximum size of a file, in bytes.
    public static let maximumBytes = 16 << 20

    private struct Step: Sendable, Hashable {
        var pause: Duration
        var device: String
        var kind: DeviceEvent.Kind
    }

    private var steps: [Step] = []
    /// The names and kinds of the devices, in the order of their first event.
    public var devices: [(name: String, kind: DeviceState.Kind)] { zip(names, kinds).map { ($0, $1) } }
    private var names: [String] = []
    private var kinds: [DeviceState.Kind] = []

    /// Parses a file; empty lines are ignored.
    public init(_ bytes: [UInt8]) throws(Fault) {
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
            guard let read = try? JSONDecoder().decode(DeviceLine.self, from: Data(line)) else {
                throw Fault(line: number, sentence: #"write it like {"device":"gun","event":"scan","text":"123"}"#)
            }
            guard let kind = Self.kind(of: read) else {
                throw Fault(
                    line: number, sentence: "a field of this event is missing or has an invalid value")
            }
            let pause = read.after ?? 1
            guard (0...86_400).contains(pause) else {
                throw Fault(line: number, sentence: "`after` must be a number of seconds from 0 to 86400")
            }
            if !names.contains(read.device) {
                names.append(read.device)
                kinds.append(.gun)
            }
            if let index = names.firstIndex(of: read.device) {
                switch kind {
                case .scale: kinds[index] = .scale
                case .measurement: kinds[index] = .sensor
                default: break
                }
            }
            steps.append(Step(pause: .seconds(pause), device: read.device, kind: kind))
        }
    }

    /// Returns the event of a line; `nil` if a field is missing.
    private static func kind(of line: DeviceLine) -> DeviceEvent.Kind? {
        switch line.event {
        case .scan:
            let bytes =
                line.base64.map { Data(base64Encoded: $0).map { [UInt8]($0) } } ?? line.text.map { Array($0.utf8) }
            return bytes.map { .scan(DeviceScan(bytes: $0, symbologyIdentifier: line.symbologyIdentifier)) }
        case .weight:
            guard let value = line.weight.flatMap({ WeightText.number($0) }),
                let unit = WeightReading.Unit(written: line.unit ?? "kg")
            else { return nil }
            return .scale(
                .weight(WeightReading(value: value, unit: unit, isStable: line.stable ?? true, isNet: line.net)))
        case .noWeight: return line.reason.flatMap(ScaleFault.init(rawValue:)).map { .scale(.unavailable($0)) }
        case .measurement: return line.value.map { .measurement($0, unit: line.unit ?? "") }
        case .battery: return line.percent.flatMap { (0...100).contains($0) ? .battery($0) : nil }
        case .discarded: return .discarded(.withoutEnd, length: 1)
        case .connected: return .connected(identity(line.device, path: line.path))
        case .unavailable: return .unavailable(line.reason ?? "The simulation makes it unreadable.")
        case .disconnected: return .disconnected
        }
    }

    private static func identity(_ name: String, path: String? = nil) -> DeviceIdentity {
        DeviceIdentity(connection: .serial, path: path ?? "simulation", name: name)
    }

    /// Plays the file once, then waits for the end of the program.
    func play(_ tell: (DeviceEvent) async throws -> Void) async throws {
        for name in names {
            try await tell(
                DeviceEvent(device: name, time: DeviceMonitor.now(), kind: .connected(Self.identity(name))))
        }
        for step in steps {
            guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: step.pause) }) != nil else {
                return
            }
            try await tell(DeviceEvent(device: step.device, time: DeviceMonitor.now(), kind: step.kind))
        }
        try? await gracefulShutdown()
    }
}
