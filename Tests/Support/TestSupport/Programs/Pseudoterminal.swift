import Glibc

/// A pseudoterminal: bytes written to this side can be read from its serial port.
package final class Pseudoterminal: Sendable {
    private let descriptor: Int32
    /// The path of the port.
    package let path: String

    package init() throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: UInt32 = 0
        guard descriptor >= 0, ioctl(descriptor, Self.unlock, &number) == 0,
            ioctl(descriptor, Self.getNumber, &number) == 0
        else { throw SystemFailure("/dev/ptmx") }
        path = "/dev/pts/\(number)"
    }

    /// The kernel's TIOCSPTLCK and TIOCGPTN, which are macros that Swift cannot import.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    deinit { close(descriptor) }

    package func send(_ bytes: some Sequence<UInt8>) throws {
        try writeAll(Array(bytes), to: descriptor)
    }

    /// Waits for a number of bytes that were written to the port.
    package func receive(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1 else { throw SystemFailure("read") }
            bytes.append(byte)
        }
        return bytes
    }
}
