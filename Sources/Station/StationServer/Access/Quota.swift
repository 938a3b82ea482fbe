internal import HTTPTypes

/// Limits for a resource in use at once: in all, for all pages of other origins, for one origin, and for one page.
///
/// The difference between the limit in all and that of the pages stays free for callers with the station's token.
struct Quota: Sendable, Hashable {
    var maximum: Int
    var maximumOfPages: Int
    var maximumOfOrigin: Int
    var maximumOfSession: Int

    /// The limit that is exceeded.
    enum Limit: Sendable, Hashable {
        case all
        case pages
        case origin
        case session
    }

    /// The limit that one more of `user` would exceed; `nil` if there is room.
    func limit(for user: QuotaUser, among taken: some Sequence<QuotaUser>) -> Limit? {
        var (all, ofPages, ofOrigin, ofSession) = (0, 0, 0, 0)
        for other in taken {
            all += 1
            guard case .page(let origin, let session) = other else { continue }
            ofPages += 1
            if origin == user.origin { ofOrigin += 1 }
            if session == user.session { ofSession += 1 }
        }
        if user != .station {
            if ofSession >= maximumOfSession { return .session }
            if ofOrigin >= maximumOfOrigin { return .origin }
            if ofPages >= maximumOfPages { return .pages }
        }
        return all >= maximum ? .all : nil
    }
}

/// The user of a resource.
enum QuotaUser: Sendable, Hashable {
    /// A caller with the station's token.
    case station
    /// A page, by its origin and the name of its session.
    case page(origin: String, session: String)

    var origin: String? {
        if case .page(let origin, _) = self { origin } else { nil }
    }

    var session: String? {
        if case .page(_, let session) = self { session } else { nil }
    }
}

extension HTTPFailure {
    /// Creates the error for an exceeded limit: 429 if the caller has used its own share, 503 if others use the rest.
    ///
    /// - Parameters:
    ///   - what: the resource, in the plural.
    ///   - seconds: the value of `Retry-After`.
    init(_ limit: Quota.Limit, of quota: Quota, reason: String, what: String, retryAfter seconds: Int) {
        let (status, beginning): (HTTPResponse.Status, String) =
            switch limit {
            case .session: (.tooManyRequests, "This page has \(quota.maximumOfSession)")
            case .origin: (.tooManyRequests, "The pages of this origin have \(quota.maximumOfOrigin)")
            case .pages: (.serviceUnavailable, "The pages of all origins have \(quota.maximumOfPages)")
            case .all: (.serviceUnavailable, "The station has \(quota.maximum)")
            }
        self.init(
            status, reason, "\(beginning) \(what); try again in \(seconds) s.",
            headers: [.retryAfter: String(seconds)])
    }
}
