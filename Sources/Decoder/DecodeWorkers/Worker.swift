public import BarcodeCore
internal import CLinux
public import DecodeReports
internal import Glibc

/// The worker's side: reads requests from standard input, one a line, and answers each on standard output.
///
/// A worker decodes one picture after the other. What kills it costs that picture: its pool starts another.
public struct Worker {
    /// How a worker looks after itself.
    public struct Settings: Sendable {
        /// Bytes of memory that the worker may take, beyond which an allocation fails.
        public var memoryLimit: Int
        /// Seconds for one picture after which the worker ends itself, in case the pool that would do it is gone.
        public var pictureSeconds: Int
        /// The time after which the pool gives a picture up, before which the search is to end; `nil` if it is not known.
        public var timeout: Duration?

        /// The given settings; 2 GiB and ten minutes unless said otherwise.
        public init(memoryLimit: Int = 2 << 30, pictureSeconds: Int = 600, timeout: Duration? = nil) {
            self.memoryLimit = memoryLimit
            self.pictureSeconds = pictureSeconds
            self.timeout = timeout
        }
    }

    /// The exit status of a worker that ran out of memory: EX_OSERR of sysexits.h.
    static let outOfMemoryStatus: Int32 = 71

    private let settings: Settings
    private let annotate: @Sendable (LumaImage, [Symbol], PictureName) throws(DecodeError) -> Void

    /// A worker.
    ///
    /// - Parameters:
    ///   - settings: how the worker looks after itself.
    ///   - annotate: writes a picture with its symbols outlined to a file, for requests that want one.
    public init(
        settings: Settings,
        annotate: @escaping @Sendable (LumaImage, [Symbol], PictureName) throws(DecodeError) -> Void
    ) {
        self.settings = settings
        self.annotate = annotate
    }

    /// Answers requests until standard input ends.
    ///
    /// - Throws: when a line is no request, or when standard output is closed.
    public func run() throws {
        ProcessLimits.limitMemory(to: settings.memoryLimit)
        ProcessLimits.keepFreedMemory()
        // What a crash leaves behind is the pool's report, not a core file for each hostile picture.
        ProcessLimits.leaveNoCoreFile()
        // Swift and zbar end the process where an allocation fails.
        qz_exit_when_out_of_memory(Self.outOfMemoryStatus)
        var decoders: [Limits: PictureDecoder] = [:]
        var input = FrameReader(descriptor: STDIN_FILENO)
        while let line = try input.line() {
            let id: Int
            let request: WorkerRequest
            switch try WorkerProtocol.question(in: line) {
            case .request(let number, let asked, let bytes):
                (id, request) = (number, asked)
                alarm(UInt32(settings.pictureSeconds))
                // By which the handler knows that an allocation has failed since.
                errno = 0
                let decoder =
                    decoders[request.limits]
                    ?? PictureDecoder(limits: request.limits, timeout: settings.timeout)
                decoders = [request.limits: decoder]
                let source: PictureDecoder.Source =
                    if let bytes { .bytes(try input.bytes(bytes)) } else { .file(request.path) }
                let report =
                    request.countsPages
                    ? decoder.pages(of: source, name: request.name)
                    : decoder.report(
                        on: source, name: request.name, options: request.options, page: request.page,
                        gray: request.gray
                    ) {
                        (image, symbols) throws(DecodeError) in
                        if let annotation = request.annotation { try annotate(image, symbols, annotation) }
                    }
                alarm(0)
                try LineWriter.write(JSONLine.encode(WorkerReplyLine(id: id, report: report)), to: STDOUT_FILENO)
            case .refusal(let reply, let bytes):
                try input.skip(bytes)
                try LineWriter.write(JSONLine.encode(reply), to: STDOUT_FILENO)
            }
        }
    }
}
