@_exported public import BarcodeCore
internal import ImageCodecs
package import Symbols

/// Reads the symbols in a picture: the one door to this library.
///
/// A decoder is a value, safe to use from many tasks at once. Decoding blocks the calling thread for as long as it
/// takes; in a task, `await` calls the methods that leave it to the threads of a ``DecodingPool``. zbar's C code runs in
/// this process: a program that decodes pictures from strangers uses the worker processes of `DecodeWorkers`.
public struct BarcodeDecoder: Sendable {
    /// What a picture may cost.
    public let limits: Limits

    /// A decoder whose pictures stay within `limits`.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads the symbols in a gray picture.
    ///
    /// - Returns: the symbols, from top to bottom; an empty array when there is none.
    /// - Throws: ``DecodeError`` with the code `too_large` or `out_of_memory`.
    public func decode(_ image: LumaImage, options: DecodeOptions = DecodeOptions()) throws(DecodeError) -> [Symbol] {
        try search(image, options: options).symbols
    }

    /// The same, and the reason for which the search ended.
    package func search(
        _ image: LumaImage, options: DecodeOptions
    ) throws(DecodeError) -> (symbols: [Symbol], end: SearchEnd) {
        try limits.check(width: image.width, height: image.height)
        var search = SymbolSearch(image: image, options: options)
        try search.run()
        return (search.symbols, search.end)
    }

    /// Reads the symbols in a picture file of a format that `ImageCodecs` knows, told apart by its first bytes.
    ///
    /// - Returns: the symbols, from top to bottom; an empty array when there is none.
    /// - Throws: ``DecodeError`` when the file cannot be read or holds no picture.
    public func decode(
        contentsOf path: String, options: DecodeOptions = DecodeOptions()
    ) throws(DecodeError) -> [Symbol] {
        try decode(ImageLoader(limits: limits).load(contentsOf: path).image, options: options)
    }

    /// Reads the symbols in the bytes of a picture file.
    ///
    /// - Returns: the symbols, from top to bottom; an empty array when there is none.
    /// - Throws: ``DecodeError`` when the bytes are no picture.
    public func decode(bytes: [UInt8], options: DecodeOptions = DecodeOptions()) throws(DecodeError) -> [Symbol] {
        try decode(ImageLoader(limits: limits).load(bytes).image, options: options)
    }
}

extension BarcodeDecoder {
    /// Reads the symbols in a grey picture and reports to `trace` how.
    package func decode(
        _ image: LumaImage, options: DecodeOptions, trace: @escaping SearchTrace
    ) throws(DecodeError) -> [Symbol] {
        try limits.check(width: image.width, height: image.height)
        var search = SymbolSearch(image: image, options: options, trace: trace)
        try search.run()
        return search.symbols
    }
}
