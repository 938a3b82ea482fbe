/// A key that went down or up, as the kernel tells it (`struct input_event` of type `EV_KEY`).
public struct KeyEvent: Sendable, Hashable {
    /// What happened to the key.
    public enum Action: Int32, Sendable, Hashable {
        case released = 0
        case pressed = 1
        /// The kernel repeats a key that is held; a gun does not hold keys.
        case repeated = 2
    }

    /// The key code (`linux/input-event-codes.h`).
    public var key: UInt16
    /// What happened to it.
    public var action: Action
    /// When, on a clock that never goes back.
    public var time: Duration

    /// A key that went down or up.
    public init(key: UInt16, action: Action, time: Duration) {
        self.key = key
        self.action = action
        self.time = time
    }
}

/// Key codes of the kernel that mean more than a character (`linux/input-event-codes.h`).
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

    /// The characters of the keypad, which are the same in every layout: guns mean a point where a keypad has a comma.
    static let keypad: [UInt16: Unicode.Scalar] = [
        55: "*", 71: "7", 72: "8", 73: "9", 74: "-", 75: "4", 76: "5", 77: "6", 78: "+", 79: "1", 80: "2", 81: "3",
        82: "0", 83: ".", 98: "/", 117: "=", 121: ",",
    ]

    /// F1 to F24 and others, by the names that the configuration has for them.
    static let functionKeys: [String: UInt16] = {
        var keys: [String: UInt16] = ["f11": 87, "f12": 88]
        for number in 1...10 { keys["f\(number)"] = 58 + UInt16(number) }
        for number in 13...24 { keys["f\(number)"] = 170 + UInt16(number) }
        return keys
    }()
}
