internal import FoundationEssentials
internal import Glibc
public import ScanDevices

/// The devices of a program: those of its configuration, or those of a simulation file.
public struct DeviceSelection: Sendable {
    /// The reason why a file cannot be played.
    public struct FileError: Error, Hashable, CustomStringConvertible {
        /// A sentence that includes the file.
        public var description: String
    }

    /// The source of the events.
    public let source: DeviceReader.Source
    /// The names and kinds of the devices.
    public let devices: [(name: String, kind: DeviceState.Kind)]

    /// Creates the selection of the configured devices, or of those in a file.
    ///
    /// - Parameter simulation: the path of a file for ``DeviceSimulation``; `nil` for real devices.
    public init(_ configured: [DeviceConfiguration], simulation: String?) throws(FileError) {
        guard let path = simulation else {
            source = .devices(configured)
            devices = configured.map { ($0.name, $0.kind) }
            return
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int
        guard size ?? 0 <= DeviceSimulation.maximumBytes else {
            throw FileError(description: "\(path) has more than \(DeviceSimulation.maximumBytes) bytes")
        }
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            let reason = access(path, R_OK) == 0 ? "it is not a file" : String(cString: strerror(errno))
            throw FileError(description: "the simulation \(path) cannot be read: \(reason)")
        }
        let simulation: DeviceSimulation
        do throws(DeviceSimulation.Fault) {
            simulation = try DeviceSimulation([UInt8](bytes))
        } catch {
            throw FileError(description: "\(path), \(error)")
        }
        guard !simulation.devices.isEmpty else {
            throw FileError(description: "\(path) has no event to play; write one on each line")
        }
        source = .simulation(simulation)
        devices = simulation.devices
    }
}
