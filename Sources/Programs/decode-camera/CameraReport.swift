import BarcodeCore
import DecodeReports
import FrameDecoding
import VideoCapture

/// A line of JSON for one frame: the object of `decode-image --json` with an additional object `camera`.
struct CameraReport: Encodable {
    private var report: DecodeReport
    private var camera: Details

    private struct Details: Encodable {
        var sequence: UInt32
        var timestamp: Double
        var latencyMilliseconds: Double
        var card: String?
        var device: String?
        var dropped: Int
        var skipped: Int
    }

    private enum Key: String, CodingKey {
        case camera
    }

    /// Creates the report of a frame.
    ///
    /// - Parameters:
    ///   - load: the time taken to read the frame from a recording; zero for a camera.
    ///   - camera: the path and the name of the camera; `nil` for a recording.
    init(_ result: FrameResult, load: Duration, camera: (path: String, card: String)?) {
        let frame = result.frame
        report = DecodeReport(source: PictureName(frame.source ?? camera?.path ?? "-"))
        report.width = frame.image.width * frame.scale
        report.height = frame.image.height * frame.scale
        report.symbols = result.reading.newSymbols
        report.loadMilliseconds = load.milliseconds
        report.decodeMilliseconds = result.decodeTime.milliseconds
        self.camera = Details(
            sequence: frame.sequence, timestamp: (frame.timestamp / .microseconds(1)).rounded() / 1e6,
            latencyMilliseconds: (result.latency.milliseconds * 1000).rounded() / 1000, card: camera?.card,
            device: camera?.path, dropped: frame.counts.dropped,
            skipped: frame.counts.superseded + frame.counts.overwritten)
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(camera, forKey: .camera)
    }
}

extension Duration {
    /// The duration in milliseconds.
    var milliseconds: Double { self / .milliseconds(1) }
}
