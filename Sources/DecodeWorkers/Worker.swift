public import BarcodeCore
internal import CCrashGuard
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

        /// The given settings; 2 GiB and ten minutes unless said otherwise.
        public init(memoryLimit: Int = 2 << 30, pictureSeconds: Int = 600) {
            self.memoryLimit = memoryLimit
            self.pictureSeconds = pictureSeconds
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
        // What a crash leaves behind is the pool's report, not a core file for each hostile picture.
        ProcessLimits.leaveNoCoreFile()
        // Swift and zbar end the process where an allocation fails.
        qz_exit_when_out_of_memory(Self.outOfMemoryStatus)
        var decoders: [Limits: PictureDecoder] = [:]
        var lines = LineBuffer()
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            lines.append(chunk[..<count])
            while let line = lines.next() {
                let id: Int
                let request: WorkerRequest
                switch try WorkerProtocol.question(in: line) {
                case .request(let number, let asked): (id, request) = (number, asked)
                case .refusal(let reply):
                    try write(JSONLine.encode(reply))
                    continue
                }
                let decoder = decoders[request.limits] ?? PictureDecoder(limits: request.limits)
                decoders = [request.limits: decoder]
                alarm(UInt32(settings.pictureSeconds))
                // By which the handler knows that an allocation has failed since.
                errno = 0
                let report =
                    request.countsPages
                    ? decoder.pages(of: request.path, name: request.name)
                    : decoder.report(
                        on: .file(request.path), name: request.name, options: request.options, page: request.page
                    ) {
                        (image, symbols) throws(DecodeError) in
                        if let annotation = request.annotation { try annotate(image, symbols, annotation) }
                    }
                alarm(0)
                try write(JSONLine.encode(WorkerReplyLine(id: id, report: report)))
            }
        }
    }

    private func write(_ line: [UInt8]) throws {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw DecodeError(.unreadable, "the worker's standard output is closed")
            }
            rest = rest.dropFirst(count)
        }
    }
}
