internal import CInput
internal import Glibc

/// A gun that plays a keyboard, by the kernel's evdev interface.
final class KeyboardConnection: DeviceConnection {
    /// The events that are read at once; the kernel keeps 64 or more of a device.
    private static let eventCount = 64

    private let file: DeviceFile
    private let path: String
    private var decoder: KeyScanDecoder
    /// Whether events were lost, and the rest of this packet is worth nothing.
    private var isDropping = false

    /// Takes a device for this program alone.
    ///
    /// - Throws: ``DeviceError``; EBUSY where another program has it.
    init(path: String, gun: DeviceConfiguration.Gun) throws(DeviceError) {
        let file = try DeviceFile(path)
        let result = qz_input_grab(file.descriptor)
        guard result >= 0 else { throw DeviceError(number: -result, path: path, action: "taken") }
        // Kernels before 3.4 cannot; the times are those of the wall clock then, and only their differences are used.
        _ = qz_input_use_monotonic_clock(file.descriptor)
        self.file = file
        self.path = path
        decoder = KeyScanDecoder(
            layout: .named(gun.layout) ?? .us, framing: gun.framing, separatorKeys: gun.separatorKeys)
    }

    var descriptor: Int32 { file.descriptor }
    var deadline: Duration? { decoder.deadline }

    func read(at time: Duration) throws(DeviceError) -> [DeviceEvent.Kind] {
        let size = MemoryLayout<input_event>.size
        guard let bytes = try file.read(upTo: size * Self.eventCount, path: path) else { return [] }
        var kinds: [DeviceEvent.Kind] = []
        // The kernel gives whole events alone.
        for start in stride(from: 0, through: bytes.count - size, by: size) {
            let event = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: input_event.self) }
            if let scan = take(event, at: time) { kinds.append(DeviceEvent.Kind(scan)) }
        }
        return kinds
    }

    func advance(to time: Duration) -> [DeviceEvent.Kind] { decoder.advance(to: time).map { [.init($0)] } ?? [] }

    func disconnect() -> [DeviceEvent.Kind] { decoder.disconnect().map { [.init($0)] } ?? [] }

    private func take(_ event: input_event, at time: Duration) -> FramedScan? {
        if Int32(event.type) == EV_SYN {
            if Int32(event.code) == SYN_DROPPED {
                isDropping = true
                decoder.loseInput(at: time)
            } else {
                isDropping = false
            }
            return nil
        }
        guard !isDropping, Int32(event.type) == EV_KEY, let action = KeyEvent.Action(rawValue: event.value) else {
            return nil
        }
        return decoder.handle(KeyEvent(key: event.code, action: action, time: time))
    }
}
