internal import CLinux
internal import Glibc

/// A scanner in keyboard mode, through the kernel's evdev interface.
final class KeyboardConnection: DeviceConnection {
    private let file: DeviceFile
    private let path: String
    private var decoder: KeyScanDecoder
    private var events = KeyEventReader()

    /// Grabs a device exclusively.
    ///
    /// - Throws: ``DeviceError``; EBUSY if another program has grabbed it.
    init(path: String, gun: DeviceConfiguration.Gun) throws(DeviceError) {
        let file = try DeviceFile(path)
        let result = qz_input_grab(file.descriptor)
        guard result >= 0 else { throw DeviceError(number: -result, path: path, action: "taken") }
        // Kernels before 3.4 cannot do this; they use the wall clock, which is harmless, because only differences
        // matter.
        _ = qz_input_use_monotonic_clock(file.descriptor)
        self.file = file
        self.path = path
        decoder = KeyScanDecoder(
            layout: .named(gun.layout) ?? .us, framing: gun.framing, separatorKeys: gun.separatorKeys)
    }

    var descriptor: Int32 { file.descriptor }
    var deadline: Duration? { decoder.deadline }
    var isReady: Bool { decoder.isReady }

    func join(at time: Duration) { decoder.join(at: time) }

    func read(at time: Duration) throws(DeviceError) -> [DeviceEvent.Kind] {
        try events.read(file, path: path, at: time).compactMap { item in
            switch item {
            case .key(let event): return decoder.handle(event).map { .init($0) }
            case .lost:
                decoder.loseInput(at: time)
                return nil
            }
        }
    }

    func advance(to time: Duration) -> [DeviceEvent.Kind] { decoder.advance(to: time).map { [.init($0)] } ?? [] }

    func disconnect() -> [DeviceEvent.Kind] { decoder.disconnect().map { [.init($0)] } ?? [] }
}
