internal import BarcodeCore
internal import BridgeDialects
internal import DecodeReports
internal import DecodeWorkers
internal import HTTPTypes
internal import Hummingbird
internal import ScanEvents

/// `POST /scan` and `POST /detect`: decode uploaded pictures.
struct PictureRoutes: Sendable {
    let scanService: ScanService
    let receiver: UploadReceiver
    let uploads: UploadLimiter
    let turns: DecodeTurns
    let requests: RequestCoordinator
    let decode: @Sendable (WorkerRequest) async -> DecodeReport
    let keys = UploadKeys()
    /// The limits of one document: the number of pages, the time, and the number of pages decoded at once.
    ///
    /// The client waits for the response, which lists the pages that were not decoded.
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
        /// The number of pages of a document; absent for a picture.
        var pages: Int?
        /// The pages that failed while others succeeded; absent if there are none.
        var pageErrors: [PageFailure]?
        /// The pages as pictures, if the request wants them.
        var pageImages: [PageImage]?
    }

    /// The parameters of the search.
    private static let search: [RouteDescription.Parameter] = [
        .query("formats", "Symbologies by their names, separated by commas.", ["type": "string"]),
        .query("effort", "How thoroughly to search.", ["enum": ["fast", "normal", "thorough"]]),
    ]
    /// A picture, or a form with pictures.
    private static let pictures = RouteDescription.Body.content([
        "image/*": ["type": "string", "contentMediaType": "image/*"],
        "application/pdf": ["type": "string", "contentMediaType": "application/pdf"],
        "application/octet-stream": ["type": "string", "contentMediaType": "application/octet-stream"],
        "multipart/form-data": .fields([
            "file": .list(of: ["type": "string", "contentMediaType": "application/octet-stream"])
        ]),
    ])

    func add(to group: RouteGroup) {
        group.post(
            "scan",
            RouteDescription(
                "scan", "Reads pictures and stores what they hold",
                parameters: Self.search + [
                    .query("save", "Whether it is stored.", ["type": "boolean"]),
                    .query(
                        "camera",
                        "Names the camera whose frame the picture is, by 8 to 64 letters, digits, - and _: "
                            + "what it has had in view within 5 seconds is not stored again, and the answer has "
                            + "what is new.", ["type": "string"]),
                    .query(
                        "pageImages", "Whether the answer has the pages as pictures, of a document the first 40.",
                        ["type": "boolean"]),
                    .query("name", "The name of a picture that is the whole body.", ["type": "string"]),
                    .query("request", "The request of a page that this answers.", ["type": "string"]),
                    .header(
                        "Idempotency-Key",
                        "A name for the upload, 8 to 64 letters, digits, - and _. Sent again with the same "
                            + "name it is stored once: among the newest 2,000 events it is found, and its events "
                            + "are the answer.", ["type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"]),
                ], body: Self.pictures,
                answer: .data(.fields(["pictures": .list(of: .schema("Picture"))]), "Read, and on the disk."),
                failures: [
                    .badRequest, .notFound, .tooSlow, .conflict, .tooLarge, .mediaType, .unreadable, .tooMany, .notNow,
                    .noRoom,
                ])
        ) { request, context in
            try await self.uploads.enter(context.quotaUser) { try await self.scan(request, context) }
        }
        group.post(
            "detect",
            RouteDescription(
                "detect", "Reads pictures and stores nothing", parameters: Self.search, body: Self.pictures,
                answer: .data(.list(of: .schema("DetectedBarcode"))),
                failures: [.badRequest, .tooSlow, .tooLarge, .mediaType, .unreadable, .tooMany, .notNow, .noRoom])
        ) { request, context in
            try await self.uploads.enter(context.quotaUser) { try await self.detect(request, context) }
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
                throw HTTPFailure.badRequest("bad_query", "The query parameters request and camera cannot be combined.")
            }
            guard camera.isIdentifier else {
                throw HTTPFailure.badRequest(
                    "bad_query", "The query parameter camera must be 8 to 64 letters, digits, - and _.")
            }
            return try await frame(
                try await receiver.receive(request, context), options, ofCamera: camera, for: context.quotaUser)
        }
        let files = try await receiver.receive(request, context)
        return try await keys.enter(key) {
            try await self.scan(
                files, options, for: context.quotaUser, key: saves ? key : nil, saves: saves, showsPages: showsPages,
                answering: entry)
        }
    }

    private func scan(
        _ files: [UploadFile], _ options: DecodeOptions, for user: QuotaUser, key: String?, saves: Bool,
        showsPages: Bool, answering entry: RequestRegistry.Entry?
    ) async throws -> Response {
        if let entry { requests.hold(entry) }
        defer { if let entry { requests.release(entry) } }
        let images = showsPages ? files.map { _ in PageImages(folder: receiver.folder) } : []
        let reports = await reports(on: files, options, images, for: user)
        var events: [ScanEvent] = []
        // A retry of an upload that was stored, but whose response was lost.
        if let key { events = try await scanService.events(ofUpload: key) }
        if saves && events.isEmpty {
            let submissions = zip(files, reports).map { file, pages in
                ScanSubmission(
                    pages,
                    source: ScanSource(
                        kind: .upload, name: file.name, details: ScanService.details(of: entry, upload: key)))
            }
            events = try await scanService.store(submissions, request: entry?.id)
        }
        if let entry {
            let symbols = reports.flatMap { $0.flatMap(\.symbols) }
            requests.answer(
                entry,
                with: symbols.enumerated().map { index, symbol in
                    BridgeSymbol(symbol, event: index < events.count ? events[index].id.description : nil)
                }.filter { entry.bridge.admits($0.symbology) })
        }
        return try answer(files, reports, images, events)
    }

    /// Handles a frame of a page's camera; the response contains the new symbols.
    private func frame(
        _ files: [UploadFile], _ options: DecodeOptions, ofCamera camera: String, for user: QuotaUser
    ) async throws -> Response {
        guard let file = files.first, files.count == 1 else {
            throw HTTPFailure.badRequest("bad_query", "With camera, send a single picture.")
        }
        var reports = await reports(on: files, options, for: user)
        let source = ScanSource(kind: .upload, name: file.name)
        let events = try await scanService.store(frame: ScanSubmission(reports[0], source: source), ofCamera: camera)
        var new = events.map(\.symbol)
        for page in reports[0].indices {
            let shown = ScanSubmission(reports[0][page], source: source).symbols
            reports[0][page].symbols = zip(reports[0][page].symbols, shown).filter { _, symbol in
                guard let place = new.firstIndex(where: symbol.isReading(of:)) else { return false }
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
        let reports = await reports(on: files, options, for: context.quotaUser)
        if reports.count == 1, let error = reports[0].failure { throw HTTPFailure(error) }
        return Envelope.answer(data: reports.flatMap { $0.flatMap(\.symbols) }.map(DetectedBarcode.init))
    }

    /// Returns the reports on the pages of pictures and documents, in order; a worker process decodes each page.
    ///
    /// - Parameter images: collect the pages of each file as pictures; empty if none are wanted.
    private func reports(
        on files: [UploadFile], _ options: DecodeOptions, _ images: [PageImages] = [], for user: QuotaUser
    ) async -> [[DecodeReport]] {
        await withTaskGroup(of: (Int, [DecodeReport]).self) { group in
            for (index, file) in files.enumerated() {
                let images = index < images.count ? images[index] : nil
                let decode: @Sendable (WorkerRequest) async -> DecodeReport = { [decode, turns] request in
                    await turns.run(user) { await decode(request) }
                }
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
    /// The symbols in the form of the response, with the page if they come from a document.
    fileprivate var records: [SymbolRecord] {
        symbols.map { symbol in
            var record = SymbolRecord(symbol, contentYear: nil, resolution: resolution)
            record.page = page
            return record
        }
    }
}

extension [DecodeReport] {
    /// The error if all pages failed; `nil` if at least one succeeded.
    fileprivate var failure: DecodeError? { allSatisfy { $0.error != nil } ? first?.error : nil }
}

extension HTTPFailure {
    /// Creates the error response for a picture that cannot be decoded.
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
    /// The client's idempotency key of an upload; `nil` if there is none.
    ///
    /// - Throws: ``HTTPFailure`` 400 for an invalid key.
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
    // The forced unwrap is safe: this is a valid header name.
    fileprivate static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

extension DecodeOptions {
    /// Creates the options of a URL's query: `formats`, names separated by commas, and `effort`.
    ///
    /// - Throws: ``HTTPFailure`` 400 with the name of the invalid parameter.
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
    /// Returns the symbologies with the given names.
    ///
    /// - Throws: ``HTTPFailure`` 400 for an unknown name.
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
