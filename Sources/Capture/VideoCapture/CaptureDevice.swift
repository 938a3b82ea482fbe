internal import BarcodeCore
internal import CLinux
internal import Glibc

/// The sole owner of an open camera: its descriptor and its mapped buffers.
///
/// Everything is released with the value. Calls do not block. A device may be inspected while another process
/// streams from it; only ``start(mode:rate:)`` needs exclusive access.
public struct CaptureDevice: ~Copyable {
    /// The path that it was opened with.
    public let path: String
    /// The name of the camera, as its driver reports it.
    public let card: String
    /// The name of the driver.
    public let driver: String
    /// The format that the driver agreed to deliver; `nil` until streaming has been started.
    public internal(set) var format: CaptureFormat?

    let calls: any V4L2Calls
    let descriptor: CInt
    /// Indicates whether the driver delivers each plane of a frame in a memory of its own (the multi-planar interface).
    let isMultiPlanar: Bool
    var buffers: [UnsafeMutableRawBufferPointer]
    var isStreaming = false

    /// Opens the camera at a path.
    ///
    /// - Throws: ``CaptureError`` with the code `not_found`, `permission_denied`, `not_a_camera`, `busy`,
    ///   `disconnected` or `driver_failed`.
    public init(path: String) throws(CaptureError) {
        try self.init(path: path, calls: KernelCalls())
    }

    /// Opens the camera at a path with the given system calls.
    package init(path: String, calls: any V4L2Calls) throws(CaptureError) {
        let descriptor = calls.open(path)
        guard descriptor >= 0 else {
            let holders = descriptor == -EBUSY ? calls.holders(of: path) : []
            throw CaptureError(errno: -descriptor, doing: "open", subject: path, holders: holders)
        }
        var capability = v4l2_capability()
        let answer = withUnsafeMutablePointer(to: &capability) { calls.control(descriptor, qz_v4l2_querycap, $0) }
        if let failure = Self.refusal(answer, capability, path: path) {
            calls.close(descriptor)
            throw failure
        }
        self.path = path
        self.calls = calls
        self.descriptor = descriptor
        isMultiPlanar = Self.abilities(capability) & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0
        card = text(of: capability.card)
        driver = text(of: capability.driver)
        // Not where it is declared: Swift 6.2 would destroy it uninitialized where this throws.
        buffers = []
    }

    deinit {
        // Closing the descriptor stops streaming, but only if no buffer is mapped.
        for buffer in buffers { calls.unmap(buffer) }
        calls.close(descriptor)
    }

    /// Returns the error for a device that is not a usable camera; `nil` if it is one.
    private static func refusal(_ answer: CInt, _ capability: v4l2_capability, path: String) -> CaptureError? {
        guard answer == 0 else { return CaptureError(errno: -answer, doing: "report its capabilities", subject: path) }
        let can = abilities(capability)
        guard can & UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 else {
            return CaptureError(
                .notACamera, "delivers no frames; decode-camera --list shows the cameras", subject: path)
        }
        guard can & UInt32(V4L2_CAP_STREAMING) != 0 else {
            return CaptureError(.notACamera, "cannot stream frames into memory", subject: path)
        }
        return nil
    }

    /// Returns the capabilities of this device file, which may be fewer than those of the whole device.
    private static func abilities(_ capability: v4l2_capability) -> UInt32 {
        capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? capability.device_caps : capability.capabilities
    }

    /// The type of the buffers, in calls of V4L2.
    var type: UInt32 {
        (isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
    }

    /// Calls the driver, and returns 0 or the negative errno.
    borrowing func control<Argument>(_ request: qz_v4l2_request, _ argument: inout Argument) -> CInt {
        withUnsafeMutablePointer(to: &argument) { calls.control(descriptor, request, $0) }
    }

    /// Calls the driver, and throws an error if it fails.
    borrowing func demand<Argument>(
        _ request: qz_v4l2_request, _ argument: inout Argument, to what: String
    ) throws(CaptureError) {
        let answer = control(request, &argument)
        guard answer == 0 else {
            let holders = answer == -EBUSY ? calls.holders(of: path) : []
            throw CaptureError(errno: -answer, doing: what, subject: path, holders: holders)
        }
    }
}

/// Returns the text of a C array of characters, up to its first NUL.
func text<Characters: BitwiseCopyable>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
