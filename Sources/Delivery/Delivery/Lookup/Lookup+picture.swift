internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOHTTP1
public import ScanEvents

/// The picture of an answer.
public struct LookupPicture: Sendable, Hashable {
    /// The bytes of the file, which are not decoded here.
    public var bytes: [UInt8]
    /// The media type, one of those that browsers draw without running any of it.
    public var mediaType: String

    /// Creates a picture.
    public init(bytes: [UInt8], mediaType: String) {
        self.bytes = bytes
        self.mediaType = mediaType
    }
}

extension Lookup {
    /// A failure to load a picture.
    public struct PictureFailure: Error, Hashable {
        /// The reason, a clause without secrets.
        public var reason: String

        /// Creates a failure.
        public init(reason: String) {
            self.reason = reason
        }
    }

    /// The maximum size of a picture, in bytes.
    public static let maximumPicture = 512 << 10
    /// The media types of pictures, without SVG, which may have scripts.
    static let pictureTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"]

    /// Loads the picture of an answer about an event; returns within the timeout.
    ///
    /// - Parameters:
    ///   - address: ``Answer/picture``: a URL, or a part of one that is resolved like a link on a web page. It must have
    ///     the scheme, host and port of the lookup, because it is requested with the same secrets.
    ///   - event: the event that the answer is about.
    /// - Throws: ``PictureFailure``.
    public func picture(at address: String, for event: ScanEvent) async throws(PictureFailure) -> LookupPicture {
        let request: HTTPClientRequest
        do throws(HTTPExchange.Refusal) {
            let base = try settings.exchange.url(for: event, at: settings.receiver)
            let url = try url(of: address, relativeTo: base)
            request = try self.request(for: event, at: url, accepting: Self.pictureTypes.joined(separator: ", "))
        } catch {
            throw PictureFailure(reason: error.reason)
        }
        let outcome = await Task { await load(request) }.value(within: settings.timeout)
        switch outcome {
        case .success(let picture): return picture
        case .failure(let failure): throw failure
        case nil: throw PictureFailure(reason: "no picture within \(settings.timeout.words)")
        }
    }

    private func url(of address: String, relativeTo base: String) throws(HTTPExchange.Refusal) -> String {
        // A server is not sent the part behind "#".
        let target = address.prefix { $0 != "#" }
        guard let url = URL(string: String(target), relativeTo: URL(string: base))?.absoluteString,
            let other = try? HTTPReceiver(url: url)
        else { throw HTTPExchange.Refusal(reason: "the address of the picture is not one of an http or https server") }
        let own = settings.receiver
        guard (other.host, other.port, other.isSecure) == (own.host, own.port, own.isSecure) else {
            throw HTTPExchange.Refusal(reason: "the picture is on another server than the answer")
        }
        return other.url
    }

    private func load(_ request: HTTPClientRequest) async -> Result<LookupPicture, PictureFailure> {
        do {
            return try await connections.send(request, to: settings.receiver, timeout: settings.timeout) { response in
                let status = Int(response.status.code)
                guard status == 200 else { return .failure(PictureFailure(reason: "answered \(status)")) }
                let type = (response.headers.first(name: "content-type")?.prefix { $0 != ";" }.lowercased() ?? "")
                    .trimmed
                guard Self.pictureTypes.contains(type) else {
                    return .failure(PictureFailure(reason: "the picture is not PNG, JPEG, WebP or GIF"))
                }
                let body = try await HTTPCallbackSink.read(response.body, upTo: Self.maximumPicture)
                guard body.count <= Self.maximumPicture else {
                    return .failure(PictureFailure(reason: "the picture has more than \(Self.maximumPicture) bytes"))
                }
                return .success(LookupPicture(bytes: [UInt8](body), mediaType: type))
            }
        } catch {
            return .failure(PictureFailure(reason: HTTPFailureReason.reason(for: error, at: settings.receiver)))
        }
    }
}
