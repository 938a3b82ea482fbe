import Foundation
import TestSupport
import Testing

/// The pictures of the folder `Samples`, with their expected content.
enum Samples {
    static let folder = ProgramRunner.samplesFolder

    static func path(_ name: String) -> String { folder + name }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// The expected content of each picture.
    static let all: [Sample] = {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "expected.json")) else { return [] }
        return (try? JSONDecoder().decode([Sample].self, from: data)) ?? []
    }()
}

/// The expected content of a sample, from `expected.json`.
struct Sample: Decodable, Sendable, CustomTestStringConvertible {
    struct StructuredAppend: Decodable, Sendable, Hashable {
        var index: Int
        var count: Int?
    }

    struct Content: Decodable, Sendable {
        var format: String
        var text: String
        var addOn: String?
        var bytesBase64: String?
        var composite: String?
        var structuredAppend: StructuredAppend?
    }

    var file: String
    var symbols: [Content]
    var testDescription: String { file }

    /// The symbols in a form that can be compared with an answer.
    var contents: Set<String> {
        Set(
            symbols.map {
                "\($0.format): \($0.text) + \($0.addOn ?? $0.composite ?? "nothing"), part \($0.structuredAppend?.index ?? -1)"
            })
    }
}

/// One line of `--json`, decoded as another program would.
struct Answer: Decodable, Sendable {
    struct Symbol: Decodable, Sendable {
        struct Corner: Decodable, Sendable, Equatable {
            var x: Double
            var y: Double
        }
        struct Box: Decodable, Sendable, Equatable {
            var x: Double
            var y: Double
            var width: Double
            var height: Double
        }
        struct StructuredAppend: Decodable, Sendable {
            var index: Int
            var count: Int?
        }
        struct Component: Decodable, Sendable {
            var rawValue: String
        }
        var format: String
        var rawValue: String
        var rawBytes: String
        var symbologyIdentifier: String
        var charset: String
        var addOn: String?
        var composite: Component?
        var cornerPoints: [Corner]
        var boundingBox: Box
        var inverted: Bool
        var structuredAppend: StructuredAppend?
    }

    struct Failure: Decodable, Sendable, Equatable {
        var code: String
        var message: String
    }

    struct Milliseconds: Decodable, Sendable {
        var load: Double
        var decode: Double
    }

    var schema: Int
    var source: String
    var sourceBytes: String?
    var width: Int
    var height: Int
    var orientation: Int
    var symbols: [Symbol]
    var truncated: Bool
    var milliseconds: Milliseconds
    var error: Failure?

    init(_ line: String) throws {
        self = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    }

    /// The symbols in a form that can be compared with a sample.
    var contents: Set<String> {
        Set(
            symbols.map {
                "\($0.format): \($0.rawValue) + \($0.addOn ?? $0.composite?.rawValue ?? "nothing"), part \($0.structuredAppend?.index ?? -1)"
            })
    }

    /// The result in short: the error's code, or the texts.
    var outcome: String { error?.code ?? symbols.map(\.rawValue).joined(separator: ", ") }
}

extension ProgramResult {
    /// Returns the answers of `--json`, by the picture's name.
    func answers() throws -> [String: Answer] {
        try Dictionary(lines.map(Answer.init).map { ($0.source, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the answer for the only picture.
    func answer() throws -> Answer {
        try #require(lines.count == 1, "one line a picture: \(text) \(messages)")
        return try Answer(lines[0])
    }
}
