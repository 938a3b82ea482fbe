import ArgumentParser
import DecodeReports
import ProgramSupport
import SymbolContent

/// The folder of `--keys`.
enum KeyFolder {
    /// Reads the keys in a folder that was given as an argument.
    static func keys(in argument: String) throws -> SigningKeys {
        do throws(SigningKeys.FolderError) {
            return try SigningKeys(folder: RawArguments.name(argument).bytes)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
