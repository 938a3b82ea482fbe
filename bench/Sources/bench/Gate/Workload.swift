internal import BarcodeCore
internal import BarcodeDecoding
internal import ImageCodecs

/// A piece of work whose instructions are counted: a stage on a sample, or a sample's whole way.
struct Workload {
    var name: String
    /// Makes the work of the folder of samples.
    var prepare: (_ samples: String) throws -> () throws -> Void

    /// The smallest set in which each stage shows by itself.
    static var all: [Workload] {
        [
            stage("load", of: "ean13-progressive.jpg", as: "load_jpeg"),
            stage("load", of: "order-form.png", as: "load_png"),
            stage("load", of: "qr-lossy.webp", as: "load_webp"),
            stage("pyramid", of: "order-form.png"),
            stage("find_qr", of: "order-form.png"),
            stage("find_bars", of: "order-form.png"),
            stage("straighten_qr", of: "qr-version40.png"),
            stage("read_qr", of: "qr-version40.png"),
            stage("straighten_bars", of: "ean13-progressive.jpg"),
            stage("read_ean", of: "ean13-progressive.jpg"),
            stage("read_zbar", of: "order-form.png"),
            whole("qr.png", .normal),
            whole("ean13-progressive.jpg", .fast),
            whole("order-form.png", .normal),
            whole("no-code.jpg", .normal),
        ]
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
