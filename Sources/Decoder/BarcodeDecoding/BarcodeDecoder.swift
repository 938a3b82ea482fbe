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
    /// - Throws: ``DecodeError`` with the code `too_large` or `out_of_memory`, or `invalid_request` for a symbology that
    ///   is not in `Symbology.all`.
    public func decode(_ image: LumaImage, options: DecodeOptions = DecodeOptions()) throws(DecodeError) -> [Symbol] {
        try search(image, options: options).symbols
    }

    /// Decodes the symbols in a grayscale image, and says what was located but not read, and why the search ended.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - options: the symbologies and the effort of the search.
    ///   - isCancelled: called between passes and often within them; once it returns true, the error `cancelled` is
    ///     thrown.
    /// - Throws: ``DecodeError`` with the code `too_large`, `out_of_memory` or `cancelled`, or `invalid_request` for a
    ///   symbology that is not in `Symbology.all`.
    public func search(
        _ image: LumaImage, options: DecodeOptions = DecodeOptions(), isCancelled: (@Sendable () -> Bool)? = nil
    ) throws(DecodeError) -> SearchResult {
        if isCancelled?() ?? false { throw .cancelled }
        try Self.check(options)
        try limits.check(width: image.width, height: image.height)
        var search = SymbolSearch(image: image, options: options, isCancelled: isCancelled)
        try search.run()
        // The symbols of a cancelled search may be incomplete.
        if isCancelled?() ?? false { throw .cancelled }
        return SearchResult(symbols: search.symbols, unread: search.unreadSymbols(), end: search.end)
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
    /// - Throws: ``DecodeError`` about `the picture` if the bytes are not an image.
    public func decode(bytes: [UInt8], options: DecodeOptions = DecodeOptions()) throws(DecodeError) -> [Symbol] {
        try decode(load(bytes), options: options)
    }

    func load(_ bytes: [UInt8]) throws(DecodeError) -> LumaImage {
        do throws(DecodeError) {
            return try ImageLoader(limits: limits).load(bytes).image
        } catch {
            throw error.about("the picture")
        }
    }
}

/// The result of the search through one image.
public struct SearchResult: Sendable, Hashable {
    /// The decoded symbols, from top to bottom.
    public var symbols: [Symbol]
    /// The symbols that were located but not read, from top to bottom; none overlaps a decoded one.
    public var unread: [UnreadSymbol]
    /// The reason for which the search ended.
    public var end: SearchEnd
}

extension BarcodeDecoder {
    private static let known = Set(Symbology.all)

    /// Rejects symbologies that nothing reads, so that a misspelled name is not taken for a picture without symbols.
    private static func check(_ options: DecodeOptions) throws(DecodeError) {
        guard let unknown = options.symbologies.subtracting(known).map(\.rawValue).min() else { return }
        throw DecodeError(
            .invalidRequest,
            "was requested with the unknown symbology '\(unknown)'; Symbology.all has those that can be read")
    }

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
    package static let cancelled = DecodeError(.cancelled, "decoding was canceled")
}
