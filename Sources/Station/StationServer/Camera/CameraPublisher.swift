internal import StationCamera
internal import Synchronization
internal import VideoCapture

/// Tells pages of the camera as it changes, and knows which cameras there are.
final class CameraPublisher: Sendable {
    let camera: StationCamera
    private let scanService: ScanService
    private let choices = Mutex<[CameraDetails.Choice]>([])

    /// How often what is in view is told at most, and how often a rate that alone has changed.
    private static let viewPause: Duration = .milliseconds(100)
    private static let ratePause: Duration = .seconds(2)

    init(camera: StationCamera, scanService: ScanService) {
        self.camera = camera
        self.scanService = scanService
    }

    /// The camera as it is now; the cameras that there are, as they were when somebody last looked.
    var message: CameraMessage { CameraMessage(camera.state, cameras: choices.withLock { $0 }) }

    /// The camera as it is now, with the cameras that there are now.
    func refreshed() async -> CameraMessage {
        let found = await camera.cameras().map { description in
            CameraDetails.Choice(
                path: description.node.stablePaths.first ?? description.node.path, card: description.card)
        }
        choices.withLock { $0 = found }
        return message
    }

    /// Tells of the camera's state and of what is in view, until the camera ends or the task is cancelled.
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
            // The stream keeps the newest alone meanwhile.
            guard (try? await Task.sleep(for: Self.viewPause)) != nil else { return }
        }
    }
}
