import Glibc
import TestSupport

/// The files below a folder.
enum Tree {
    /// Returns the regular files, sorted; date folders are left out of the paths.
    ///
    /// Bytes that are not UTF-8 are written as `\xNN`.
    static func files(below folder: String) -> [String] {
        var found: [String] = []
        walk(Array(folder.utf8), shown: "", &found)
        return found.sorted()
    }

    private static func walk(_ path: [UInt8], shown: String, _ found: inout [String]) {
        guard let folder = path.withCString({ opendir($0) }) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            let inner = path + [0x2F] + name
            var status = stat()
            guard inner.withCString({ lstat($0, &status) }) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: walk(inner, shown: isDate(name) ? shown : "\(shown)\(escaped(name))/", &found)
            case S_IFREG: found.append(shown + escaped(name))
            default: break
            }
        }
    }

    /// Matches names such as 2026-11-21.
    private static func isDate(_ name: [UInt8]) -> Bool {
        name.count == 10
            && name.enumerated().allSatisfy { [4, 7].contains($0) ? $1 == 0x2D : (0x30...0x39).contains($1) }
    }

    private static func escaped(_ name: [UInt8]) -> String {
        if let text = String(validating: name, as: UTF8.self) { return text }
        return name.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "\\x" + String($0, radix: 16) }.joined()
    }
}
