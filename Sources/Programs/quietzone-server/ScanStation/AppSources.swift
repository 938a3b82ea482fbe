import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import StationApps

/// Fetches the packages of apps from HTTP addresses and from files.
struct AppSources: AppFetcher {
    /// The timeout for downloading a package.
    private static let timeout: TimeAmount = .minutes(10)

    func fetch(
        _ place: String, maximumBytes: Int, into take: ([UInt8]) throws(AppError) -> Void
    ) async throws(AppError) {
        if place.contains("://") {
            try await fetchAddress(place, maximumBytes, take)
        } else {
            try readFile(place, maximumBytes, take)
        }
    }

    /// Refuses an address through which others could replace the pages of the app.
    ///
    /// - Parameter isSigned: true if a signature protects the package.
    static func check(_ place: String, isSigned: Bool) throws(AppError) {
        guard place.contains("://"), !place.hasPrefix("https://") else { return }
        guard place.hasPrefix("http://") else {
            throw AppError(.invalid, "\(place): give an address with https, or the path of a file")
        }
        let host = place.dropFirst(7).prefix { !"/:?".contains($0) }.lowercased()
        guard isSigned || ["127.0.0.1", "localhost"].contains(host) else {
            throw AppError(
                .invalid, "\(place) is not encrypted: give an address with https, or the publisher's --key")
        }
    }

    private func fetchAddress(
        _ address: String, _ maximumBytes: Int, _ take: ([UInt8]) throws(AppError) -> Void
    ) async throws(AppError) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        // Count and hash the bytes as they were sent.
        configuration.decompression = .disabled
        configuration.timeout = .init(connect: .seconds(10), read: .seconds(60))
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var failure: AppError?
        do {
            let response = try await client.execute(HTTPClientRequest(url: address), timeout: Self.timeout)
            try Self.check(response, address)
            var left = maximumBytes
            for try await part in response.body {
                left -= part.readableBytes
                guard left >= 0 else { throw AppError(.tooLarge, "\(address) has more than \(maximumBytes) bytes") }
                try take(Array(part.readableBytesView))
            }
        } catch {
            failure = error as? AppError ?? AppError(.unreachable, "\(address) could not be read: \(error)")
        }
        try? await client.shutdown()
        if let failure { throw failure }
    }

    private static func check(_ response: HTTPClientResponse, _ address: String) throws(AppError) {
        switch response.status.code {
        case 200: return
        case 401, 403:
            throw AppError(
                .signInNeeded,
                "\(address) answers \(response.status.code): it requires a sign-in. "
                    + "Allow the station to read the files, or add the app from a file")
        case 300..<400:
            let target = response.headers.first(name: "Location").map { " to \($0)" } ?? ""
            throw AppError(.unreachable, "\(address) redirects\(target): give that address instead")
        default: throw AppError(.unreachable, "\(address) answers \(response.status.code)")
        }
    }

    private func readFile(
        _ path: String, _ maximumBytes: Int, _ take: ([UInt8]) throws(AppError) -> Void
    ) throws(AppError) {
        func failure(_ number: Int32) -> AppError {
            AppError(
                number == ENOENT ? .notFound : .storage, "\(path) cannot be read: \(String(cString: strerror(number)))")
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(errno) }
        defer { close(file) }
        var part = [UInt8](repeating: 0, count: 1 << 16)
        var left = maximumBytes
        while true {
            let count = read(file, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno) }
            if count == 0 { return }
            left -= count
            guard left >= 0 else { throw AppError(.tooLarge, "\(path) has more than \(maximumBytes) bytes") }
            try take(Array(part.prefix(count)))
        }
    }
}
