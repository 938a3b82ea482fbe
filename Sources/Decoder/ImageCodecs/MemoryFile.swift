package import BarcodeCore
internal import CRendering
internal import Glibc

/// Files in memory without a name, which other processes reach by their descriptor.
package enum MemoryFile {
    /// Makes one that holds `bytes`; whoever gets the descriptor closes it.
    package static func open(holding bytes: UnsafeRawBufferPointer) throws(DecodeError) -> CInt {
        let file = qz_memory_file()
        guard file >= 0 else { throw .openFailure(errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                close(file)
                throw .noMemory
            }
            rest = rest.dropFirst(count)
        }
        return file
    }
}
