internal import FoundationEssentials
internal import ScanOutbox
internal import Synchronization

/// The cameras of devices that show a page, such as phones.
///
/// A code in view is stored once per camera.
final class PageCameras: Sendable {
    /// The time out of view after which a code is stored again.
    static let absence: Duration = .seconds(5)
    /// The maximum number of remembered cameras; the one that was inactive longest is forgotten first.
    static let maximumCameras = 64

    private struct Camera {
        var intake: ScanIntake
        var usedAt: Date
    }

    private let cameras = Mutex<[String: Camera]>([:])
    private let make: @Sendable () -> ScanIntake

    /// Creates an empty collection.
    ///
    /// - Parameter make: creates the intake of a camera.
    init(_ make: @escaping @Sendable () -> ScanIntake) { self.make = make }

    /// Returns the intake of a camera, by the name that its page gave it.
    func intake(of name: String, at now: Date) -> ScanIntake {
        cameras.withLock { cameras in
            let intake = cameras[name]?.intake ?? make()
            cameras[name] = Camera(intake: intake, usedAt: now)
            if cameras.count > Self.maximumCameras, let oldest = cameras.min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                cameras[oldest.key] = nil
            }
            return intake
        }
    }
}
