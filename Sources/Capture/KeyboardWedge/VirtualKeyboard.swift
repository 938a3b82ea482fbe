internal import CLinux
internal import Glibc

/// A keyboard that this program plays, by the kernel's uinput; for one thread.
public final class VirtualKeyboard {
    /// Why there is no keyboard, or it does not type.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// A clause with the remedy.
        public let description: String
    }

    /// How much of a text was typed.
    public enum Ending: Sendable, Hashable {
        /// All of it.
        case whole
        /// Only its beginning; why no more was.
        case part(String)
        /// Nothing of it; why not.
        case nothing(String)
    }

    /// Where the kernel makes keyboards.
    public static let path = "/dev/uinput"
    /// How long desktops take to notice a new keyboard; what is typed before is lost.
    private static let settling: Duration = .seconds(1)

    private let descriptor: Int32
    private let readyAt: ContinuousClock.Instant
    private var hasCapsLock = false

    /// Plugs a keyboard in.
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
                    "\(path): \(words); this user needs the right to it: see Samples/udev/71-quietzone-keyboard.rules")
        case ENOENT, ENODEV, ENXIO:
            throw Failure(description: "\(path): \(words); load the kernel's module: modprobe uinput")
        default: throw Failure(description: "\(path): \(words)")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether Caps Lock is on, as the desktop shows it at its keyboards.
    public var isCapital: Bool {
        hasCapsLock = qz_uinput_caps_lock(descriptor, hasCapsLock ? 1 : 0) != 0
        return hasCapsLock
    }

    /// Types, with a pause behind each key that goes up.
    ///
    /// - Parameter obstacle: is asked whenever no key is held; why nothing more may be typed, nil where more may.
    /// - Throws: ``Failure``, when a part may have been typed.
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
            // No key stays down.
            for held in Set(actions.map(\.key)) { _ = qz_uinput_key(descriptor, held, 0) }
            throw Failure(description: "the keyboard does not type: \(String(cString: strerror(-result)))")
        }
    }

    /// Sends the actions one after the other, until one must not follow.
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
