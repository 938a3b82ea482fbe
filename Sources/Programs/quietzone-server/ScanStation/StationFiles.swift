import Glibc
import NIOCore
import StationServer

/// Converts file and network errors at the start to sentences.
enum StationFiles {
    static func token(_ path: String) throws -> AccessToken {
        do throws(TokenFileError) {
            return try AccessToken(file: path)
        } catch {
            throw Failure(message: error.description)
        }
    }

    /// Converts the error of a server that could not listen to a sentence; returns any other error unchanged.
    static func listening(_ error: any Error, address: String, port: Int) -> any Error {
        if error is SocketAddressError.UnknownHost {
            // It may be known once the network is up.
            return Failure(
                message: "the address \(address) to listen at was not found; give an address of this machine")
        }
        guard let error = error as? IOError else { return error }
        let place = "\(address):\(port)"
        switch error.errnoCode {
        case EADDRINUSE:
            return Failure(
                message: "another program already listens at \(place); stop it, or choose another with --port",
                status: Failure.inUse)
        case EACCES: return Failure(message: "this user is not allowed to listen at \(place); choose a port above 1023")
        case EADDRNOTAVAIL:
            return Failure(message: "this machine has no address \(address)")
        default:
            return Failure(
                message: "the station cannot listen at \(place): \(String(cString: strerror(error.errnoCode)))")
        }
    }
}
