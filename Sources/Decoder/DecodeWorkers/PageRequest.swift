/// Which page of a document is read, and how it is rendered; a picture is a document of one page.
public struct PageRequest: Sendable, Hashable {
    /// The numbers that a page may have.
    public static let numbers = 1...1_000_000
    /// The pixels an inch that a page may be rendered with.
    public static let resolutions = 36.0...2400.0

    /// The page, from 1.
    public var number: Int
    /// Pixels an inch that a page of a PDF is rendered with; nil for what suits the page.
    public var resolution: Double?

    /// A page; the first, in what suits it, unless said otherwise.
    public init(number: Int = 1, resolution: Double? = nil) {
        self.number = number
        self.resolution = resolution
    }
}
