public import BarcodeCore
internal import ImageCodecs
internal import Symbols

extension BarcodeDecoder {
    /// Reads the symbols in a gray picture, on a thread of a pool.
    ///
    /// A task that is cancelled gets the error `cancelled` as soon as the pass that runs has ended: zbar cannot be
    /// broken off, and takes about 35 ms a megapixel.
    /// - Parameters:
    ///   - image: the picture.
    ///   - options: what to look for, and how hard.
    ///   - pool: what runs the search; threads that may be blocked.
    /// - Returns: the symbols, from top to bottom; an empty array when there is none.
    /// - Throws: ``DecodeError`` with the code `too_large`, `out_of_memory` or `cancelled`.
    public func decode(
        _ image: LumaImage, options: DecodeOptions = DecodeOptions(), on pool: any TaskExecutor = DecodingPool.shared
    ) async throws(DecodeError) -> [Symbol] {
        try await search(options, on: pool) { image }
    }

    /// Reads the symbols in a picture file, on a thread of a pool, where the file is read too.
    ///
    /// Cancellation is that of ``decode(_:options:on:)``.
    /// - Parameters:
    ///   - path: the file.
    ///   - options: what to look for, and how hard.
    ///   - pool: what reads and searches; threads that may be blocked.
    /// - Returns: the symbols, from top to bottom; an empty array when there is none.
    /// - Throws: ``DecodeError`` when the file cannot be read or holds no picture, or with the code `cancelled`.
    public func decode(
        contentsOf path: String, options: DecodeOptions = DecodeOptions(),
        on pool: any TaskExecutor = DecodingPool.shared
    ) async throws(DecodeError) -> [Symbol] {
        try await search(options, on: pool) { () throws(DecodeError) in
            try ImageLoader(limits: limits).load(contentsOf: path).image
        }
    }

    /// Reads the symbols in the bytes of a picture file, on a thread of a pool.
    ///
    /// Cancellation is that of ``decode(_:options:on:)``.
    /// - Parameters:
    ///   - bytes: those of the file.
    ///   - options: what to look for, and how hard.
    ///   - pool: what loads and searches; threads that may be blocked.
    /// - Returns: the symbols, from top to bottom; an empty array when there is none.
    /// - Throws: ``DecodeError`` when the bytes are no picture, or with the code `cancelled`.
    public func decode(
        bytes: [UInt8], options: DecodeOptions = DecodeOptions(), on pool: any TaskExecutor = DecodingPool.shared
    ) async throws(DecodeError) -> [Symbol] {
        try await search(options, on: pool) { () throws(DecodeError) in
            try ImageLoader(limits: limits).load(bytes).image
        }
    }

    private func search(
        _ options: DecodeOptions, on pool: any TaskExecutor, load: () throws(DecodeError) -> LumaImage
    ) async throws(DecodeError) -> [Symbol] {
        try await withTaskExecutorPreference(pool) { () async throws(DecodeError) -> [Symbol] in
            try Self.checkCancellation()
            let image = try load()
            try limits.check(width: image.width, height: image.height)
            var search = SymbolSearch(image: image, options: options, isCancelled: { Task.isCancelled })
            try search.run()
            // What a search found that was called off is not all that there is.
            try Self.checkCancellation()
            return search.symbols
        }
    }

    private static func checkCancellation() throws(DecodeError) {
        if Task.isCancelled { throw DecodeError(.cancelled, "the decoding was called off") }
    }
}
