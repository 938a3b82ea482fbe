/// The end of the time for the search that runs on this thread.
///
/// Locators and readers ask for it in their outermost loops, so that a picture made to keep them busy is given up within
/// a fraction of a second. What they have found by then is valid; what is left is not looked at.
public enum SearchTime {
    @TaskLocal private static var ends: (@Sendable () -> Bool)?

    /// Indicates that the time is over or the search was canceled; `false` outside of a search.
    public static var isOver: Bool { ends?() ?? false }

    /// Runs a search that ends early once `isOver` says so.
    public static func limited<Result, Failure>(
        by isOver: @escaping @Sendable () -> Bool, _ search: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `withValue` forgets the type of the error.
        let result: Swift.Result<Result, Failure> = $ends.withValue(isOver) {
            do throws(Failure) { return .success(try search()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
