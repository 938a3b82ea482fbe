internal import Glibc

extension ImageFormat {
    /// Detects the format of a regular file; `nil` for other files, and if it cannot be opened.
    ///
    /// The path need not be UTF-8; it has no terminating zero byte.
    public static func detect(inFileAt path: [UInt8]) -> ImageFormat? {
        let descriptor = (path + [0]).withUnsafeBytes { bytes -> CInt in
            var status = stat()
            // A pipe is not even opened, since its writer would mistake that for its reader.
            guard let path = bytes.bindMemory(to: CChar.self).baseAddress, stat(path, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return -1 }
            return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
        guard descriptor >= 0 else { return nil }
        let file = Descriptor(number: descriptor)
        var start = [UInt8](repeating: 0, count: 16)
        let count = pread(file.number, &start, start.count, 0)
        return count > 0 ? detect(in: Array(start[..<count])) : nil
    }
}
