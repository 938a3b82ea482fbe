internal import CLinux
internal import Glibc

/// A scanner or scale in HID POS mode, through the kernel's hidraw interface.
final class HIDConnection: DeviceConnection {
    /// The longest report in bytes (`HID_MAX_BUFFER_SIZE`).
    private static let maximumReport = 16_384

    private enum Decoder {
        case gun(HIDScanDecoder)
        case scale(HIDScaleDecoder)
    }

    private let file: DeviceFile
    private let path: String
    private var decoder: Decoder

    /// Opens a device.
    ///
    /// - Throws: ``DeviceError``; ENOMSG if its report descriptor is not that of a scanner or scale.
    init(path: String, role: DeviceConfiguration.Role) throws(DeviceError) {
        let file = try DeviceFile(path)
        let descriptor = Self.reportDescriptor(of: file)
        switch role {
        case .gun(let gun):
            guard let decoder = HIDScanDecoder(descriptor, maximumLength: gun.framing.maximumLength) else {
                throw DeviceError(number: ENOMSG, path: path, action: "read as a scanner in HID POS mode")
            }
            self.decoder = .gun(decoder)
        case .scale, .sensor:
            guard let decoder = HIDScaleDecoder(descriptor) else {
                throw DeviceError(number: ENOMSG, path: path, action: "read as a scale in HID POS mode")
            }
            self.decoder = .scale(decoder)
        }
        self.file = file
        self.path = path
    }

    /// Reads the HID report descriptor of an open device.
    static func reportDescriptor(of file: borrowing DeviceFile) -> HIDReportDescriptor {
        let number = file.descriptor
        return HIDReportDescriptor(
            [UInt8](unsafeUninitializedCapacity: HIDReportDescriptor.maximumLength) { buffer, count in
                count = max(0, Int(qz_hidraw_descriptor(number, buffer.baseAddress, buffer.count)))
            })
    }

    var descriptor: Int32 { file.descriptor }
    var deadline: Duration? { if case .gun(let gun) = decoder { gun.deadline } else { nil } }
    var isReady: Bool { if case .gun(let gun) = decoder { gun.isReady } else { true } }

    func join(at time: Duration) {
        guard case .gun(var gun) = decoder else { return }
        gun.join(at: time)
        decoder = .gun(gun)
    }

    func read(at time: Duration) throws(DeviceError) -> [DeviceEvent.Kind] {
        guard let report = try file.read(upTo: Self.maximumReport, path: path) else { return [] }
        switch decoder {
        case .gun(var gun):
            let scan = gun.handle(report, at: time)
            decoder = .gun(gun)
            return scan.map { [.init($0)] } ?? []
        case .scale(let scale): return scale.decode(report).map { [.scale($0)] } ?? []
        }
    }

    func advance(to time: Duration) -> [DeviceEvent.Kind] {
        guard case .gun(var gun) = decoder else { return [] }
        let scan = gun.advance(to: time)
        decoder = .gun(gun)
        return scan.map { [.init($0)] } ?? []
    }

    func disconnect() -> [DeviceEvent.Kind] {
        guard case .gun(var gun) = decoder else { return [] }
        let scan = gun.disconnect()
        decoder = .gun(gun)
        return scan.map { [.init($0)] } ?? []
    }
}
