public import BarcodeCore
internal import CLinux
public import DecodeReports
internal import Glibc

/// A worker process: reads requests from standard input, one per line, and answers each on standard output.
///
/// A worker decodes one image at a time. A crash costs only that image, because its pool starts another worker.
public struct Worker {
    /// The self-imposed limits of a worker.
    public struct Settings: Sendable {
        /// The memory limit in bytes, beyond which an allocation fails.
        public var memoryLimit: Int
        /// The seconds per image after which the worker ends itself, in case the pool that would do so is gone.
        public var pictureSeconds: Int
        /// The pool's time limit per image, before which the search is to end; `nil` if it is not known.
        public var timeout: Duration?
        /// The folders to which the worker is restricted.
        public var folders: Sandbox.Folders
        /// The steps by which the worker's niceness is higher than that of the program that started it.
        public var niceness: Int

        /// Creates settings; 2 GiB and ten minutes by default.
        public init(
            memoryLimit: Int = 2 << 30, pictureSeconds: Int = 600, timeout: Duration? = nil,
            folders: Sandbox.Folders = Sandbox.Folders(), niceness: Int = 0
        ) {
            self.memoryLimit = memoryLimit
            self.pictureSeconds = pictureSeconds
            self.timeout = timeout
            self.folders = folders
            self.niceness = niceness
        }
    }

    /// The exit status of a worker that ran out of memory: EX_OSERR of sysexits.h.
    static let outOfMemoryStatus: Int32 = 71

    private let settings: Settings
    private let annotate: @Sendable (LumaImage, [Symbol], PictureName) throws(DecodeError) -> Void

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - settings: the self-imposed limits of the worker.
    ///   - annotate: writes an image with its symbols outlined to a file, for requests that ask for one; the file
    ///     is in the folder that `settings` name.
    public init(
        settings: Settings,
        annotate: @escaping @Sendable (LumaImage, [Symbol], PictureName) throws(DecodeError) -> Void
    ) {
        self.settings = settings
        self.annotate = annotate
    }

    /// Enters the sandbox, for the rest of the process, and answers requests until standard input ends.
    ///
    /// - Throws: an error if a line is not a request, or if standard output is closed.
    public func run() throws {
        ProcessLimits.takePriorityOfParent(niceness: settings.niceness)
        ProcessLimits.limitMemory(to: settings.memoryLimit)
        ProcessLimits.keepFreedMemory()
        // The pool reports a crash, so there is no core file for each hostile image.
        ProcessLimits.leaveNoCoreFile()
        ProcessLimits.outliveFileLimit()
        // Swift and zbar terminate the process if an allocation fails.
        qz_exit_when_out_of_memory(Self.outOfMemoryStatus)
        var input = WorkerInputReader(descriptor: STDIN_FILENO)
        // After the limits and the size of the pipe, which the sandbox cannot change, and before the first image.
        Sandbox.enter(settings.folders)
        var decoders: [Limits: PictureDecoder] = [:]
        while let line = try input.line() {
            let id: Int
            let request: WorkerRequest
            switch try WorkerProtocol.parse(line) {
            case .request(let number, let asked, let bytes):
                (id, request) = (number, asked)
                alarm(UInt32(settings.pictureSeconds))
                // Lets the handler detect that an allocation has failed since.
                errno = 0
                let decoder =
                    decoders[request.limits]
                    ?? PictureDecoder(limits: request.limits, timeout: settings.timeout)
                decoders = [request.limits: decoder]
                let passed = input.takePassedFile()
                defer { if let passed { close(passed) } }
                let source: PictureDecoder.Source =
                    if let bytes {
                        .bytes(try input.bytes(bytes))
                    } else if let passed {
                        .openFile(passed, request.path)
                    } else {
                        .file(request.path)
                    }
                let report =
                    request.countsPages
                    ? decoder.pages(of: source, name: request.name)
                    : decoder.report(
                        on: source, name: request.name, options: request.options, page: request.page,
                        gray: request.gray
                    ) {
                        (image, symbols) throws(DecodeError) in
                        guard let annotation = request.annotation else { return }
                        guard settings.folders.annotations != nil else {
                            throw DecodeError(
                                .invalidRequest,
                                "was read, but this worker writes no annotated copies; start it with "
                                    + "--annotation-folder")
                        }
                        try annotate(image, symbols, annotation)
                    }
                alarm(0)
                try BlockingLineWriter.write(
                    JSONLine.encode(WorkerReplyLine(id: id, report: report)), to: STDOUT_FILENO)
            case .refusal(let reply, let bytes):
                try input.skip(bytes)
                try BlockingLineWriter.write(JSONLine.encode(reply), to: STDOUT_FILENO)
            }
        }
    }
}
