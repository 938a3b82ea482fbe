internal import BarcodeCore
internal import CLinux
internal import Glibc

/// Operations on device files and on the folders that hold them.
package enum DeviceFiles {
    /// Opens a device in non-blocking mode and returns a descriptor, or the negative error number.
    package static func open(_ path: String, forWriting: Bool) -> Int32 { qz_device_open(path, forWriting ? 1 : 0) }

    /// Returns the sorted names in a folder without `.` and `..`; empty if the folder cannot be read.
    package static func names(in folder: String) -> [String] {
        let names = (try? FolderNames.all(in: Array(folder.utf8))) ?? []
        return names.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the path with all symbolic links resolved; `nil` if nothing is there.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the first line of a small file, such as one in sysfs, up to 255 bytes; `nil` if it cannot be read.
    package static func line(of path: String) -> String? {
        let descriptor = open(path, forWriting: false)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 255)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// The time of CLOCK_MONOTONIC, which the kernel uses to stamp input from devices.
    package static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
