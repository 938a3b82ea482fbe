internal import BarcodeCore
public import ScanDevices
internal import Synchronization

/// Identifies the device that scans a displayed code, for a page; one search at a time.
public final class DeviceSearch: Sendable {
    /// The time to wait for the scan.
    public static let patience: Duration = .seconds(120)

    /// The state of a search.
    public enum State: Sendable, Hashable {
        /// No search is in progress.
        case idle
        /// Waiting for the scan; `problems` has a sentence for each device that cannot be opened.
        case waiting(problems: [String])
        /// A device has scanned the code.
        case found(DeviceLearner.Finding)
        /// The scan did not come in time.
        case expired(problems: [String])
    }

    private struct Store {
        var state = State.idle
        /// The unique number of the current search.
        var number = 0
        var learner: DeviceLearner?
    }

    private let store = Mutex(Store())

    /// Creates a search that has not started.
    public init() {}

    /// The current state.
    public var state: State { store.withLock { $0.state } }

    /// Starts a new search.
    ///
    /// - Parameters:
    ///   - taken: the paths of devices to exclude, because they are already in use.
    ///   - ports: serial ports besides those of USB, such as `/dev/ttyS0`.
    public func start(except taken: Set<String>, ports: [String] = [], patience: Duration = patience) {
        stop()
        let learner = DeviceLearner(
            code: Array(DeviceLearner.standardCode.utf8), ports: ports, except: taken, patience: patience)
        let number = store.withLock { store in
            store.number += 1
            (store.state, store.learner) = (.waiting(problems: []), learner)
            return store.number
        }
        OwnedThread { [self] in
            var problems: [String] = []
            let finding = learner.run { notice in
                guard case .fault(let sentence) = notice, problems.count < 20 else { return }
                problems.append(sentence)
                set(.waiting(problems: problems), of: number)
            }
            set(finding.map(State.found) ?? .expired(problems: problems), of: number)
        }.detach()
    }

    /// Ends the search and discards its result.
    public func stop() {
        let learner = store.withLock { store in
            // From here on, results of an earlier thread are ignored.
            store.number += 1
            defer { (store.state, store.learner) = (.idle, nil) }
            return store.learner
        }
        learner?.stop()
    }

    private func set(_ state: State, of number: Int) {
        store.withLock { if $0.number == number { $0.state = state } }
    }
}

extension DeviceLearner.Finding {
    /// Returns the device's part of the configuration, as lines.
    ///
    /// - Parameter name: the name for the device.
    public func configuration(of name: String) -> [String] {
        var lines = ["devices:", "  \(name):", "    connection: \(identity.connection.rawValue)"]
        if let vendor = identity.vendor, let product = identity.product {
            lines.append("    vendor: \"\(DeviceIdentityLine.hexadecimal(vendor))\"")
            lines.append("    product: \"\(DeviceIdentityLine.hexadecimal(product))\"")
        } else {
            lines.append("    path: \(identity.path)")
        }
        if let layout = layouts.first {
            let others = layouts.dropFirst()
            lines.append("    layout: \(layout)" + (others.isEmpty ? "" : "  # or \(others.joined(separator: ", "))"))
        }
        return lines
    }
}
