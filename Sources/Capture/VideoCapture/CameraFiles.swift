internal import DeviceAccess
internal import Glibc

/// Looks up cameras in the file system.
enum CameraFiles {
    /// Returns every `/dev/videoN` in numeric order, with its stable names.
    static func all() -> [DeviceNode] {
        var stable: [String: [String]] = [:]
        // Names by identity come before names by port: the same camera at another port is the same camera.
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

    /// Returns the processes that have a device open; without root, only processes of the same user are visible.
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
