/// A key press or release of the kernel (`struct input_event` of type `EV_KEY`).
public struct KeyEvent: Sendable, Hashable {
    /// The kind of key event.
    public enum Action: Int32, Sendable, Hashable {
        case released = 0
        case pressed = 1
        /// The kernel's autorepeat of a held key; scanners do not hold keys.
        case repeated = 2
    }

    /// The key code (`linux/input-event-codes.h`).
    public var key: UInt16
    /// The kind of event.
    public var action: Action
    /// The time on a monotonic clock.
    public var time: Duration

    /// Creates a key event.
    public init(key: UInt16, action: Action, time: Duration) {
        self.key = key
        self.action = action
        self.time = time
    }
}

/// Key codes of the kernel with a special meaning (`linux/input-event-codes.h`).
enum KeyCode {
    static let tab: UInt16 = 15
    static let enter: UInt16 = 28
    static let leftControl: UInt16 = 29
    static let leftShift: UInt16 = 42
    static let rightShift: UInt16 = 54
    static let leftAlt: UInt16 = 56
    static let capsLock: UInt16 = 58
    static let keypadEnter: UInt16 = 96
    static let rightControl: UInt16 = 97
    static let rightAlt: UInt16 = 100

    /// The characters of the keypad, equal in all layouts: scanners mean a point even if the keypad has a comma.
    static let keypad: [UInt16: Unicode.Scalar] = [
        55: "*", 71: "7", 72: "8", 73: "9", 74: "-", 75: "4", 76: "5", 77: "6", 78: "+", 79: "1", 80: "2", 81: "3",
        82: "0", 83: ".", 98: "/", 117: "=", 121: ",",
    ]

    /// The key codes of function keys by their names in the configuration, such as `f8`.
    static let functionKeys: [String: UInt16] = {
        var keys: [String: UInt16] = ["f11": 87, "f12": 88]
        for number in 1...10 { keys["f\(number)"] = 58 + UInt16(number) }
        for number in 13...24 { keys["f\(number)"] = 170 + UInt16(number) }
        return keys
    }()
}
