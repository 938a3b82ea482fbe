internal import BarcodeCore
internal import BridgeDialects
internal import DecodeReports
internal import DecodeWorkers
internal import HTTPTypes
internal import Hummingbird
internal import ScanEvents

/// `POST /scan` and `POST /detect`: pictures in, symbols out.
struct PictureRoutes: Sendable {
    let scanService: ScanService
    let receiver: UploadReceiver
    let uploads: UploadLimiter
    let requests: RequestCoordinator
    let decode: @Sendable (WorkerRequest) async -> DecodeReport
    let keys = UploadKeys()
    /// The pages of one document that are read at most, how long they may take, and how many are read at once.
    ///
    /// A page waits for the answer, and is told of the pages that were not read.
    private static let document = (maximumPages: 200, timeout: Duration.seconds(40), window: 4)

    private struct Pictures: Encodable {
        var pictures: [Picture]
    }

    struct Picture: Encodable {
        struct Failure: Encodable {
            var code: String
            var message: String
        }

        struct PageFailure: Encodable {
            var page: Int?
            var code: String
            var message: String
        }

        var name: OrNull<String>
        var width: Int
        var height: Int
        var symbols: [SymbolRecord]
        var events: [EventID]
        var error: OrNull<Failure>
        /// The pages of a document; absent for a picture.
        var pages: Int?
        /// The pages that could not be read, where others could; absent where there are none.
        var pageErrors: [PageFailure]?
        /// The pages as pictures, where they were asked for.
        var pageImages: [PageImage]?
    }

    func add(to group: RouterGroup<StationContext>) {
        group.post("scan") { request, context in
            try await self.uploads.enter(context.party) { try await self.scan(request, context) }
        }
        group.post("detect") { request, context in
            try await self.uploads.enter(context.party) { try await self.detect(request, context) }
        }
    }

    private func scan(_ request: Request, _ context: StationContext) async throws -> Response {
        let parameters = request.query
        let options = try DecodeOptions(parameters)
        let saves = parameters["save"] != "false"
        let showsPages = parameters["pageImages"] == "true"
        let key = try request.idempotencyKey
        let entry = try parameters["request"].map { try requests.openRequest($0, for: context.owner) }
        guard entry != nil || context.session == nil else {
            throw HTTPFailure(
                .forbidden, "session_not_enough", "A page session may only send pictures for its own requests.")
        }
        if let camera = parameters["camera"] {
            guard entry == nil else {
                throw HTTPFailure.badRequest("bad_query", "A request is answered by a picture without camera.")
            }
            guard camera.isIdentifier else {
                throw HTTPFailure.badRequest(
                    "bad_query", "The query parameter camera must be 8 to 64 letters, digits, - and _.")
            }
            return try await frame(try await receiver.receive(request, context), options, ofCamera: camera)
        }
        let files = try await receiver.receive(request, context)
        return try await keys.enter(key) {
            try await self.scan(
                files, options, key: saves ? key : nil, saves: saves, showsPages: showsPages, answering: entry)
        }
    }

    private func scan(
        _ files: [UploadFile], _ options: DecodeOptions, key: String?, saves: Bool, showsPages: Bool,
        answering entry: RequestRegistry.Entry?
    ) async throws -> Response {
        let images = showsPages ? files.map { _ in PageImages(folder: receiver.folder) } : []
        let reports = await reports(on: files, options, images)
        var events: [ScanEvent] = []
        // Sent before, and stored; the answer was lost on its way.
        if let key { events = try await scanService.events(ofUpload: key) }
        if saves && events.isEmpty {
            let sightings = zip(files, reports).map { file, pages in
                ScanSighting(
                    pages,
                    source: ScanSource(
                        kind: .upload, name: file.name, details: ScanService.details(of: entry, upload: key)))
            }
            events = try await scanService.store(sightings, request: entry?.id)
        }
        if let entry {
            let symbols = reports.flatMap { $0.flatMap(\.symbols) }
            requests.answer(
                entry,
                with: symbols.enumerated().map { index, symbol in
                    BridgeSymbol(symbol, event: index < events.count ? events[index].id.description : nil)
                }.filter { entry.bridge.symbologies.isEmpty || entry.bridge.symbologies.contains($0.symbology) })
        }
        return try answer(files, reports, images, events)
    }

    /// A frame of a page's camera: the answer has what is new in it.
    private func frame(
        _ files: [UploadFile], _ options: DecodeOptions, ofCamera camera: String
    ) async throws -> Response {
        guard let file = files.first, files.count == 1 else {
            throw HTTPFailure.badRequest("bad_query", "A frame of a camera is a single picture.")
        }
        var reports = await reports(on: files, options)
        let source = ScanSource(kind: .upload, name: file.name)
        let events = try await scanService.store(frame: ScanSighting(reports[0], source: source), ofCamera: camera)
        var new = events.map(\.symbol)
        for page in reports[0].indices {
            let shown = ScanSighting(reports[0][page], source: source).symbols
            reports[0][page].symbols = zip(reports[0][page].symbols, shown).filter { _, symbol in
                guard let place = new.firstIndex(of: symbol) else { return false }
                new.remove(at: place)
                return true
            }.map(\.0)
        }
        return try answer(files, reports, [], events)
    }

    private func answer(
        _ files: [UploadFile], _ reports: [[DecodeReport]], _ images: [PageImages], _ events: [ScanEvent]
    ) throws -> Response {
        var events = events[...]
        let pictures = zip(files, reports).enumerated().map { index, picture in
            let (file, pages) = picture
            let symbols = pages.flatMap(\.records)
            let own = events.prefix(symbols.count)
            events = events.dropFirst(own.count)
            let failures = pages.filter { $0.error != nil }.map {
                Picture.PageFailure(
                    page: $0.page, code: $0.error?.code.rawValue ?? "", message: $0.error?.message ?? "")
            }
            return Picture(
                name: OrNull(file.name), width: pages.first?.width ?? 0, height: pages.first?.height ?? 0,
                symbols: symbols, events: own.map(\.id),
                error: OrNull(
                    pages.failure.map { Picture.Failure(code: $0.code.rawValue, message: $0.message) }),
                pages: pages.first?.pages, pageErrors: failures.isEmpty || pages.failure != nil ? nil : failures,
                pageImages: index < images.count ? images[index].all : nil)
        }
        if reports.count == 1, let error = reports[0].failure { throw HTTPFailure(error) }
        return Envelope.answer(data: Pictures(pictures: pictures))
    }

    private func detect(_ request: Request, _ context: StationContext) async throws -> Response {
        let options = try DecodeOptions(request.query)
        let files = try await receiver.receive(request, context)
        let reports = await reports(on: files, options)
        if reports.count == 1, let error = reports[0].failure { throw HTTPFailure(error) }
        return Envelope.answer(data: reports.flatMap { $0.flatMap(\.symbols) }.map(DetectedBarcode.init))
    }

    /// The reports on the pages of pictures and documents, in their order; each page is read by a worker process.
    ///
    /// - Parameter images: where each file's pages go as pictures; empty where none are wanted.
    private func reports(
        on files: [UploadFile], _ options: DecodeOptions, _ images: [PageImages] = []
    ) async -> [[DecodeReport]] {
        await withTaskGroup(of: (Int, [DecodeReport]).self) { group in
            for (index, file) in files.enumerated() {
                let images = index < images.count ? images[index] : nil
                let decode = decode
                let reader = DocumentReader(
                    maximumPages: Self.document.maximumPages, timeout: Self.document.timeout,
                    window: Self.document.window
                ) { request in
                    if let images { return await images.take(request, by: decode) }
                    return await decode(request)
                }
                group.addTask {
                    let request = WorkerRequest(
                        path: PictureName(file.path), name: PictureName(file.name ?? "upload"), options: options)
                    return (index, await reader.read(request))
                }
            }
            var reports: [(Int, [DecodeReport])] = []
            for await report in group { reports.append(report) }
            return reports.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

extension DecodeReport {
    /// The symbols as an answer names them; those of a document with their page.
    fileprivate var records: [SymbolRecord] {
        symbols.map { symbol in
            var record = SymbolRecord(symbol, contentYear: nil, resolution: resolution)
            record.page = page
            return record
        }
    }
}

extension [DecodeReport] {
    /// Why nothing of a picture or document could be read; nil where at least a page could.
    fileprivate var failure: DecodeError? { allSatisfy { $0.error != nil } ? first?.error : nil }
}

extension HTTPFailure {
    /// What it means that a picture cannot be read.
    init(_ error: DecodeError) {
        switch error.code {
        case .cancelled:
            self.init(.serviceUnavailable, "stopping", "The station is shutting down.", headers: [.retryAfter: "5"])
        case .outOfMemory:
            self.init(.serviceUnavailable, error.code.rawValue, "The picture cannot be read now: \(error.message).")
        default:
            self.init(.unprocessableContent, error.code.rawValue, "The picture cannot be read: \(error.message).")
        }
    }
}

extension Request {
    /// What names an upload that may be sent again, by whoever sends it; nil where it has no name.
    ///
    /// - Throws: ``HTTPFailure`` 400 for a name that is none.
    var idempotencyKey: String? {
        get throws {
            guard let key = headers[.idempotencyKey] else { return nil }
            guard key.isIdentifier else {
                throw HTTPFailure.badRequest(
                    "bad_idempotency_key", "Idempotency-Key must be 8 to 64 letters, digits, - and _.")
            }
            return key
        }
    }
}

extension HTTPField.Name {
    // The literal is a name that HTTP allows.
    fileprivate static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

extension DecodeOptions {
    /// The options of a URL: `formats` by their names, separated by commas, and `effort`.
    ///
    /// - Throws: ``HTTPFailure`` 400, which names what is wrong.
    init(_ parameters: RequestQuery) throws {
        self.init()
        if let list = parameters["formats"], !list.isEmpty {
            symbologies = try Symbology.symbologies(named: list.split(separator: ",").map(String.init))
        }
        if let name = parameters["effort"] {
            guard let effort = Effort(rawValue: name) else {
                throw HTTPFailure.badRequest(
                    "bad_query", "The query parameter effort must be fast, normal or thorough.")
            }
            self.effort = effort
        }
    }
}

extension Symbology {
    /// The symbologies of names.
    ///
    /// - Throws: ``HTTPFailure`` 400 for a name that is none.
    static func symbologies(named names: [String]) throws -> Set<Symbology> {
        var symbologies: Set<Symbology> = []
        for name in names {
            guard let symbology = all.first(where: { $0.rawValue == name }) else {
                let known = all.map(\.rawValue).joined(separator: ", ")
                throw HTTPFailure.badRequest(
                    "unknown_format", "Unknown format; supported formats: \(known).")
            }
            symbologies.insert(symbology)
        }
        return symbologies
    }
}
