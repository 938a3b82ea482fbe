internal import CLinux
internal import Glibc

/// A virtual keyboard through the kernel's uinput; for one thread.
public final class VirtualKeyboard {
    /// The reason why there is no keyboard, or why it does not type.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// A clause with the remedy.
        public let description: String
    }

    /// The part of a text that was typed.
    public enum Ending: Sendable, Hashable {
        /// All of it.
        case whole
        /// Only its beginning, with the reason.
        case part(String)
        /// None of it, with the reason.
        case nothing(String)
    }

    /// The device file through which the kernel creates keyboards.
    public static let path = "/dev/uinput"
    /// The time that desktops take to notice a new keyboard; keys that are typed earlier are lost.
    private static let settling: Duration = .seconds(1)

    private let descriptor: Int32
    private let readyAt: ContinuousClock.Instant
    private var hasCapsLock = false

    /// Creates a keyboard.
    ///
    /// - Throws: ``Failure`` if the device cannot be opened.
    public init(name: String, path: String = VirtualKeyboard.path) throws(Failure) {
        descriptor = qz_uinput_keyboard(path, name)
        readyAt = .now + Self.settling
        guard descriptor < 0 else { return }
        let number = -descriptor
        let words = String(cString: strerror(number))
        switch number {
        case EACCES, EPERM:
            throw Failure(
                description:
                    "\(path): \(words); give this user access: see Samples/udev/71-quietzone-keyboard.rules")
        case ENOENT, ENODEV, ENXIO:
            throw Failure(description: "\(path): \(words); load the kernel module: modprobe uinput")
        default: throw Failure(description: "\(path): \(words)")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Indicates whether Caps Lock is on, from the LED that the desktop sets on its keyboards.
    public var isCapital: Bool {
        hasCapsLock = qz_uinput_caps_lock(descriptor, hasCapsLock ? 1 : 0) != 0
        return hasCapsLock
    }

    /// Types, with a pause after each key release.
    ///
    /// - Parameter obstacle: called whenever no key is held; returns the reason to stop, or `nil` to continue.
    /// - Throws: ``Failure``; a part may have been typed by then.
    public func type(
        _ actions: [KeyPlan.Action], pause: Duration, until obstacle: () -> String?
    ) throws(Failure) -> Ending {
        Self.sleep(readyAt - .now)
        return try Self.perform(actions, until: obstacle) { (action) throws(Failure) in
            let result = qz_uinput_key(descriptor, action.key, action.isDown ? 1 : 0)
            guard result < 0 else {
                if !action.isDown { Self.sleep(pause) }
                return
            }
            // Releases all keys.
            for held in Set(actions.map(\.key)) { _ = qz_uinput_key(descriptor, held, 0) }
            throw Failure(description: "the virtual keyboard failed: \(String(cString: strerror(-result)))")
        }
    }

    /// Sends the actions in order, until `obstacle` gives a reason to stop.
    static func perform(
        _ actions: [KeyPlan.Action], until obstacle: () -> String?, send: (KeyPlan.Action) throws(Failure) -> Void
    ) throws(Failure) -> Ending {
        var held: Set<UInt16> = []
        for (index, action) in actions.enumerated() {
            if held.isEmpty, let why = obstacle() { return index == 0 ? .nothing(why) : .part(why) }
            if action.isDown { held.insert(action.key) } else { held.remove(action.key) }
            try send(action)
        }
        return .whole
    }

    private static func sleep(_ duration: Duration) {
        guard duration > .zero else { return }
        let (seconds, attoseconds) = duration.components
        var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var wanted: timespec
        repeat { wanted = left } while nanosleep(&wanted, &left) != 0 && errno == EINTR
    }
}
