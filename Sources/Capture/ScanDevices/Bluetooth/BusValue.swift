/// A value of a D-Bus message, as far as it is needed here.
indirect enum BusValue: Sendable, Hashable {
    case flag(Bool)
    case number(Int64)
    /// A string, an object's path or a signature.
    case text(String)
    /// An array of bytes.
    case bytes([UInt8])
    case list([BusValue])
    /// A dictionary; keys that are numbers are written in decimal.
    case table([String: BusValue])

    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var table: [String: BusValue]? { if case .table(let table) = self { table } else { nil } }
    var list: [BusValue]? { if case .list(let list) = self { list } else { nil } }

    var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        // An array without elements says nothing of their kind.
        case .list(let list) where list.isEmpty: []
        default: nil
        }
    }
}

/// A call of a method on the bus.
struct BusCall: Sendable, Hashable {
    /// Whose method it is; the bus itself unless said otherwise.
    var destination = "org.freedesktop.DBus"
    var path: String
    var interface: String
    var member: String
    /// Texts and tables, the only arguments that are needed here.
    var arguments: [BusValue] = []
}

/// What comes from the bus.
enum BusMessage: Sendable, Hashable {
    /// A signal; the sender is a unique name, or that of the bus.
    case signal(sender: String, path: String, interface: String, member: String, body: [BusValue])
    /// The answer to the call of this number.
    case reply(UInt64, body: [BusValue])
    /// The call of this number failed, with the name of an error and what it says.
    case failure(UInt64, name: String, text: String)
}
