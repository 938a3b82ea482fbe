internal import FoundationEssentials

/// Why a file with results cannot be used.
public struct ResultsError: Error, Hashable, CustomStringConvertible {
    /// A sentence about the file that says what to do.
    public var description: String
}

extension Results {
    /// The bytes of `results.json`: keys sorted, so that two files can be compared line by line.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [0x0A]
    }

    /// Reads `results.json`.
    ///
    /// - Parameter name: the file, for the error.
    /// - Throws: ``ResultsError`` for a file of another form or version.
    public init(json: [UInt8], name: String) throws {
        struct Version: Decodable {
            var schema: Int
        }
        let data = Data(json)
        guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
            throw ResultsError(description: "\(name) is no results.json of `bench run`")
        }
        guard version.schema == Self.currentSchema else {
            throw ResultsError(
                description: "\(name) has schema \(version.schema), and this bench reads \(Self.currentSchema): "
                    + "measure again, or use the bench that wrote it")
        }
        do {
            self = try JSONDecoder().decode(Results.self, from: data)
        } catch {
            throw ResultsError(description: "\(name) is damaged: \(error)")
        }
    }
}
