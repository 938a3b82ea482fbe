package import FoundationEssentials

/// The named fields of a form, each with a template of its value, such as `barcode={{symbol.text}}`.
///
/// A field is left out if its template refers to a field that the event lacks. A name may occur more than once.
public struct FieldsTemplate: Sendable, Hashable {
    private struct Field: Sendable, Hashable {
        var name: String
        var value: TextTemplate
    }

    private let fields: [Field]

    /// Parses fields, each as `NAME=VALUE`.
    ///
    /// - Throws: ``SyntaxError`` if one has no name, or its template is invalid.
    public init(_ texts: [String]) throws(SyntaxError) {
        var fields: [Field] = []
        for text in texts {
            let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2, !halves[0].isEmpty, !halves[0].contains("{{"), !halves[0].hasControlCharacters
            else {
                throw SyntaxError("\"\(text)\" is not NAME=VALUE, such as barcode={{symbol.text}}")
            }
            fields.append(Field(name: halves[0], value: try TextTemplate(halves[1])))
        }
        self.fields = fields
    }

    private func values(for event: ScanEvent) -> [(name: String, value: String)] {
        fields.compactMap { field in field.value.text(for: event, takesEmpty: true).map { (field.name, $0) } }
    }

    /// The fields as `application/x-www-form-urlencoded`.
    func formBody(for event: ScanEvent) -> Data {
        let pairs = values(for: event).map { $0.name.percentEncoded + "=" + $0.value.percentEncoded }
        return Data(pairs.joined(separator: "&").utf8)
    }

    /// The fields as `multipart/form-data` (RFC 7578).
    ///
    /// No value can contain the boundary, which is random.
    func multipartBody(for event: ScanEvent) -> Data {
        let random = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        var body = MultipartBody(boundary: "quietzone-\(String(random.0, radix: 16))\(String(random.1, radix: 16))")
        for (name, value) in values(for: event) { body.add(name, Data(value.utf8)) }
        return body.data
    }
}

/// A body of `multipart/form-data`, which is complete after each added part.
package struct MultipartBody {
    private let boundary: String
    private var parts: Data

    /// The value of `Content-Type`.
    package var mediaType: String { "\(Self.plainMediaType); boundary=\(boundary)" }

    /// The media type without the boundary.
    package static let plainMediaType = "multipart/form-data"

    init(boundary: String) {
        self.boundary = boundary
        parts = Data()
    }

    /// Parses a body that this type has created, which its last line shows; `nil` for any other data.
    package init?(_ data: Data) {
        let line = data.dropLast(4).suffix(from: data.dropLast(4).lastIndex(of: 0x0A).map { $0 + 1 } ?? data.startIndex)
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix("--quietzone-"), data.suffix(4) == Data("--\r\n".utf8) else { return nil }
        boundary = String(text.dropFirst(2))
        parts = data.prefix(data.count - line.count - 4)
    }

    /// Adds a part; a part with a file name is a file.
    package mutating func add(_ name: String, _ value: Data, fileName: String? = nil, mediaType: String? = nil) {
        var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
        if let fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
        if let mediaType { head += "\r\nContent-Type: \(mediaType)" }
        parts += Data("\(head)\r\n\r\n".utf8) + value + Data("\r\n".utf8)
    }

    /// The body.
    package var data: Data { parts + Data("--\(boundary)--\r\n".utf8) }

    /// Escapes the characters that would end a name, as browsers do.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "%22"
            case "\r": "%0D"
            case "\n": "%0A"
            case "\0": "%00"
            default: String(scalar)
            }
        }.joined()
    }
}
