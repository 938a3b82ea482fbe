internal import BarcodeCore
internal import StationDevices
internal import VideoCapture

/// The camera, as sent to clients.
typealias CameraMessage = SourceMessage<CameraDetails>

/// The fields of a camera message that other sources do not have.
struct CameraDetails: Encodable, Sendable {
    struct Region: Codable, Sendable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    struct Control: Encodable, Sendable {
        var name: String
        var minimum: Int
        var maximum: Int
        var step: Int
        var `default`: Int
        var value: OrNull<Int>
        var menu: [String: String]
        var settable: Bool
    }

    struct AvailableCamera: Encodable, Sendable {
        var path: String
        var card: String
    }

    var card: OrNull<String>
    var width: OrNull<Int>
    var height: OrNull<Int>
    var rate: Double
    var mode: String
    var region: OrNull<Region>
    var controls: [Control]
    var cameras: [AvailableCamera]

    init(_ state: StationCamera.State, cameras: [AvailableCamera]) {
        card = OrNull(state.card)
        width = OrNull(state.size?.width)
        height = OrNull(state.size?.height)
        rate = (state.rate * 10).rounded() / 10
        mode = state.mode.rawValue
        region = OrNull(state.region.map { Region(x: $0.x, y: $0.y, width: $0.width, height: $0.height) })
        controls = state.controls.map { control in
            Control(
                name: control.name, minimum: control.range.lowerBound, maximum: control.range.upperBound,
                step: control.step, default: control.defaultValue, value: OrNull(control.value),
                menu: Dictionary(control.menu.map { (String($0), $1) }) { first, _ in first },
                settable: control.isSettable)
        }
        self.cameras = cameras
    }
}

extension CameraMessage {
    init(_ state: StationCamera.State, cameras: [CameraDetails.AvailableCamera]) {
        self.init(
            state.status, problem: state.problem, path: state.path, details: CameraDetails(state, cameras: cameras))
    }
}

/// The symbols in view, as sent to clients.
struct ViewMessage: Encodable {
    struct VisibleSymbol: Encodable {
        var format: String
        var text: String
        var corners: [[Double]]

        init(_ symbol: Symbol) {
            format = symbol.symbology.rawValue
            text = symbol.text
            corners = symbol.corners.points.map { [($0.x * 10).rounded() / 10, ($0.y * 10).rounded() / 10] }
        }
    }

    var width: Int
    var height: Int
    var symbols: [VisibleSymbol]

    init(_ view: StationCamera.View) {
        width = view.size.width
        height = view.size.height
        symbols = view.symbols.map(VisibleSymbol.init)
    }
}
