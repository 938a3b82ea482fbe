@_exported public import BarcodeCore
internal import ImageCodecs
package import Symbols

/// Decodes the symbols in an image: the entry point of this library.
///
/// A decoder is a value that many tasks may use at once. Decoding blocks the calling thread; the `async` methods
/// use the threads of a ``DecodingPool`` instead. zbar's C code runs in this process: a program that decodes
/// untrusted images should use the worker processes of `DecodeWorkers`.
///
/// ```swift
/// for symbol in try BarcodeDecoder().decode(contentsOf: path) {
///     print(symbol.symbology, symbol.text)
/// }
/// ```
public struct BarcodeDecoder: Sendable {
    /// The size limits of images.
    public let limits: Limits

    /// Creates a decoder with size limits.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Decodes the symbols in a grayscale image.
    ///
    /// - Returns: the symbols from top to bottom; empty if there are none.
    /// - Throws: ``DecodeError`` with the code `too_large` or `out_of_memory`.
    public func decode(_ image: LumaImage, options: DecodeOptions = DecodeOptions()) throws(DecodeError) -> [Symbol] {
        try search(image, options: options).symbols
    }

    /// Decodes the symbols in an image, and returns the reason why the search ended.
    ///
    /// - Parameter isCancelled: called between passes and often within them; once it returns true, the error
    ///   `cancelled` is thrown.
    package func search(
        _ image: LumaImage, options: DecodeOptions, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws(DecodeError) -> (symbols: [Symbol], end: SearchEnd) {
        if isCancelled?() ?? false { throw .cancelled }
        try limits.check(width: image.width, height: image.height)
        var search = SymbolSearch(image: image, options: options, isCancelled: isCancelled)
        try search.run()
        // The symbols of a cancelled search may be incomplete.
        if isCancelled?() ?? false { throw .cancelled }
        return (search.symbols, search.end)
    }

    /// Decodes the symbols in an image file; the format is detected from its first bytes.
    ///
    /// - Returns: the symbols from top to bottom; empty if there are none.
    /// - Throws: ``DecodeError`` if the file cannot be read or is not an image.
    public func decode(
        contentsOf path: String, options: DecodeOptions = DecodeOptions()
    ) throws(DecodeError) -> [Symbol] {
        try decode(ImageLoader(limits: limits).load(contentsOf: path).image, options: options)
    }

    /// Decodes the symbols in the bytes of an image file.
    ///
    /// - Returns: the symbols from top to bottom; empty if there are none.
    /// - Throws: ``DecodeError`` if the bytes are not an image.
    public func decode(bytes: [UInt8], options: DecodeOptions = DecodeOptions()) throws(DecodeError) -> [Symbol] {
        try decode(ImageLoader(limits: limits).load(bytes).image, options: options)
    }
}

extension BarcodeDecoder {
    /// Decodes the symbols in a grayscale image, and reports the steps of the search to `trace`.
    package func decode(
        _ image: LumaImage, options: DecodeOptions, trace: @escaping SearchTrace
    ) throws(DecodeError) -> [Symbol] {
        try limits.check(width: image.width, height: image.height)
        var search = SymbolSearch(image: image, options: options, trace: trace)
        try search.run()
        return search.symbols
    }
}

extension DecodeError {
    /// The error of a cancelled search.
    package static let cancelled = DecodeError(.cancelled, "decoding was cancelled")
}
