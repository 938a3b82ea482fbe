public import BarcodeCore

/// The format that the driver agreed to deliver.
public struct CaptureFormat: Sendable, Hashable, CustomStringConvertible {
    /// The pixel format.
    public var pixelFormat: PixelFormat
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The bytes from the start of one row to the start of the next; 0 for a JPEG.
    public var bytesPerLine: Int
    /// The size of the largest frame in bytes.
    public var imageBytes: Int
    /// The frames per second; `nil` if the driver does not say.
    public var rate: Double?

    /// Creates a format.
    public init(
        pixelFormat: PixelFormat, width: Int, height: Int, bytesPerLine: Int, imageBytes: Int, rate: Double? = nil
    ) {
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine
        self.imageBytes = imageBytes
        self.rate = rate
    }

    /// A description such as `GREY 1280x720 at 30 frames/s`.
    public var description: String {
        let text = "\(pixelFormat) \(width)x\(height)"
        return rate.map { "\(text) at \($0.shortened) frames/s" } ?? text
    }
}

/// A mode that a camera offers: a pixel format at a size, with the possible rates.
public struct CaptureMode: Sendable, Hashable {
    /// The pixel format.
    public var pixelFormat: PixelFormat
    /// The size in pixels.
    public var size: PixelSize
    /// The possible frames per second, highest first; empty if the driver does not say.
    public var rates: [Double]

    /// Creates a mode.
    public init(pixelFormat: PixelFormat, size: PixelSize, rates: [Double]) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.rates = rates
    }

    /// Returns the rate nearest to `requested`; `nil` if the driver lists no rates.
    func rate(nearestTo requested: Double) -> Double? {
        rates.min { abs($0 - requested) < abs($1 - requested) }
    }
}

/// The preferred format of a camera.
public struct CaptureRequest: Sendable, Hashable {
    /// The preferred size in pixels; 1280 x 720 by default.
    public var size: PixelSize
    /// The preferred frames per second; 30 by default.
    public var rate: Double
    /// The required pixel format; `nil` for the cheapest one to process.
    public var pixelFormat: PixelFormat?

    /// Creates a request.
    public init(
        size: PixelSize = PixelSize(width: 1280, height: 720), rate: Double = 30, pixelFormat: PixelFormat? = nil
    ) {
        self.size = size
        self.rate = rate
        self.pixelFormat = pixelFormat
    }
}

extension Double {
    /// The number with at most two decimals.
    var shortened: String {
        let hundredths = (self * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)"
    }
}
