internal import BarcodeCore
internal import BridgeDialects
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import StationDevices
internal import Synchronization
internal import VideoCapture

/// `/frame.jpg` and `/preview`: the camera's picture for people.
struct PreviewRoutes: Sendable {
    let camera: StationCamera
    let viewers: PreviewViewers
    let requests: RequestCoordinator

    /// The maximum frame rate of a viewer, in frames a second.
    private static let maximumRate = 10.0
    /// The maximum size of the header with the symbols in view, in bytes.
    private static let maximumHeaderBytes = 32 << 10

    func addFrame(to group: RouteGroup) {
        group.get(
            "frame.jpg",
            RouteDescription(
                "frame", "A picture of the camera",
                details: "A page's session gets it only while a request of its own has the camera, and "
                    + "X-Symbols without texts then.",
                parameters: [
                    .query(
                        "size", "full: all pixels of the camera, for whoever has the station's token.",
                        ["type": "string", "enum": ["full"]])
                ],
                answer: .file(
                    "The picture.", ["image/jpeg": ["type": "string", "contentMediaType": "image/jpeg"]],
                    headers: [
                        "X-Frame-Size": [
                            "schema": ["type": "string"], "description": "Pixels of the whole frame, as in 1280x720.",
                        ],
                        "X-Symbols": [
                            "schema": ["type": "string"], "description": "The codes in view, as JSON in ASCII.",
                        ],
                        "X-Unread": [
                            "schema": ["type": "string"],
                            "description": "Why a code in view is not read: small, blurred, glare or damaged.",
                        ],
                    ]), failures: [.tooMany, .notNow])
        ) { request, context in
            try self.requireRequest(context)
            // Only the station's own page gets the full resolution, which it sends back for decoding.
            let isWhole = request.query["size"] == "full" && context.caller == .station
            guard let preview = isWhole ? await self.camera.still() : await self.camera.preview() else {
                throw HTTPFailure(
                    .serviceUnavailable, "no_picture", "The camera has no picture at the moment.",
                    headers: [.retryAfter: "1"])
            }
            // The request may have ended during the wait for the picture.
            try self.requireRequest(context)
            var response = Response(
                status: .ok,
                headers: [
                    .contentType: "image/jpeg", .cacheControl: "no-store",
                    .frameSize: "\(preview.size.width)x\(preview.size.height)",
                    // A page gets the texts only as the answer to its request.
                    .symbols: Self.header(preview.symbols, withTexts: context.session == nil),
                ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: preview.jpeg)))
            response.headers[.unread] = preview.advice?.rawValue
            return response
        }
    }

    /// Throws unless the page's own request has the camera: a page may only see the camera while the person sees its
    /// request.
    private func requireRequest(_ context: StationContext) throws {
        guard let session = context.session, !requests.mayWatch(session) else { return }
        throw HTTPFailure(
            .forbidden, "no_open_request",
            "A page may only see the camera while its own request is waiting for a code; open a request first.")
    }

    func addStream(to group: RouteGroup) {
        group.get(
            "preview",
            RouteDescription(
                "preview", "The camera's pictures as MJPEG",
                parameters: [
                    .query(
                        "rate", "The most pictures a second; 10 at most.",
                        ["type": "number", "exclusiveMinimum": .integer(0)])
                ], answer: .file("Pictures.", ["multipart/x-mixed-replace": ["type": "string"]]),
                failures: [.badRequest, .notNow])
        ) { request, _ in
            var rate = Self.maximumRate
            if let text = request.query["rate"] {
                guard let number = Double(text), number > 0 else {
                    throw HTTPFailure.badRequest(
                        "bad_query", "The query parameter rate must be a number greater than 0.")
                }
                rate = min(number, Self.maximumRate)
            }
            let source = PreviewSource(self.camera.previews(atMost: rate))
            guard self.viewers.take(source) else {
                throw HTTPFailure(
                    .serviceUnavailable, "too_many_viewers", "\(PreviewViewers.maximum) viewers are already connected.",
                    headers: [.retryAfter: "5"])
            }
            let reservation = Reservation { [viewers] in viewers.give(source) }
            let body = ResponseBody { writer in
                defer { reservation.end() }
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await Self.write(source, into: &writer)
                } onInboundClosed: {
                    source.end()
                }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "multipart/x-mixed-replace; boundary=frame", .cacheControl: "no-store",
                ], body: body)
        }
    }

    private static func write(_ source: PreviewSource, into writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: "--frame\r\n"))
        while let preview = await source.next() {
            var part = ByteBuffer(
                string: "Content-Type: image/jpeg\r\nContent-Length: \(preview.jpeg.count)\r\n\r\n")
            part.writeBytes(preview.jpeg)
            // The boundary follows its part instead of preceding the next one: a browser shows a part once it has
            // ended.
            part.writeString("\r\n--frame\r\n")
            try await writer.write(part)
        }
    }

    /// Encodes the symbols in view as ASCII JSON; symbols that exceed the header size are left out.
    static func header(_ symbols: [Symbol], withTexts: Bool) -> String {
        var texts: [String] = []
        var room = maximumHeaderBytes
        for symbol in symbols {
            let corners = symbol.corners.points.map { point in
                JSON.array([.number((point.x * 10).rounded() / 10), .number((point.y * 10).rounded() / 10)])
            }
            var seen: [String: JSON] = [
                "format": .string(symbol.symbology.rawValue), "corners": .array(corners),
            ]
            if withTexts { seen["text"] = .string(symbol.text) }
            let text = JSON.object(seen).text
            room -= text.utf8.count + 1
            if room < 0 { continue }
            texts.append(text)
        }
        return "[" + texts.joined(separator: ",") + "]"
    }
}

/// The viewers of the camera's stream.
final class PreviewViewers: Sendable {
    static let maximum = 16

    private struct State {
        var sources: [ObjectIdentifier: PreviewSource] = [:]
        var isClosed = false
    }
    private let state = Mutex(State())

    /// Adds a viewer; false if there is no room.
    func take(_ source: PreviewSource) -> Bool {
        state.withLock { state in
            guard state.sources.count < Self.maximum, !state.isClosed else { return false }
            state.sources[ObjectIdentifier(source)] = source
            return true
        }
    }

    func give(_ source: PreviewSource) {
        state.withLock { _ = $0.sources.removeValue(forKey: ObjectIdentifier(source)) }
        source.end()
    }

    /// Ends all streams.
    func close() {
        let sources = state.withLock { state in
            state.isClosed = true
            return Array(state.sources.values)
        }
        for source in sources { source.end() }
    }
}
