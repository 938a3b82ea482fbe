/// The result of an attempt to read or move a file.
enum FileResult: Sendable, Hashable {
    /// Its events are stored, and it was moved to a path, see ``moved(_:place:)``.
    case archived(FileReceipt, codes: Int, place: RelativePath?)
    /// Its events are stored, but it could not be moved.
    case stored(FileReceipt, codes: Int, reason: String)
    /// Its events are stored, and it stays in place as configured.
    case left(FileReceipt, codes: Int)
    /// It was moved to a path, and its row can be closed; `nil` if it is gone, and may exist under another name.
    case moved(FileRecord, place: RelativePath?)
    /// It could not be moved.
    case notMoved(FileRecord, reason: String)
    /// It has changed since it was noticed.
    case changed(FileIdentity)
    /// It is still being written.
    case busy(FileIdentity)
    /// It may still be being written; the kernel does not say.
    case perhapsBusy(FileIdentity)
    /// It does not exist any more, or is no longer a regular file.
    case gone
    /// It could not be read for a reason unrelated to the file.
    case postponed(FileIdentity, reason: String)
    /// Its codes could not be stored.
    case notStored(FileIdentity, reason: String)
    /// The program is about to end.
    case stopped

    /// The reason of a failure; `nil` for none.
    var reason: String? {
        switch self {
        case .stored(_, _, let reason), .notMoved(_, let reason), .postponed(_, let reason),
            .notStored(_, let reason):
            reason
        default: nil
        }
    }
}
