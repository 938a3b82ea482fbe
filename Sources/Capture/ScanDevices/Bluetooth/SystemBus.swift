internal import CSystemd
internal import Glibc

/// The sole owner of a non-blocking connection to the D-Bus system bus.
///
/// It uses sd-bus of libsystemd. Replies are matched to calls by number; there are no callbacks.
struct SystemBus: ~Copyable {
    /// The deepest nesting of values in a message; BlueZ needs less.
    private static let maximumDepth = 16

    private let bus: OpaquePointer
    /// The call numbers by their serial numbers on the bus.
    private var calls: [UInt64: UInt64]

    /// Connects to the system bus, or to the bus at another address.
    ///
    /// - Throws: the reason why it cannot be reached.
    init(address: String?) throws(BusError) {
        var opened: OpaquePointer?
        var result: Int32
        if let address {
            result = sd_bus_new(&opened)
            if result >= 0 { result = sd_bus_set_address(opened, address) }
            if result >= 0 { result = sd_bus_set_bus_client(opened, 1) }
            if result >= 0 { result = sd_bus_start(opened) }
        } else {
            result = sd_bus_open_system(&opened)
        }
        guard result >= 0, let opened else {
            sd_bus_unref(opened)
            throw BusError(number: -result)
        }
        bus = opened
        // Not where it is declared: Swift 6.2 would destroy it uninitialized where this throws.
        calls = [:]
    }

    deinit { sd_bus_close_unref(bus) }

    /// The descriptor to poll, with the events to wait for.
    var poll: pollfd {
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: max(0, sd_bus_get_events(bus))), revents: 0)
    }

    /// The time of the next call of ``process(_:)`` if no input comes; `nil` if nothing is pending.
    var deadline: Duration? {
        var time: UInt64 = 0
        guard sd_bus_get_timeout(bus, &time) >= 0, time < UInt64(Int64.max) else { return nil }
        return .microseconds(Int64(time))
    }

    /// Sends a call; its reply carries the same number.
    ///
    /// - Throws: the reason why it cannot be sent.
    mutating func send(_ call: BusCall, number: UInt64) throws(BusError) {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        try BusError.check(
            sd_bus_message_new_method_call(bus, &message, call.destination, call.path, call.interface, call.member))
        for argument in call.arguments { try Self.append(argument, to: message) }
        var serial: UInt64 = 0
        try BusError.check(sd_bus_send(bus, message, &serial))
        calls[serial] = number
    }

    /// Writes all pending output.
    func flush() { sd_bus_flush(bus) }

    /// Processes all pending input.
    ///
    /// - Parameter take: receives each message.
    /// - Throws: the reason why the bus is gone.
    mutating func process(_ take: (BusMessage) -> Void) throws(BusError) {
        while true {
            var message: OpaquePointer?
            defer { sd_bus_message_unref(message) }
            let result = sd_bus_process(bus, &message)
            try BusError.check(result)
            if let message, let read = read(message) { take(read) }
            if result == 0 { return }
        }
    }

    private mutating func read(_ message: OpaquePointer) -> BusMessage? {
        var kind: UInt8 = 0
        guard sd_bus_message_get_type(message, &kind) >= 0 else { return nil }
        switch Int(kind) {
        case SD_BUS_MESSAGE_SIGNAL:
            return .signal(
                sender: Self.text(sd_bus_message_get_sender(message)),
                path: Self.text(sd_bus_message_get_path(message)),
                interface: Self.text(sd_bus_message_get_interface(message)),
                member: Self.text(sd_bus_message_get_member(message)), body: Self.body(message))
        case SD_BUS_MESSAGE_METHOD_RETURN:
            return number(of: message).map { .reply($0, body: Self.body(message)) }
        case SD_BUS_MESSAGE_METHOD_ERROR:
            guard let number = number(of: message) else { return nil }
            let error = sd_bus_message_get_error(message)
            return .failure(number, name: Self.text(error?.pointee.name), text: Self.text(error?.pointee.message))
        default: return nil
        }
    }

    private mutating func number(of message: OpaquePointer) -> UInt64? {
        var serial: UInt64 = 0
        guard sd_bus_message_get_reply_cookie(message, &serial) >= 0 else { return nil }
        return calls.removeValue(forKey: serial)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}

// MARK: values

extension SystemBus {
    private static func append(_ value: BusValue, to message: OpaquePointer?) throws(BusError) {
        switch value {
        case .text(let text):
            try BusError.check(text.withCString { sd_bus_message_append_basic(message, Kind.text, $0) })
        case .flag(let flag):
            var number: Int32 = flag ? 1 : 0
            try BusError.check(sd_bus_message_append_basic(message, Kind.flag, &number))
        case .table(let table):
            try BusError.check(sd_bus_message_open_container(message, Kind.array, "{sv}"))
            for (key, value) in table.sorted(by: { $0.key < $1.key }) {
                try BusError.check(sd_bus_message_open_container(message, Kind.entry, "sv"))
                try append(.text(key), to: message)
                let signature = if case .flag = value { "b" } else { "s" }
                try BusError.check(sd_bus_message_open_container(message, Kind.variant, signature))
                try append(value, to: message)
                try BusError.check(sd_bus_message_close_container(message))
                try BusError.check(sd_bus_message_close_container(message))
            }
            try BusError.check(sd_bus_message_close_container(message))
        case .number, .bytes, .list: throw BusError(number: EINVAL)
        }
    }

    /// The D-Bus type codes that are used here.
    private enum Kind {
        static let text = CChar(UInt8(ascii: "s"))
        static let flag = CChar(UInt8(ascii: "b"))
        static let array = CChar(UInt8(ascii: "a"))
        static let entry = CChar(UInt8(ascii: "e"))
        static let variant = CChar(UInt8(ascii: "v"))
        static let structure = CChar(UInt8(ascii: "r"))
    }

    private static func body(_ message: OpaquePointer) -> [BusValue] {
        var values: [BusValue] = []
        while let value = value(message, depth: 0) { values.append(value) }
        return values
    }

    /// Returns the next value; `nil` if there is none, or if its type is not supported.
    private static func value(_ message: OpaquePointer, depth: Int) -> BusValue? {
        var kind: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard depth < maximumDepth, sd_bus_message_peek_type(message, &kind, &contents) > 0 else { return nil }
        switch kind {
        case Kind.variant, Kind.structure, Kind.entry, Kind.array:
            if kind == Kind.array, text(contents) == "y" { return bytes(message) }
            guard sd_bus_message_enter_container(message, kind, contents) > 0 else { return nil }
            defer { sd_bus_message_exit_container(message) }
            let isTable = kind == Kind.array && contents?.pointee == CChar(UInt8(ascii: "{"))
            if isTable { return table(message, depth: depth) }
            var values: [BusValue] = []
            while let value = value(message, depth: depth + 1) { values.append(value) }
            return kind == Kind.variant ? values.first : .list(values)
        default: return basic(message, kind)
        }
    }

    private static func table(_ message: OpaquePointer, depth: Int) -> BusValue {
        var table: [String: BusValue] = [:]
        while case .list(let pair)? = value(message, depth: depth + 1) {
            guard pair.count == 2 else { continue }
            switch pair[0] {
            case .text(let key): table[key] = pair[1]
            case .number(let key): table[String(key)] = pair[1]
            default: continue
            }
        }
        return .table(table)
    }

    private static func bytes(_ message: OpaquePointer) -> BusValue? {
        var pointer: UnsafeRawPointer?
        var count = 0
        guard sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &pointer, &count) >= 0 else { return nil }
        return .bytes(Array(UnsafeRawBufferPointer(start: pointer, count: count)))
    }

    private static func basic(_ message: OpaquePointer, _ kind: CChar) -> BusValue? {
        func read<Value>(_ value: Value) -> Value? {
            var value = value
            return withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, kind, $0) } > 0
                ? value : nil
        }
        switch UInt8(bitPattern: kind) {
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
            return read(UnsafePointer<CChar>?.none).map { .text(text($0)) }
        case UInt8(ascii: "b"): return read(Int32(0)).map { .flag($0 != 0) }
        case UInt8(ascii: "y"): return read(UInt8(0)).map { .number(Int64($0)) }
        case UInt8(ascii: "n"): return read(Int16(0)).map { .number(Int64($0)) }
        case UInt8(ascii: "q"): return read(UInt16(0)).map { .number(Int64($0)) }
        case UInt8(ascii: "i"): return read(Int32(0)).map { .number(Int64($0)) }
        case UInt8(ascii: "u"): return read(UInt32(0)).map { .number(Int64($0)) }
        case UInt8(ascii: "x"): return read(Int64(0)).map { .number($0) }
        case UInt8(ascii: "t"): return read(UInt64(0)).map { .number(Int64(clamping: $0)) }
        // Floating-point numbers and file descriptors are not used.
        default: return sd_bus_message_skip(message, nil) >= 0 ? .list([]) : nil
        }
    }
}

/// The reason why the system bus cannot be used.
struct BusError: Error, Hashable {
    var number: Int32

    static func check(_ result: Int32) throws(BusError) {
        if result < 0 { throw BusError(number: -result) }
    }

    /// The problem and the remedy, as a sentence.
    var sentence: String {
        switch number {
        case ENOENT, ECONNREFUSED:
            "The system's D-Bus, which Bluetooth needs, cannot be reached: install and start the packages dbus and "
                + "bluez."
        case EACCES, EPERM:
            "The system's D-Bus denies this program access. Run it as a user that may use /run/dbus/system_bus_socket."
        default:
            "The connection to the system's D-Bus, which Bluetooth needs, has ended: "
                + "\(String(cString: strerror(number)))."
        }
    }
}
