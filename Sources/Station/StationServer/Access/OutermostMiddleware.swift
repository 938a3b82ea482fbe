internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOHTTP1

/// Puts every failure into an envelope, adds what every answer has, and keeps the log.
struct OutermostMiddleware: RouterMiddleware {
    typealias Context = StationContext

    /// What our own page may do: nothing that does not come from the station itself.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        + "manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response: Response
        do {
            try Self.checkFraming(of: request)
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
        // What a client asks of a connection next would be lost in a body that it does not expect.
        if request.method == .head { response = response.createHeadResponse() }
        // The pages of an app have one of their own.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        if response.headers[.crossOriginResourcePolicy] == nil {
            response.headers[.crossOriginResourcePolicy] = "same-origin"
        }
        StationMetrics.answered(status: response.status.code, took: ContinuousClock.now - start)
        // Without the query, which may hold the token.
        context.logger.debug(
            "Answered",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(response.status.code)",
                "milliseconds": "\((ContinuousClock.now - start) / .milliseconds(1))",
            ])
        return response
    }

    /// Refuses what two readers could understand in two ways.
    private static func checkFraming(of request: Request) throws {
        if request.headers[.secondHost] != nil {
            throw HTTPFailure.malformed("The request has more than one Host header.")
        }
        if let coding = request.headers[.transferEncoding], coding.lowercased() != "chunked" {
            throw HTTPFailure.malformed("The only supported Transfer-Encoding is chunked.")
        }
    }
}

extension HTTPFailure {
    /// No HTTP as it should be; where the next request would begin is not known.
    static func malformed(_ sentence: String) -> HTTPFailure {
        HTTPFailure(.badRequest, "malformed", sentence, headers: [.connection: "close"])
    }
}
