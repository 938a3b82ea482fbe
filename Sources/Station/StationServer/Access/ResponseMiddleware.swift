internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOHTTP1

/// Converts every failure to a JSON envelope, adds the common headers, and writes the log.
struct ResponseMiddleware: RouterMiddleware {
    typealias Context = StationContext

    /// The Content Security Policy of the station's own page, which may only load from the station itself.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        + "manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response: Response
        do {
            if let fault = request.head.fault { throw HTTPFailure.malformed(fault) }
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = HTTPFailure(error).response
        } catch is HTTPParserError {
            response = HTTPFailure.malformed("The request body has a malformed chunk.").response
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.logger.error("Request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            response =
                HTTPFailure(.internalServerError, "internal", "Internal error; see the station's log.").response
        }
        // A client does not expect a body here and would take it for the start of the next response.
        if request.method == .head { response = response.createHeadResponse() }
        // The pages of an app have a policy of their own.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        if response.headers[.crossOriginResourcePolicy] == nil {
            response.headers[.crossOriginResourcePolicy] = "same-origin"
        }
        StationMetrics.answered(status: response.status.code, took: ContinuousClock.now - start)
        // The log omits the query, because it may contain the token.
        context.logger.debug(
            "Answered",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(response.status.code)",
                "milliseconds": "\((ContinuousClock.now - start) / .milliseconds(1))",
            ])
        return response
    }
}

extension HTTPRequest {
    /// The reason why two HTTP parsers could read the request differently (request smuggling); `nil` if they cannot.
    var fault: String? {
        if headerFields[.secondHost] != nil { return "The request has more than one Host header." }
        if let coding = headerFields[.transferEncoding], coding.lowercased() != "chunked" {
            return "The only supported Transfer-Encoding is chunked."
        }
        return nil
    }
}

extension HTTPFailure {
    /// A malformed request.
    ///
    /// The connection is closed, because the start of the next request is unknown.
    static func malformed(_ sentence: String) -> HTTPFailure {
        HTTPFailure(.badRequest, "malformed", sentence, headers: [.connection: "close"])
    }
}
