internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// The reason why a receiver could not be reached, in words for its operator.
///
/// It contains no header, body or URL, and so no secrets.
enum HTTPFailureReason {
    /// A clause that says why a request failed.
    static func reason(for error: any Error, at receiver: HTTPReceiver) -> String {
        let address = "\(receiver.host):\(receiver.port)"
        let advice = receiver.isSecure ? "" : "; if it uses TLS, its URL has to begin with https://"
        switch error {
        case let refusal as AddressPin.Refusal: return refusal.description
        case is SocketAddressError.UnknownHost: return notFound(receiver.host)
        case let error as NIOConnectionError:
            guard let failure = error.connectionErrors.last else { return notFound(receiver.host) }
            return reason(for: failure.error, at: receiver)
        case let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode):
            return "the connection failed: \(address) closed it\(advice)"
        case let error as IOError: return reason(errno: error.errnoCode, at: address)
        case ChannelError.connectTimeout(let time):
            return "\(address) does not answer: no connection within \(Duration.nanoseconds(time.nanoseconds).words)"
        case let error as HTTPClientError: return reason(for: error, at: address, advice)
        case HTTPParserError.invalidEOFState:
            return "the connection failed: \(address) closed it before the answer was complete"
        case HTTPParserError.headerOverflow:
            return "the connection failed: the answer of \(address) has a header of more than 80 KiB; check the URL"
        case is HTTPParserError: return "the connection failed: the answer of \(address) is not HTTP\(advice)"
        default:
            return isAboutTLS(error) ? tlsReason(for: error, at: receiver) : "the connection failed"
        }
    }

    /// Indicates whether a connection ended before the first byte of a response, as far as the error tells.
    ///
    /// HTTP/2 reports that end in many ways: a GOAWAY, refused or closed streams, and canceled requests.
    static func isEndBeforeAnAnswer(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError:
            [.remoteConnectionClosed, .uncleanShutdown, .cancelled].contains(error)
        case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
        case ChannelError.connectTimeout: false
        case is NIOConnectionError, is SocketAddressError.UnknownHost, is AddressPin.Refusal, is HTTPParserError: false
        case NIOSSLError.uncleanShutdown: true
        default: !isAboutTLS(error)
        }
    }

    /// Indicates whether the receiver's certificate may be the problem.
    static func isAboutTLS(_ error: any Error) -> Bool {
        error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError
    }

    /// Indicates whether a receiver's certificate is not trusted.
    ///
    /// ``CertificateDiagnosis`` can then say more.
    static func isUntrusted(_ error: any Error) -> Bool {
        isAboutTLS(error) && code(of: error) == "CERTIFICATE_VERIFY_FAILED"
    }

    private static func notFound(_ host: String) -> String { "the host \(host) was not found" }

    private static func reason(errno code: Int32, at address: String) -> String {
        switch code {
        case ECONNREFUSED: "the connection failed: \(address) refused it; no program listens there"
        case ENETUNREACH, EHOSTUNREACH: "the connection failed: there is no route to \(address)"
        case ETIMEDOUT: "\(address) does not answer: the system's connection timeout expired"
        default: "the connection failed: \(String(cString: strerror(code)))"
        }
    }

    private static func reason(for error: HTTPClientError, at address: String, _ advice: String) -> String {
        switch error {
        case .connectTimeout: "\(address) does not answer: no connection in time"
        case .remoteConnectionClosed, .uncleanShutdown:
            "the connection failed: \(address) closed it before the answer was complete\(advice)"
        case .tlsHandshakeTimeout: "no trusted TLS connection to \(address): it does not answer in time"
        default: "the connection failed: \(error.shortDescription)"
        }
    }

    private static func tlsReason(for error: any Error, at receiver: HTTPReceiver) -> String {
        let start = "no trusted TLS connection to \(receiver.host):\(receiver.port): "
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return start + "its certificate is not valid for the name \(receiver.host)"
        }
        if let error = error as? NIOSSLError {
            switch error {
            case .unableToValidateCertificate:
                return start + "its certificate is not valid for the name \(receiver.host)"
            case .uncleanShutdown: return "the connection failed: \(receiver.host):\(receiver.port) closed it"
            default: break
            }
        }
        switch code(of: error) {
        case "WRONG_VERSION_NUMBER", "HTTP_REQUEST":
            return start + "it does not use TLS; its URL may have to begin with http://"
        case "CERTIFICATE_VERIFY_FAILED": return start + "its certificate is not trusted"
        case let code?: return start + "the handshake failed (\(code))"
        case nil: return start + "the handshake was aborted"
        }
    }

    /// The error name of BoringSSL, such as `CERTIFICATE_VERIFY_FAILED`.
    ///
    /// It is available only from the description, `Error: 268435581 error:1000007d:SSL
    /// routines:OPENSSL_internal:WORD at FILE:LINE`.
    private static func code(of error: any Error) -> String? {
        let description = "\(error)"
        guard let range = description.firstRange(of: "OPENSSL_internal:") else { return nil }
        let word = description[range.upperBound...].prefix {
            $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_")
        }
        return word.isEmpty ? nil : String(word)
    }
}
