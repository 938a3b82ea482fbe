/// An open device that turns its input into events.
///
/// Each is used by one thread, that of its ``DeviceMonitor``.
protocol DeviceConnection: AnyObject {
    /// The descriptor to poll.
    var descriptor: Int32 { get }
    /// The time of the next call of ``advance(to:)``; `nil` while nothing is pending.
    var deadline: Duration? { get }
    /// Indicates whether the next input is the beginning of a message.
    var isReady: Bool { get }
    /// Says that the device may already be in the middle of a code, so that a partial code is not reported.
    func join(at time: Duration)
    /// Reads the pending input.
    ///
    /// - Throws: ``DeviceError`` if the device can no longer be read.
    func read(at time: Duration) throws(DeviceError) -> [DeviceEvent.Kind]
    /// Advances the time.
    func advance(to time: Duration) throws(DeviceError) -> [DeviceEvent.Kind]
    /// Ends the input, because the device is gone.
    func disconnect() -> [DeviceEvent.Kind]
}

extension DeviceEvent.Kind {
    /// Creates an event from a framed scan.
    init(_ scan: FramedScan) {
        switch scan {
        case .scan(let scan): self = .scan(scan)
        case .discarded(let reason, let length): self = .discarded(reason, length: length)
        }
    }
}
