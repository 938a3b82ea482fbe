internal import DeviceAccess
internal import Glibc

/// The sole owner of an open device.
struct DeviceFile: ~Copyable {
    let descriptor: Int32

    /// Opens a device in non-blocking mode.
    ///
    /// - Throws: ``DeviceError`` with the error number.
    init(_ path: String, forWriting: Bool = false) throws(DeviceError) {
        let descriptor = DeviceFiles.open(path, forWriting: forWriting)
        guard descriptor >= 0 else { throw DeviceError(number: -descriptor, path: path, action: "opened") }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Reads up to `count` bytes; `nil` if there is no input yet.
    ///
    /// - Throws: ``DeviceError`` with the error number; ENODEV if the device is gone.
    func read(upTo count: Int, path: String) throws(DeviceError) -> [UInt8]? {
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            let result = Glibc.read(descriptor, buffer.baseAddress, count)
            number = result < 0 ? errno : 0
            length = max(0, result)
        }
        switch number {
        case 0 where bytes.isEmpty: throw DeviceError(number: ENODEV, path: path, action: "read")
        case 0: return bytes
        case EAGAIN, EINTR: return nil
        default: throw DeviceError(number: number, path: path, action: "read")
        }
    }

    /// Returns a text of up to 255 bytes that a C function writes; empty if the function fails.
    func text(_ call: (Int32, UnsafeMutablePointer<CChar>, Int) -> Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        let result = buffer.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { call(descriptor, $0, buffer.count - 1) } ?? -1
        }
        guard result >= 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A failure to read a device.
struct DeviceError: Error, Hashable, CustomStringConvertible {
    /// The error number of the kernel.
    var number: Int32
    var path: String
    /// The action that failed, such as `opened`.
    var action: String

    /// The problem and the remedy, as a sentence.
    var description: String {
        switch number {
        case EACCES, EPERM:
            "\(path) cannot be \(action): permission denied. Install the udev rule of docs/how-to/devices.md, or add the user to "
                + "the group that owns the device."
        case EBUSY: "\(path) cannot be \(action): another program has exclusive access. Stop that program."
        case ENOENT, ENODEV, ENXIO: "\(path) cannot be \(action): the device does not exist."
        default: "\(path) cannot be \(action): \(String(cString: strerror(number)))."
        }
    }

    /// Indicates whether the device is gone, which is not a fault.
    var isGone: Bool { [ENOENT, ENODEV, ENXIO, EIO].contains(number) }
}
