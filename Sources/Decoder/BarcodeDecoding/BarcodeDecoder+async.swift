public import BarcodeCore
internal import ImageCodecs

extension BarcodeDecoder {
    /// Decodes the symbols in a grayscale image, on a thread of a pool.
    ///
    /// A canceled task gets the error `cancelled` within a fraction of a second; only a pass of zbar, which takes about
    /// 35 ms per megapixel, is finished before.
    /// - Parameters:
    ///   - image: the image.
    ///   - options: the symbologies to look for, and the effort.
    ///   - pool: the executor of the search; its threads may block.
    /// - Returns: the symbols from top to bottom; empty if there are none.
    /// - Throws: ``DecodeError`` with the code `too_large`, `out_of_memory` or `cancelled`.
    public func decode(
        _ image: LumaImage, options: DecodeOptions = DecodeOptions(), on pool: any TaskExecutor = DecodingPool.shared
    ) async throws(DecodeError) -> [Symbol] {
        try await search(options, on: pool) { image }
    }

    /// Loads and decodes an image file, on a thread of a pool.
    ///
    /// Cancellation is that of ``decode(_:options:on:)``.
    /// - Parameters:
    ///   - path: the file.
    ///   - options: the symbologies to look for, and the effort.
    ///   - pool: the executor of loading and searching; its threads may block.
    /// - Returns: the symbols from top to bottom; empty if there are none.
    /// - Throws: ``DecodeError`` if the file cannot be read or is not an image, or with the code `cancelled`.
    public func decode(
        contentsOf path: String, options: DecodeOptions = DecodeOptions(),
        on pool: any TaskExecutor = DecodingPool.shared
    ) async throws(DecodeError) -> [Symbol] {
        try await search(options, on: pool) { () throws(DecodeError) in
            try ImageLoader(limits: limits).load(contentsOf: path).image
        }
    }

    /// Decodes the symbols in the bytes of an image file, on a thread of a pool.
    ///
    /// Cancellation is that of ``decode(_:options:on:)``.
    /// - Parameters:
    ///   - bytes: the bytes of the file.
    ///   - options: the symbologies to look for, and the effort.
    ///   - pool: the executor of loading and searching; its threads may block.
    /// - Returns: the symbols from top to bottom; empty if there are none.
    /// - Throws: ``DecodeError`` about `the picture` if the bytes are not an image, or with the code `cancelled`.
    public func decode(
        bytes: [UInt8], options: DecodeOptions = DecodeOptions(), on pool: any TaskExecutor = DecodingPool.shared
    ) async throws(DecodeError) -> [Symbol] {
        try await search(options, on: pool) { () throws(DecodeError) in try load(bytes) }
    }

    private func search(
        _ options: DecodeOptions, on pool: any TaskExecutor, load: () throws(DecodeError) -> LumaImage
    ) async throws(DecodeError) -> [Symbol] {
        try await withTaskExecutorPreference(pool) { () async throws(DecodeError) -> [Symbol] in
            if Task.isCancelled { throw .cancelled }
            return try self.search(load(), options: options, isCancelled: { Task.isCancelled }).symbols
        }
    }
}
