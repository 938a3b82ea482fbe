internal import CLinux
internal import Glibc

/// A scanner or scale at a serial port, RS-232 or USB.
final class SerialConnection: DeviceConnection {
    /// The polling interval of a scale.
    private static let interval: Duration = .milliseconds(250)
    private static let chunk = 4096
    /// The longest reply of a scale in bytes.
    private static let maximumAnswer = 256
    private static let startOfText: UInt8 = 0x02

    private let file: DeviceFile
    private let path: String
    private let scale: (protocol: SerialScaleProtocol, unit: WeightReading.Unit)?
    private var decoder: LineScanDecoder
    private var marks = MarkedBytes()
    /// The bytes of a scale's reply since its last line.
    private var answer: [UInt8] = []
    /// Indicates whether the reply began with STX; without it, the digits may be the rest of a weight.
    private var hasStart = false
    private var nextRequest: Duration?

    /// Opens and configures a port.
    ///
    /// - Throws: ``DeviceError``; EBUSY if another program has locked it.
    init(path: String, line: SerialLine, role: DeviceConfiguration.Role, at time: Duration) throws(DeviceError) {
        let file = try DeviceFile(path, forWriting: true)
        let result = qz_serial_lock(file.descriptor)
        guard result >= 0 else { throw DeviceError(number: -result, path: path, action: "taken") }
        try Self.set(file, to: line, path: path)
        self.file = file
        self.path = path
        switch role {
        case .gun(let gun):
            decoder = LineScanDecoder(framing: gun.framing)
            scale = nil
        case .scale(.serial(let scaleProtocol, let unit)):
            decoder = LineScanDecoder()
            scale = (scaleProtocol, unit)
            nextRequest = time
        case .scale: throw DeviceError(number: EINVAL, path: path, action: "read as a scale of this protocol")
        case .sensor: throw DeviceError(number: EINVAL, path: path, action: "read as a sensor")
        }
    }

    private static func set(_ file: borrowing DeviceFile, to line: SerialLine, path: String) throws(DeviceError) {
        var settings = termios()
        guard tcgetattr(file.descriptor, &settings) == 0 else {
            throw DeviceError(number: errno, path: path, action: "configured as a serial port")
        }
        cfmakeraw(&settings)
        settings.c_cflag &= ~[CSIZE, CSTOPB, PARENB, PARODD].reduce(tcflag_t(CRTSCTS)) { $0 | tcflag_t($1) }
        settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
        settings.c_cflag |= tcflag_t(line.dataBits == 7 ? CS7 : CS8)
        if line.stopBits == 2 { settings.c_cflag |= tcflag_t(CSTOPB) }
        if line.parity != .none { settings.c_cflag |= tcflag_t(PARENB) }
        if line.parity == .odd { settings.c_cflag |= tcflag_t(PARODD) }
        // Bytes with a parity or framing error are marked, so that no corrupted code is reported.
        settings.c_iflag |= tcflag_t(INPCK) | tcflag_t(PARMRK)
        guard let index = SerialLine.speeds.firstIndex(of: line.speed),
            cfsetspeed(&settings, Self.codes[index]) == 0, tcsetattr(file.descriptor, TCSANOW, &settings) == 0
        else { throw DeviceError(number: EINVAL, path: path, action: "set to \(line.speed) bits per second") }
    }

    /// The kernel's constants for ``SerialLine/speeds``.
    private static let codes = [
        B1200, B2400, B4800, B9600, B19200, B38400, B57600, B115200, B230400, B460800, B921600,
    ].map { speed_t($0) }

    var descriptor: Int32 { file.descriptor }
    var deadline: Duration? { nextRequest ?? decoder.deadline }
    var isReady: Bool { decoder.isReady }

    func join(at time: Duration) {
        // A reply of a scale shows by itself if it is complete.
        if scale == nil { decoder.join(at: time) }
    }

    func read(at time: Duration) throws(DeviceError) -> [DeviceEvent.Kind] {
        guard let bytes = try file.read(upTo: Self.chunk, path: path) else { return [] }
        var kinds: [DeviceEvent.Kind] = []
        for byte in bytes {
            switch marks.take(byte) {
            case .byte(let byte):
                if scale != nil {
                    if let message = take(byte) { kinds.append(.scale(message)) }
                } else {
                    kinds += decoder.handle(CollectionOfOne(byte), at: time).map { .init($0) }
                }
            case .damaged:
                (answer, hasStart) = ([], false)
                decoder.loseInput(at: time)
            case nil: break
            }
        }
        return kinds
    }

    func advance(to time: Duration) throws(DeviceError) -> [DeviceEvent.Kind] {
        guard let scale else { return decoder.advance(to: time).map { [.init($0)] } ?? [] }
        guard let due = nextRequest, time >= due else { return [] }
        nextRequest = time + Self.interval
        try ask(scale.protocol.request)
        return []
    }

    func disconnect() -> [DeviceEvent.Kind] { decoder.disconnect().map { [.init($0)] } ?? [] }

    private func take(_ byte: UInt8) -> ScaleMessage? {
        switch byte & 0x7F {
        case 0x0D, 0x0A:
            defer { (answer, hasStart) = ([], false) }
            guard let scale, hasStart || !scale.protocol.beginsWithSTX else { return nil }
            return scale.protocol.decode(answer, scale.unit)
        case Self.startOfText: (answer, hasStart) = ([], true)
        default: if answer.count < Self.maximumAnswer { answer.append(byte) }
        }
        return nil
    }

    private func ask(_ request: [UInt8]) throws(DeviceError) {
        // A port that takes nothing now is asked again.
        guard write(file.descriptor, request, request.count) < 0, errno != EAGAIN, errno != EINTR else { return }
        throw DeviceError(number: errno, path: path, action: "asked for the weight")
    }
}
