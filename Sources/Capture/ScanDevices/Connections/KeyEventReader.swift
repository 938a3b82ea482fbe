internal import CLinux
internal import Glibc

/// Reads the key events of an open keyboard.
struct KeyEventReader: Sendable {
    /// A key event or a gap.
    enum Item: Sendable, Hashable {
        case key(KeyEvent)
        /// The kernel lost events, so the set of held keys is no longer known.
        case lost
    }

    /// The number of events per read; the kernel buffers 64 or more per device.
    private static let eventCount = 64

    /// Indicates whether events were lost, so that the rest of this packet is invalid.
    private var isDropping = false

    /// Reads the pending events.
    ///
    /// - Throws: ``DeviceError`` if the device can no longer be read.
    mutating func read(
        _ file: borrowing DeviceFile, path: String, at time: Duration
    ) throws(DeviceError) -> [Item] {
        let size = MemoryLayout<input_event>.size
        guard let bytes = try file.read(upTo: size * Self.eventCount, path: path) else { return [] }
        var items: [Item] = []
        // The kernel only returns whole events.
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
