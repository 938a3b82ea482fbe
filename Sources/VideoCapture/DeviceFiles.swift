internal import Glibc

/// What the file system knows of cameras.
enum DeviceFiles {
    /// Every `/dev/videoN` in the order of its number, with its stable names.
    static func all() -> [DeviceNode] {
        var stable: [String: [String]] = [:]
        // By identity before by port: the same camera in another port is the same camera.
        for folder in ["/dev/v4l/by-id", "/dev/v4l/by-path"] {
            for name in names(in: folder).sorted() {
                let path = "\(folder)/\(name)"
                if let target = resolved(path) { stable[target, default: []].append(path) }
            }
        }
        let numbers = names(in: "/dev").compactMap { name -> Int? in
            name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
        }
        return numbers.sorted().map { number in
            DeviceNode(path: "/dev/video\(number)", stablePaths: stable["/dev/video\(number)"] ?? [])
        }
    }

    /// Who has a device open; only processes of the same user can be seen without being root.
    static func holders(of path: String) -> [String] {
        guard let device = resolved(path) else { return [] }
        var found: [String] = []
        for name in names(in: "/proc") {
            guard let process = Int(name), process != Int(getpid()) else { continue }
            let folder = "/proc/\(name)/fd"
            guard names(in: folder).contains(where: { link("\(folder)/\($0)") == device }) else { continue }
            found.append("\(command(of: name)) (process \(process))")
        }
        return found
    }

    /// The path without links; nil where there is none.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func command(of process: String) -> String {
        let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "a process" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
