internal import HTTPTypes

/// How many of something there may be at once: in all, for all pages of other origins, for one origin, for one page.
///
/// What is kept from the pages is always free for whoever has the station's token.
struct Quota: Sendable, Hashable {
    var maximum: Int
    var maximumOfPages: Int
    var maximumOfOrigin: Int
    var maximumOfSession: Int

    /// The limit that leaves no room for one more.
    enum Limit: Sendable, Hashable {
        case all
        case pages
        case origin
        case session
    }

    /// The limit that leaves no room for one more of `party`; nil where there is room.
    func limit(for party: Party, among taken: some Sequence<Party>) -> Limit? {
        var (all, ofPages, ofOrigin, ofSession) = (0, 0, 0, 0)
        for other in taken {
            all += 1
            guard case .page(let origin, let session) = other else { continue }
            ofPages += 1
            if origin == party.origin { ofOrigin += 1 }
            if session == party.session { ofSession += 1 }
        }
        if party != .station {
            if ofSession >= maximumOfSession { return .session }
            if ofOrigin >= maximumOfOrigin { return .origin }
            if ofPages >= maximumOfPages { return .pages }
        }
        return all >= maximum ? .all : nil
    }
}

/// Who takes up room.
enum Party: Sendable, Hashable {
    /// Whoever has the station's token.
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
    /// There is no room for one more: 429 where the asker has had its share, 503 where others have taken the rest.
    ///
    /// - Parameters:
    ///   - what: what there are too many of, in the plural.
    ///   - seconds: when it is worth trying again.
    init(_ limit: Quota.Limit, of quota: Quota, reason: String, what: String, retryAfter seconds: Int) {
        let (status, beginning): (HTTPResponse.Status, String) =
            switch limit {
            case .session: (.tooManyRequests, "This page has \(quota.maximumOfSession)")
            case .origin: (.tooManyRequests, "The pages of this origin have \(quota.maximumOfOrigin)")
            case .pages: (.serviceUnavailable, "The pages of all origins have \(quota.maximumOfPages)")
            case .all: (.serviceUnavailable, "The station has \(quota.maximum)")
            }
        self.init(
            status, reason, "\(beginning) \(what) already; try again in \(seconds) s.",
            headers: [.retryAfter: String(seconds)])
    }
}
