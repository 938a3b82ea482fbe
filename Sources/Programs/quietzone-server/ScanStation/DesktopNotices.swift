import Logging
import ProgramSupport
import ServiceLifecycle
import StationServer

/// Shows the station's notices on the desktop of the user who runs it.
struct DesktopNotices: Service {
    /// The maximum number of waiting notices; while the desktop is slow, newer ones replace the oldest.
    private static let maximumWaiting = 16

    private let notices: AsyncStream<StationNotice>
    private let waiting: AsyncStream<StationNotice>.Continuation
    private let logger: Logger

    init(logger: Logger) {
        (notices, waiting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.maximumWaiting))
        self.logger = logger
    }

    /// Queues a notice.
    func show(_ notice: StationNotice) {
        guard case .dropped(let dropped) = waiting.yield(notice) else { return }
        logger.warning(
            "A notification was dropped: there were too many at once",
            metadata: ["kind": "\(dropped.kind.rawValue)"])
    }

    func run() async {
        if let problem = DesktopNotification.problem {
            logger.warning("Desktop notifications are not available", metadata: ["reason": "\(problem)"])
        }
        for await notice in notices.cancelOnGracefulShutdown() {
            let (title, text) = Self.words(of: notice)
            do throws(DesktopError) {
                try await DesktopNotification(title: title, text: text).show()
            } catch {
                logger.warning("Could not show a notification", metadata: ["title": "\(title)", "reason": "\(error)"])
            }
        }
    }

    static func words(of notice: StationNotice) -> (title: String, text: String) {
        let codes = notice.count == 1 ? "1 code" : "\(notice.count) codes"
        return switch notice.kind {
        case .code: ("Code read", notice.content ?? notice.text)
        case .notSaved: ("Not saved", "\(codes); see the station's page for the reason")
        case .notDelivered: ("Not delivered", "\(codes) to \(notice.text)")
        }
    }
}
