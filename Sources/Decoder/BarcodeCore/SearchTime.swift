/// The time limit of the search on this thread.
///
/// Locators and readers check it in their outermost loops, so that an image made to keep them busy is abandoned
/// within a fraction of a second. Symbols found by then are valid; the rest of the image is not searched.
public enum SearchTime {
    @TaskLocal private static var ends: (@Sendable () -> Bool)?

    /// Indicates whether the time is over or the search was canceled; `false` outside of a search.
    public static var isOver: Bool { ends?() ?? false }

    /// Runs a search that ends early as soon as `isOver` returns true.
    public static func limited<Result, Failure>(
        by isOver: @escaping @Sendable () -> Bool, _ search: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `withValue` erases the type of the error.
        let result: Swift.Result<Result, Failure> = $ends.withValue(isOver) {
            do throws(Failure) { return .success(try search()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
