/// A page of a document, and its rendering resolution; an image is a document of one page.
public struct PageRequest: Sendable, Hashable {
    /// The valid page numbers.
    public static let numbers = 1...1_000_000
    /// The valid rendering resolutions in pixels per inch.
    public static let resolutions = 36.0...2400.0

    /// The page number, from 1.
    public var number: Int
    /// The rendering resolution of a PDF page in pixels per inch; `nil` to choose one for the page.
    public var resolution: Double?

    /// Creates a request; by default for the first page, with a resolution chosen for it.
    public init(number: Int = 1, resolution: Double? = nil) {
        self.number = number
        self.resolution = resolution
    }
}
