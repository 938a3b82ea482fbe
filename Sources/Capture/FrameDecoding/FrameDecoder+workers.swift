internal import BarcodeCore
public import DecodeWorkers

extension FrameDecoder {
    /// Creates a frame decoder that decodes in the workers of a pool, so that a crash or a hang costs one frame.
    ///
    /// The pool has to run; one worker suffices for one camera. The thread that decodes waits for the worker, so it
    /// must be none of Swift's shared thread pool: use a ``LiveDecoder``. Decoding also throws the errors of
    /// `WorkerPool.decode(_:)`, such as `reader_crashed`, and continues with the next frame.
    public init(settings: Settings = .init(), pool: WorkerPool) {
        self.init(
            settings: settings,
            find: { (image, options) throws(DecodeError) in try pool.find(in: image, options) })
    }
}

extension WorkerPool {
    /// Decodes an image in a worker, and waits for the result.
    fileprivate func find(in image: LumaImage, _ options: DecodeOptions) throws(DecodeError) -> FrameDecoder.Found {
        let request = WorkerRequest(
            bytes: image.withUnsafePixels { Array($0) }, gray: GrayLayout(width: image.width, height: image.height),
            name: PictureName("a frame of the camera"), options: options)
        let report = decodeAndWait(request)
        if let error = report.error { throw error.about(request.name.display) }
        return (report.symbols, report.unread)
    }
}
