/// What an attempt to read a file, or to move it, has come to.
enum FileResult: Sendable, Hashable {
    /// Its events are stored, and it was moved to a place, see ``moved(_:place:)``.
    case archived(FileReceipt, codes: Int, place: RelativePath?)
    /// Its events are stored; it could not be moved.
    case stored(FileReceipt, codes: Int, reason: String)
    /// Its events are stored, and it stays where it is, as is wished.
    case left(FileReceipt, codes: Int)
    /// It was moved to a place, and its row can be closed; nil if it is gone, and may be there under another name.
    case moved(FileRecord, place: RelativePath?)
    /// It could not be moved.
    case notMoved(FileRecord, reason: String)
    /// It is another now than when it was noticed.
    case changed(FileIdentity)
    /// Somebody is still writing it.
    case busy(FileIdentity)
    /// Perhaps somebody is still writing it; the kernel does not say.
    case perhapsBusy(FileIdentity)
    /// It is not there any more, or is no regular file any more.
    case gone
    /// It could not be read for a reason that is not its own.
    case postponed(FileIdentity, reason: String)
    /// What it shows could not be stored.
    case notStored(FileIdentity, reason: String)
    /// The program is about to end.
    case stopped

    /// What went wrong; nil for nothing.
    var reason: String? {
        switch self {
        case .stored(_, _, let reason), .notMoved(_, let reason), .postponed(_, let reason),
            .notStored(_, let reason):
            reason
        default: nil
        }
    }
}
