import BarcodeCore
import FrameDecoding
import Glibc
import ImageCodecs
import Logging
import Synchronization
import TestSupport
import Testing
import VideoCapture

@testable import StationDevices

/// Pictures of a single gray value, which the tests' decoder takes for a code.
enum GrayCode {
    /// A picture without a code.
    static let blank: UInt8 = 255

    /// Returns the bytes of a fake camera's frame.
    static func bytes(_ value: UInt8) -> [UInt8] {
        [UInt8](repeating: value, count: FakeMode().size.pixels)
    }

    static func image(_ value: UInt8, width: Int = 64, height: Int = 32) -> LumaImage {
        LumaImage(width: width, height: height, pixels: [UInt8](repeating: value, count: width * height))
    }

    /// Returns a symbol in the middle of the picture: a QR code for an even value, an EAN for an odd one.
    static func symbol(_ value: UInt8, in image: LumaImage) -> Symbol {
        let (x, y) = (Double(image.width) / 2, Double(image.height) / 2)
        return Symbol(
            symbology: value % 2 == 0 ? .qrCode : .ean13, symbologyIdentifier: "]X0", bytes: [value], text: "\(value)",
            charset: Charset(name: "us-ascii", source: .validity),
            corners: Quadrilateral(
                topLeft: Point(x: x - 1, y: y - 1), topRight: Point(x: x + 1, y: y - 1),
                bottomRight: Point(x: x + 1, y: y + 1), bottomLeft: Point(x: x - 1, y: y + 1)))
    }

    @Sendable static func read(_ image: LumaImage, _ options: DecodeOptions) -> [Symbol] {
        let value = image[x: image.width / 2, y: image.height / 2]
        guard value != blank else { return [] }
        return [symbol(value, in: image)].filter { options.symbologies.contains($0.symbology) }
    }

    /// Returns a decoder that searches the whole of each frame.
    static func decoder(read: @escaping FrameDecoder.Reader = GrayCode.read) -> FrameDecoder {
        FrameDecoder(settings: FrameDecoder.Settings(fullSearchInterval: 1), read: read)
    }
}

/// A station's camera with a fake device, and its readings.
final class Bench: Sendable {
    let fake: FakeCamera
    let camera: StationCamera

    private final class Told: Sendable {
        let readings = Mutex<[StationCamera.Reading]>([])
    }

    private let heard: Told

    init(
        _ source: StationCamera.Source = .device(path: nil), mode: StationCamera.Mode = .continuous,
        decoder: FrameDecoder = GrayCode.decoder(), _ change: (inout FakeCamera.Setup) -> Void = { _ in }
    ) {
        fake = FakeCamera(isRealTime: true) { setup in
            setup.interval = .milliseconds(4)
            change(&setup)
        }
        let heard = Told()
        self.heard = heard
        camera = StationCamera(
            source: source, mode: mode, decoder: decoder, calls: fake,
            onReading: { reading in heard.readings.withLock { $0.append(reading) } },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// The reported texts, in order.
    var texts: [String] { heard.readings.withLock { $0.flatMap { $0.symbols.map(\.text) } } }

    var readings: [StationCamera.Reading] { heard.readings.withLock { $0 } }

    /// Runs the camera during `body`.
    func run(_ body: (StationCamera) async throws -> Void) async throws {
        let running = Task { try await camera.run() }
        defer { running.cancel() }
        try await body(camera)
        running.cancel()
        try await running.value
        #expect(fake.ledger.openDescriptors == 0)
        #expect(fake.ledger.mappings == 0)
    }

    /// Waits for a state that matches.
    @discardableResult
    func state(where isWanted: (StationCamera.State) -> Bool) async throws -> StationCamera.State {
        var last: StationCamera.State?
        for await state in camera.states() {
            if isWanted(state) { return state }
            last = state
        }
        throw Missing(last: "\(String(describing: last))")
    }

    /// Waits for a condition that frames bring about.
    func frames(until isDone: () -> Bool) async throws {
        for await _ in camera.previews(atMost: 1000) where isDone() { return }
        throw Missing(last: "no more frames")
    }

    struct Missing: Error {
        var last: String
    }
}

/// A temporary folder that is deleted with this object.
final class PictureFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/station-camera-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    private var names: [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = try #require(fopen("\(path)/\(name)", "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    func write(_ value: UInt8, width: Int = 64, height: Int = 32, to name: String) throws {
        try write(
            PNGWriter.encode(
                gray: [UInt8](repeating: value, count: width * height), width: width, height: height), to: name)
    }
}
