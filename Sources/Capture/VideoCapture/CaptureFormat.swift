public import BarcodeCore

/// What the driver agreed to deliver.
public struct CaptureFormat: Sendable, Hashable, CustomStringConvertible {
    /// How the pixels are stored.
    public var pixelFormat: PixelFormat
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int
    /// Bytes from the start of one row to the start of the next; 0 for a JPEG.
    public var bytesPerLine: Int
    /// Bytes that the largest frame takes.
    public var imageBytes: Int
    /// Frames a second; nil where the driver does not say.
    public var rate: Double?

    /// A format with all that is known of it.
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

    /// Such as `GREY 1280x720 at 30 frames/s`.
    public var description: String {
        let text = "\(pixelFormat) \(width)x\(height)"
        return rate.map { "\(text) at \($0.shortened) frames/s" } ?? text
    }
}

/// One thing that a camera offers: a pixel format at a size, with the rates it can do.
public struct CaptureMode: Sendable, Hashable {
    /// How the pixels are stored.
    public var pixelFormat: PixelFormat
    /// The size.
    public var size: PixelSize
    /// Frames a second, the highest first; empty where the driver does not say.
    public var rates: [Double]

    /// A mode with its rates.
    public init(pixelFormat: PixelFormat, size: PixelSize, rates: [Double]) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.rates = rates
    }

    /// The rate nearest to `requested`; nil where the driver does not say what it can do.
    func rate(nearestTo requested: Double) -> Double? {
        rates.min { abs($0 - requested) < abs($1 - requested) }
    }
}

/// What is wanted of a camera.
public struct CaptureRequest: Sendable, Hashable {
    /// The size to come close to; 1280 x 720 unless said otherwise.
    public var size: PixelSize
    /// Frames a second to come close to; 30 unless said otherwise.
    public var rate: Double
    /// The only pixel format to take; nil for the one that costs least.
    public var pixelFormat: PixelFormat?

    /// The given size, rate and pixel format.
    public init(
        size: PixelSize = PixelSize(width: 1280, height: 720), rate: Double = 30, pixelFormat: PixelFormat? = nil
    ) {
        self.size = size
        self.rate = rate
        self.pixelFormat = pixelFormat
    }
}

extension Double {
    /// The number with as many places as it needs, two at most.
    var shortened: String {
        let hundredths = (self * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)"
    }
}
