internal import FoundationEssentials

/// A program that reads one picture and exits, as in a shell script.
final class ProgramReader: Reader {
    /// The output format of a program.
    enum Form {
        /// The XML of zbarimg, without locations.
        case xml
        /// The JSON of decode-image.
        case json
    }

    let name: String
    var namesPlaces: Bool { form == .json }
    private let arguments: [String]
    private let form: Form

    /// Creates a reader from a command line, to which the picture is appended.
    init(name: String, arguments: [String], form: Form) {
        self.name = name
        self.arguments = arguments
        self.form = form
    }

    func read(_ picture: WorkPicture) throws -> Answer {
        let (nanoseconds, _, result) = try Timing.measure { try ChildProcess.run(arguments + [picture.path]) }
        // Both programs exit with 4 if a picture has no symbol.
        guard result.status == 0 || result.status == 4 else {
            throw BenchError("\(arguments[0]) ended with status \(result.status) at \(picture.path)")
        }
        return Answer(
            nanoseconds: nanoseconds, processorNanoseconds: result.processor, symbols: try symbols(result.output))
    }

    private struct Report: Decodable {
        struct Symbol: Decodable {
            var rawValue: String
            var rawBytes: Data
            var cornerPoints: [PicturePoint]
        }
        var symbols: [Symbol]
    }

    private func symbols(_ output: [UInt8]) throws -> [FoundSymbol] {
        switch form {
        case .xml:
            return Self.messages(output).map { FoundSymbol(forms: [$0], center: nil) }
        case .json:
            return try JSONDecoder().decode(Report.self, from: Data(output)).symbols.map { symbol in
                let corners = symbol.cornerPoints
                func mean(_ side: KeyPath<PicturePoint, Double>) -> Double {
                    corners.map { $0[keyPath: side] }.reduce(0, +) / Double(max(1, corners.count))
                }
                return FoundSymbol(
                    forms: [Array(symbol.rawBytes), Array(symbol.rawValue.utf8)],
                    center: corners.isEmpty ? nil : PicturePoint(x: mean(\.x), y: mean(\.y)))
            }
        }
    }

    /// Returns the messages in zbarimg's XML: the content of each `data` element, as text or base64.
    static func messages(_ xml: [UInt8]) -> [[UInt8]] {
        var rest = xml[...]
        var messages: [[UInt8]] = []
        while let start = rest.firstRange(of: Array("<data".utf8)) {
            rest = rest[start.upperBound...]
            guard let open = rest.firstIndex(of: UInt8(ascii: ">")),
                let end = rest.firstRange(of: Array("</data>".utf8))
            else { break }
            let isBase64 = rest[..<open].firstRange(of: Array("base64".utf8)) != nil
            var content = Array(rest[(open + 1)..<end.lowerBound])
            if let opening = content.firstRange(of: Array("<![CDATA[".utf8)) {
                content.removeSubrange(..<opening.upperBound)
                content.removeLast(min(3, content.count))
            }
            if isBase64 {
                let digits = content.filter { $0 > 0x20 }
                content = Data(base64Encoded: Data(digits)).map { Array($0) } ?? []
            }
            messages.append(content)
            rest = rest[end.upperBound...]
        }
        return messages
    }
}
