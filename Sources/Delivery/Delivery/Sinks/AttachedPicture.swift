internal import FoundationEssentials
internal import Glibc
internal import ScanEvents

/// The stored picture of an event, as a part of a multipart body.
enum AttachedPicture {
    /// The maximum size of a picture, in bytes.
    private static let maximumSize = 100 << 20

    /// The reason why the picture cannot be sent now.
    struct Problem: Error {
        var reason: String
    }

    /// Adds the picture to a body if the event has one.
    static func add(_ evidence: Evidence?, as field: String, to body: inout MultipartBody) throws(Problem) {
        guard let evidence else { return }
        let path = evidence.uri.hasPrefix("file:///") ? URL(string: evidence.uri)?.path : evidence.uri
        guard let path, path.hasPrefix("/") || !path.contains("://"), !path.contains("\0") else {
            throw Problem(reason: "its picture is not a file of this machine")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Problem(reason: "its picture \(path) is not there")
        }
        guard status.st_size <= maximumSize else {
            throw Problem(reason: "its picture \(path) is larger than \(maximumSize >> 20) MiB")
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw Problem(reason: "its picture \(path) cannot be read")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? "picture"
        // Anything else could add lines to the part's head.
        let type = evidence.mediaType.flatMap { $0.wholeMatch(of: /[a-z0-9.+-]+\/[a-z0-9.+-]+/) == nil ? nil : $0 }
        body.add(field, data, fileName: name, mediaType: type ?? "application/octet-stream")
    }
}
