/// A value of a D-Bus message; only the types that are needed here.
indirect enum BusValue: Sendable, Hashable {
    case flag(Bool)
    case number(Int64)
    /// A string, an object path or a signature.
    case text(String)
    /// An array of bytes.
    case bytes([UInt8])
    case list([BusValue])
    /// A dictionary; numeric keys are written in decimal.
    case table([String: BusValue])

    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var table: [String: BusValue]? { if case .table(let table) = self { table } else { nil } }
    var list: [BusValue]? { if case .list(let list) = self { list } else { nil } }

    var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        // An empty list does not show the type of its elements.
        case .list(let list) where list.isEmpty: []
        default: nil
        }
    }
}

/// A method call on the bus.
struct BusCall: Sendable, Hashable {
    /// The destination of the call; the bus itself by default.
    var destination = "org.freedesktop.DBus"
    var path: String
    var interface: String
    var member: String
    /// The arguments; only texts, flags and tables are supported.
    var arguments: [BusValue] = []
}

/// A message from the bus.
enum BusMessage: Sendable, Hashable {
    /// A signal; the sender is a unique name, or the name of the bus.
    case signal(sender: String, path: String, interface: String, member: String, body: [BusValue])
    /// The reply to the call with this number.
    case reply(UInt64, body: [BusValue])
    /// The error reply to the call with this number, with the error's name and message.
    case failure(UInt64, name: String, text: String)
}
