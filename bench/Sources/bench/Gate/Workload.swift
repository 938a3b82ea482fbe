internal import BarcodeCore
internal import BarcodeDecoding
internal import FrameDecoding
internal import ImageCodecs

/// A piece of work whose instructions are counted.
///
/// It is a stage on a sample, the whole decoding of a sample, or the decoding of a picture of each class, which is
/// rendered if no sample is of that class.
struct Workload {
    var name: String
    /// Creates the work from the folder of samples.
    var prepare: (_ samples: String) throws -> () throws -> Void

    /// The smallest set that covers each stage separately, and each class of picture.
    static var all: [Workload] {
        [
            stage("load", of: "ean13-progressive.jpg", as: "load_jpeg"),
            stage("load", of: "order-form.png", as: "load_png"),
            stage("load", of: "qr-lossy.webp", as: "load_webp"),
            stage("pyramid", of: "order-form.png"),
            stage("find_qr", of: "order-form.png"),
            stage("find_bars", of: "order-form.png"),
            stage("read_qr", of: "qr-version40.png"),
            stage("straighten_bars", of: "ean13-progressive.jpg"),
            stage("read_ean", of: "ean13-progressive.jpg"),
            stage("read_zbar", of: "order-form.png"),
            whole("qr.png", .normal),
            whole("ean13-progressive.jpg", .fast),
            whole("order-form.png", .normal),
            whole("no-code.jpg", .normal),
        ] + classes
    }

    /// One workload per class of picture, from pixels to codes, so that the cost of loading hides nothing.
    private static var classes: [Workload] {
        [
            drawn("photo_qr", width: 1632, height: 1224, ("qr.png", 0.3, 21)),
            drawn("photo_linear", width: 1152, height: 864, ("ean13.png", 0.5, -14)),
            drawn("photo_none", width: 1152, height: 864),
            decoded("small_qr", of: "qr-rotated37.png"),
            decoded("small_linear", of: "code128.png"),
            decoded("small_stacked", of: "databar-expanded-stacked.png"),
            decoded("page_of_many", of: "qr-sheet.png"),
            tracked("camera_qr", ("qr.png", 0.4)),
        ]
    }

    /// The decoding of a sample's pixels.
    private static func decoded(_ name: String, of sample: String) -> Workload {
        Workload(name: "class_\(name)") { samples in
            let image = try ImageLoader().load(contentsOf: samples + sample).image
            return { keep(try BarcodeDecoder().decode(image)) }
        }
    }

    /// The decoding of a rendered photo.
    ///
    /// The sample is in the middle, with its size as a share of the height and its angle in degrees; without a
    /// sample, the photo has no code.
    private static func drawn(
        _ name: String, width: Int, height: Int, _ item: (sample: String, size: Double, angle: Double)? = nil
    ) -> Workload {
        Workload(name: "class_\(name)") { samples in
            let items = try item.map { item in
                try scene(samples + item.sample, size: item.size, angle: item.angle, at: 0.5)
            }
            let image = SceneRenderer(width: width, height: height).render(items.map { [$0] } ?? [], seed: 7)
            return { keep(try BarcodeDecoder().decode(image)) }
        }
    }

    /// The frames of a camera while a sample moves through the picture: the first is searched completely, the next
    /// ones around the symbol.
    private static func tracked(_ name: String, _ item: (sample: String, size: Double)) -> Workload {
        Workload(name: "class_\(name)") { samples in
            let renderer = SceneRenderer(width: 1280, height: 720)
            let frames = try (0..<5).map { index in
                renderer.render(
                    [try scene(samples + item.sample, size: item.size, angle: 9, at: 0.4 + 0.02 * Double(index))],
                    seed: UInt64(index))
            }
            return {
                var decoder = FrameDecoder()
                for (index, frame) in frames.enumerated() {
                    keep(try decoder.decode(frame, at: .milliseconds(index * 33)))
                }
            }
        }
    }

    private static func scene(
        _ sample: String, size: Double, angle: Double, at x: Double
    ) throws -> SceneRenderer.Item {
        SceneRenderer.Item(
            symbol: try ImageLoader().load(contentsOf: sample).image, center: Point(x: x, y: 0.5), size: size,
            angle: angle)
    }

    private static func stage(_ stage: String, of sample: String, as name: String? = nil) -> Workload {
        Workload(name: "\(name ?? stage) \(sample)") { samples in
            guard let found = try Stages(samples + sample).all.last(where: { $0.name == stage }) else {
                throw BenchError("\(sample) has no stage \(stage): its symbol was not found")
            }
            return found.run
        }
    }

    private static func whole(_ sample: String, _ effort: DecodeOptions.Effort) -> Workload {
        Workload(name: "whole_\(effort) \(sample)") { samples in
            { keep(try BarcodeDecoder().decode(contentsOf: samples + sample, options: DecodeOptions(effort: effort))) }
        }
    }
}
