import DecodeReports

/// The reason why a line is not a report of `decode-image --json`.
enum LineFault {
    /// The fields with base64 text.
    private static let base64: Set = ["rawBytes", "sourceBytes"]

    /// A clause for people, which names the field but omits its content.
    static func sentence(_ error: any Error, in line: [UInt8]) -> String {
        if let place = firstFault(of: line) { return "it is not UTF-8 from byte \(place) on" }
        guard let error = error as? DecodingError else { return "it is not a report of decode-image --json" }
        switch error {
        case .dataCorrupted(let context):
            guard let last = context.codingPath.last else {
                return "it is not JSON; each line must be a report of decode-image --json"
            }
            let field = field(context.codingPath)
            if base64.contains(last.stringValue) { return "\(field) is not base64" }
            if last.stringValue == "schema" { return context.debugDescription }
            return "it is JSON, but not a report of decode-image --json: \(field) has an invalid value"
        case .keyNotFound(let key, let context):
            return
                "it is JSON, but not a report of decode-image --json: \(field(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let field = field(context.codingPath)
            return "it is JSON, but not a report of decode-image --json: "
                + (field.isEmpty ? "it is not an object" : "\(field) is missing or of another type")
        @unknown default: return "it is not a report of decode-image --json"
        }
    }

    /// The path of the field, such as `symbols[0].rawBytes`.
    private static func field(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { name, key in
            if let index = key.intValue {
                name += "[\(index)]"
            } else {
                name += (name.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }

    /// The position of the first invalid UTF-8 byte, counted from 1; `nil` if there is none.
    private static func firstFault(of line: [UInt8]) -> Int? {
        var decoder = UTF8()
        var bytes = line.makeIterator()
        var length = 0
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): length += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return length + 1
            }
        }
    }
}
