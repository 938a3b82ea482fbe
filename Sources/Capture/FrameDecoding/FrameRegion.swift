public import BarcodeCore

/// The part of each frame to search.
public struct FrameRegion: Sendable, Hashable {
    /// Left, top, width and height.
    public var rectangle: Rectangle
    /// Indicates whether the numbers are fractions of the frame from 0 to 1 instead of pixels.
    public var isRelative: Bool

    /// Creates a region in pixels or in fractions of the frame.
    public init(_ rectangle: Rectangle, isRelative: Bool = false) {
        self.rectangle = rectangle
        self.isRelative = isRelative
    }

    /// Parses `x,y,width,height` in pixels, or each with a percent sign; `nil` for anything else, or an empty
    /// region.
    public init?(_ text: String) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.drop { $0 == " " }
        }
        let isRelative = words.first?.last == "%"
        let numbers = words.compactMap { word -> Double? in
            guard (word.last == "%") == isRelative, let number = Double(isRelative ? word.dropLast() : word) else {
                return nil
            }
            return number.isFinite && (0...1e6).contains(number) ? (isRelative ? number / 100 : number) : nil
        }
        guard words.count == 4, numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
        rectangle = Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        self.isRelative = isRelative
    }

    /// Returns the columns and rows of the region in an image of this size, which was reduced by `scale`; empty if
    /// the region lies outside.
    func ranges(width: Int, height: Int, scale: Int = 1) -> (x: Range<Int>, y: Range<Int>) {
        func range(_ start: Double, _ length: Double, _ side: Int) -> Range<Int> {
            let factor = isRelative ? Double(side) : 1 / Double(scale)
            let low = min(side, Int(start * factor))
            return low..<max(low, min(side, Int(((start + length) * factor).rounded(.up))))
        }
        return (range(rectangle.x, rectangle.width, width), range(rectangle.y, rectangle.height, height))
    }
}
