package import BarcodeCore
internal import CLinux
internal import Glibc

/// Anonymous in-memory files, which other processes access through their descriptor.
package enum MemoryFile {
    /// Creates a file that contains `bytes`; the caller closes the descriptor.
    package static func open(holding bytes: UnsafeRawBufferPointer) throws(DecodeError) -> CInt {
        let file = qz_memory_file()
        guard file >= 0 else { throw .openFailure(errno) }
        guard bytes.write(to: file) == 0 else {
            close(file)
            throw .noMemory
        }
        return file
    }
}
