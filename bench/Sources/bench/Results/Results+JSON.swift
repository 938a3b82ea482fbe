internal import FoundationEssentials

/// The reason why a file of results cannot be used.
struct ResultsError: Error, Hashable, CustomStringConvertible {
    /// A sentence with the file, the fault and the remedy.
    var description: String
}

extension Results {
    /// Returns the content of `results.json`, with sorted keys so that two files can be compared line by line.
    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [0x0A]
    }

    /// Parses `results.json`.
    ///
    /// - Parameter name: the file name, for the error.
    /// - Throws: ``ResultsError`` if the format or the version is wrong.
    init(json: [UInt8], name: String) throws {
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
