internal import FoundationEssentials
internal import ScanOutbox
internal import Synchronization

/// The cameras of devices that show a page, such as phones: what each has in view is stored once.
final class PageCameras: Sendable {
    /// For how long a code must not have been in view to be stored again.
    static let absence: Duration = .seconds(5)
    /// The most cameras that are remembered; the one that was quiet for the longest goes first.
    static let maximumCameras = 64

    private struct Camera {
        var intake: ScanIntake
        var usedAt: Date
    }

    private let cameras = Mutex<[String: Camera]>([:])
    private let make: @Sendable () -> ScanIntake

    /// No cameras yet.
    ///
    /// - Parameter make: makes the intake of one.
    init(_ make: @escaping @Sendable () -> ScanIntake) { self.make = make }

    /// The intake of a camera, by the name that its page gave it.
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
