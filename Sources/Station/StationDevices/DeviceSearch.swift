internal import BarcodeCore
public import ScanDevices
internal import Synchronization

/// Finds the device that scans a code which a person is shown, for a page; one search at a time.
public final class DeviceSearch: Sendable {
    /// How long the code is waited for.
    public static let patience: Duration = .seconds(120)

    /// How far a search is.
    public enum State: Sendable, Hashable {
        /// Nobody searches.
        case idle
        /// The code is waited for; why some devices cannot be listened to, as sentences.
        case waiting(problems: [String])
        /// A device has scanned the code.
        case found(DeviceLearner.Finding)
        /// It did not come in time.
        case expired(problems: [String])
    }

    private struct Store {
        var state = State.idle
        /// The search that is under way, by a number that no other one has.
        var number = 0
        var learner: DeviceLearner?
    }

    private let store = Mutex(Store())

    /// A search that has not begun.
    public init() {}

    /// How far it is.
    public var state: State { store.withLock { $0.state } }

    /// Begins anew.
    ///
    /// - Parameters:
    ///   - taken: the paths of devices that are read already and are not meant.
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

    /// Ends a search; what it has found is forgotten.
    public func stop() {
        let learner = store.withLock { store in
            // What the thread of an earlier search says from now on is of no search.
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
    /// The device's part of the configuration, a line each.
    ///
    /// - Parameter name: the name that the device is to have.
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
