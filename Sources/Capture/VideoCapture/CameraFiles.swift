internal import DeviceAccess
internal import Glibc

/// What the file system knows of cameras.
enum CameraFiles {
    /// Every `/dev/videoN` in the order of its number, with its stable names.
    static func all() -> [DeviceNode] {
        var stable: [String: [String]] = [:]
        // By identity before by port: the same camera in another port is the same camera.
        for folder in ["/dev/v4l/by-id", "/dev/v4l/by-path"] {
            for name in DeviceFiles.names(in: folder) {
                let path = "\(folder)/\(name)"
                if let target = DeviceFiles.resolved(path) { stable[target, default: []].append(path) }
            }
        }
        let numbers = DeviceFiles.names(in: "/dev").compactMap { name -> Int? in
            name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
        }
        return numbers.sorted().map { number in
            DeviceNode(path: "/dev/video\(number)", stablePaths: stable["/dev/video\(number)"] ?? [])
        }
    }

    /// Who has a device open; only processes of the same user can be seen without being root.
    static func holders(of path: String) -> [String] {
        guard let device = DeviceFiles.resolved(path) else { return [] }
        var found: [String] = []
        for name in DeviceFiles.names(in: "/proc") {
            guard let process = Int(name), process != Int(getpid()) else { continue }
            let folder = "/proc/\(name)/fd"
            guard DeviceFiles.names(in: folder).contains(where: { link("\(folder)/\($0)") == device }) else { continue }
            found.append("\(command(of: name)) (process \(process))")
        }
        return found
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func command(of process: String) -> String {
        DeviceFiles.line(of: "/proc/\(process)/comm") ?? "a process"
    }
}
