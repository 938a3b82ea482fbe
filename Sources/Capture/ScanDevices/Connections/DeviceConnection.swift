/// An open device: what comes from it, as events.
///
/// Each is used by one thread, that of its ``DeviceMonitor``.
protocol DeviceConnection: AnyObject {
    /// The file to wait for.
    var descriptor: Int32 { get }
    /// When ``advance(to:)`` has something to do; nil while nothing waits.
    var deadline: Duration? { get }
    /// Whether what comes next is read from its beginning, and not amid a message.
    var isReady: Bool { get }
    /// Says that the device may be sending already as it is connected: a part of a code is not handed out as a code.
    func join(at time: Duration)
    /// Takes what has come.
    ///
    /// - Throws: ``DeviceError`` where the device can no longer be read.
    func read(at time: Duration) throws(DeviceError) -> [DeviceEvent.Kind]
    /// Takes that time has passed.
    func advance(to time: Duration) throws(DeviceError) -> [DeviceEvent.Kind]
    /// Takes that the device is gone.
    func disconnect() -> [DeviceEvent.Kind]
}

extension DeviceEvent.Kind {
    /// What came out of what a gun sent.
    init(_ scan: FramedScan) {
        switch scan {
        case .scan(let scan): self = .scan(scan)
        case .discarded(let reason, let length): self = .discarded(reason, length: length)
        }
    }
}
