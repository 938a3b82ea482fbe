internal import StationDevices
internal import Synchronization
internal import VideoCapture

/// Publishes changes of the camera to pages, and caches the list of cameras.
final class CameraPublisher: Sendable {
    let camera: StationCamera
    private let scanService: ScanService
    private let available = Mutex<[CameraDetails.AvailableCamera]>([])

    /// The minimum interval between messages of the view, and between messages that only change the frame rate.
    private static let viewPause: Duration = .milliseconds(100)
    private static let ratePause: Duration = .seconds(2)

    init(camera: StationCamera, scanService: ScanService) {
        self.camera = camera
        self.scanService = scanService
    }

    /// The current state of the camera, with the cached list of cameras.
    var message: CameraMessage { CameraMessage(camera.state, cameras: available.withLock { $0 }) }

    /// The current state of the camera, with a fresh list of cameras.
    func refreshed() async -> CameraMessage {
        let found = await camera.cameras().map { description in
            CameraDetails.AvailableCamera(
                path: description.node.stablePaths.first ?? description.node.path, card: description.card)
        }
        let command = camera.command.map { CameraDetails.AvailableCamera(path: $0.name, card: $0.name) }
        available.withLock { $0 = (command.map { [$0] } ?? []) + found }
        return message
    }

    /// Publishes the camera's state and its view until the camera ends or the task is cancelled.
    func follow() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.followState() }
            group.addTask { await self.followView() }
        }
    }

    private func followState() async {
        var published: (state: StationCamera.State, at: ContinuousClock.Instant)?
        for await state in camera.states() {
            if let published, published.at.duration(to: .now) < Self.ratePause {
                var same = state
                same.rate = published.state.rate
                if same == published.state { continue }
            }
            published = (state, .now)
            scanService.publish("camera", message, to: .station)
        }
    }

    private func followView() async {
        for await view in camera.views() {
            if scanService.hub.hasViewers {
                scanService.publish("view", ViewMessage(view), to: .viewers)
            }
            // Meanwhile the stream keeps only the newest view.
            guard (try? await Task.sleep(for: Self.viewPause)) != nil else { return }
        }
    }
}
