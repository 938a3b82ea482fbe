internal import CLinux
internal import Glibc

/// Reads the keys of an open keyboard.
struct KeyEventReader: Sendable {
    /// What came.
    enum Item: Sendable, Hashable {
        case key(KeyEvent)
        /// The kernel lost events, and which keys are held is no longer known.
        case lost
    }

    /// The events that are read at once; the kernel keeps 64 or more of a device.
    private static let eventCount = 64

    /// Whether events were lost, and the rest of this packet is worth nothing.
    private var isDropping = false

    /// What has come.
    ///
    /// - Throws: ``DeviceError`` where the device can no longer be read.
    mutating func read(
        _ file: borrowing DeviceFile, path: String, at time: Duration
    ) throws(DeviceError) -> [Item] {
        let size = MemoryLayout<input_event>.size
        guard let bytes = try file.read(upTo: size * Self.eventCount, path: path) else { return [] }
        var items: [Item] = []
        // The kernel gives whole events alone.
        for start in stride(from: 0, through: bytes.count - size, by: size) {
            let event = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: input_event.self) }
            if let item = take(event, at: time) { items.append(item) }
        }
        return items
    }

    private mutating func take(_ event: input_event, at time: Duration) -> Item? {
        if Int32(event.type) == EV_SYN {
            isDropping = Int32(event.code) == SYN_DROPPED
            return isDropping ? .lost : nil
        }
        guard !isDropping, Int32(event.type) == EV_KEY, let action = KeyEvent.Action(rawValue: event.value) else {
            return nil
        }
        return .key(KeyEvent(key: event.code, action: action, time: time))
    }
}
