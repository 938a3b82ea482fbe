internal import HTTPTypes
internal import Hummingbird

/// An error response: a status, a reason for programs and a sentence for people.
struct HTTPFailure: HTTPResponseError {
    var status: HTTPResponse.Status
    /// A code in snake case, see `docs/reference/http-api.md`.
    var reason: String
    /// The fault and the remedy.
    var sentence: String
    var headers: HTTPFields

    init(_ status: HTTPResponse.Status, _ reason: String, _ sentence: String, headers: HTTPFields = [:]) {
        self.status = status
        self.reason = reason
        self.sentence = sentence
        self.headers = headers
    }

    private struct Reason: Encodable {
        var reason: String
    }

    func response(from request: Request, context: some RequestContext) -> Response { response }

    var response: Response {
        var response = Envelope.answer(
            status: status, isSuccess: false, sentence: sentence, data: Reason(reason: reason))
        response.headers.append(contentsOf: headers)
        return response
    }

    /// Creates the failure for an error of Hummingbird, the server's library.
    init(_ error: any HTTPResponseError) {
        if let failure = error as? HTTPFailure {
            self = failure
            return
        }
        switch error.status {
        case .notFound: self.init(.notFound, "not_found", "There is no such route.")
        case .methodNotAllowed: self.init(.methodNotAllowed, "method", "This route does not support this method.")
        default:
            self.init(error.status, "bad_request", "Bad request: \(error.status.reasonPhrase).")
        }
    }

    static func badRequest(_ reason: String, _ sentence: String) -> HTTPFailure {
        HTTPFailure(.badRequest, reason, sentence)
    }
}
