internal import BarcodeCore
internal import CLinux
internal import Glibc

/// A buffer that the driver has filled.
struct FilledBuffer: Sendable, Hashable {
    var index: Int
    /// The offset of the luma in the buffer.
    var offset = 0
    var bytesUsed: Int
    var timestamp: Duration
    var sequence: UInt32
    var isFlagged: Bool
}

extension CaptureDevice {
    /// The number of buffers: one filled, one waiting, one being read, and one spare.
    static var bufferCount: UInt32 { 4 }

    private static var memory: UInt32 { V4L2_MEMORY_MMAP.rawValue }

    /// Sets the mode, maps buffers and starts streaming.
    ///
    /// - Parameters:
    ///   - mode: the requested mode; the driver may change it, see ``format``.
    ///   - rate: the requested frames per second, for drivers that support it.
    /// - Throws: ``CaptureError``, for example `no_bandwidth`. The device can then be started again.
    public mutating func start(mode: CaptureMode, rate: Double) throws(CaptureError) {
        stop()
        do throws(CaptureError) {
            format = try agree(on: mode, rate: rate)
            subscribe()
            try mapBuffers()
            for index in buffers.indices { try giveBack(index) }
            var type = Int32(bitPattern: type)
            try demand(qz_v4l2_streamon, &type, to: "start streaming")
            isStreaming = true
        } catch {
            stop()
            throw error
        }
    }

    /// Stops streaming and frees the buffers.
    public mutating func stop() {
        if isStreaming {
            var type = Int32(bitPattern: type)
            _ = control(qz_v4l2_streamoff, &type)
            isStreaming = false
        }
        guard !buffers.isEmpty else { return }
        for buffer in buffers { calls.unmap(buffer) }
        buffers = []
        var request = v4l2_requestbuffers()
        request.type = type
        request.memory = Self.memory
        _ = control(qz_v4l2_reqbufs, &request)
    }

    private borrowing func agree(on mode: CaptureMode, rate: Double) throws(CaptureError) -> CaptureFormat {
        var request = v4l2_format()
        request.type = type
        // The width, the height, the pixel format and the field have the same places in both interfaces.
        request.fmt.pix.width = UInt32(clamping: mode.size.width)
        request.fmt.pix.height = UInt32(clamping: mode.size.height)
        request.fmt.pix.pixelformat = mode.pixelFormat.rawValue
        request.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        try demand(qz_v4l2_s_fmt, &request, to: "set the size and the pixel format")
        let pix = request.fmt.pix
        let luma = request.fmt.pix_mp.plane_fmt.0
        let (bytesPerLine, imageBytes) =
            isMultiPlanar ? (luma.bytesperline, luma.sizeimage) : (pix.bytesperline, pix.sizeimage)
        let pixelFormat = PixelFormat(rawValue: pix.pixelformat)
        guard let layout = pixelFormat.luma else {
            throw CaptureError(
                .unsupportedFormat, "delivers only \(pixelFormat), which is not supported", subject: path)
        }
        let (width, height) = (Int(pix.width), Int(pix.height))
        do throws(DecodeError) {
            try Limits().check(width: width, height: height)
        } catch {
            throw CaptureError(.driverFailed, "the driver delivers an unusable size: \(error.message)", subject: path)
        }
        // Some drivers leave it at zero, which means rows without padding.
        let line = max(Int(bytesPerLine), width * layout.pixelStride)
        return CaptureFormat(
            pixelFormat: pixelFormat, width: width, height: height, bytesPerLine: layout == .compressed ? 0 : line,
            imageBytes: Int(imageBytes), rate: agreeOnRate(rate))
    }

    private borrowing func agreeOnRate(_ rate: Double) -> Double? {
        guard rate > 0 else { return nil }
        var parameters = v4l2_streamparm()
        parameters.type = type
        parameters.parm.capture.timeperframe = v4l2_fract(
            numerator: 1000, denominator: UInt32(clamping: Int(min(rate, 100_000) * 1000)))
        // Not every driver supports a rate; the camera then uses its own.
        guard control(qz_v4l2_s_parm, &parameters) == 0 else { return nil }
        let interval = parameters.parm.capture.timeperframe
        return interval.numerator > 0 ? Double(interval.denominator) / Double(interval.numerator) : nil
    }

    /// Subscribes to changes of the video source; not every driver supports this.
    private borrowing func subscribe() {
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        _ = control(qz_v4l2_subscribe_event, &subscription)
    }

    private mutating func mapBuffers() throws(CaptureError) {
        var request = v4l2_requestbuffers()
        request.count = Self.bufferCount
        request.type = type
        request.memory = Self.memory
        try demand(qz_v4l2_reqbufs, &request, to: "reserve buffers")
        guard request.count >= 2, request.count <= 32 else {
            throw CaptureError(
                .driverFailed, "the driver allocated \(request.count) buffers instead of 2 to 32", subject: path)
        }
        for index in 0..<request.count {
            let (answer, _, luma) = exchange(qz_v4l2_querybuf, index: index)
            guard answer == 0 else { throw CaptureError(errno: -answer, doing: "describe a buffer", subject: path) }
            guard let memory = calls.map(descriptor, length: Int(luma.length), offset: Int(luma.m.mem_offset)) else {
                throw CaptureError(.driverFailed, "a buffer of \(luma.length) bytes cannot be mapped", subject: path)
            }
            buffers.append(memory)
        }
    }

    /// Calls the driver with a buffer, and returns 0 or the negative errno, the buffer, and its plane with the luma.
    private borrowing func exchange(
        _ request: qz_v4l2_request, index: UInt32 = 0
    ) -> (answer: CInt, buffer: v4l2_buffer, luma: v4l2_plane) {
        var buffer = v4l2_buffer()
        buffer.index = index
        buffer.type = type
        buffer.memory = Self.memory
        guard isMultiPlanar else {
            let answer = control(request, &buffer)
            var luma = v4l2_plane()
            (luma.bytesused, luma.length, luma.m.mem_offset) = (buffer.bytesused, buffer.length, buffer.m.offset)
            return (answer, buffer, luma)
        }
        let (calls, descriptor) = (calls, descriptor)
        return withUnsafeTemporaryAllocation(of: v4l2_plane.self, capacity: Int(VIDEO_MAX_PLANES)) { planes in
            planes.initialize(repeating: v4l2_plane())
            buffer.m.planes = planes.baseAddress
            buffer.length = UInt32(planes.count)
            let answer = withUnsafeMutablePointer(to: &buffer) { calls.control(descriptor, request, $0) }
            buffer.m.planes = nil
            return (answer, buffer, planes[0])
        }
    }

    /// Dequeues the oldest filled buffer; `nil` if there is none yet.
    borrowing func take() throws(CaptureError) -> FilledBuffer? {
        let (answer, buffer, luma) = exchange(qz_v4l2_dqbuf)
        if answer == -EAGAIN { return nil }
        guard answer == 0 else { throw CaptureError(errno: -answer, doing: "return a frame", subject: path) }
        let index = Int(buffer.index)
        guard buffers.indices.contains(index) else {
            throw CaptureError(.driverFailed, "the driver returned an unknown buffer", subject: path)
        }
        let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
        let stamp: Duration = .seconds(buffer.timestamp.tv_sec) + .microseconds(buffer.timestamp.tv_usec)
        let bytesUsed = min(Int(luma.bytesused), buffers[index].count)
        return FilledBuffer(
            index: index, offset: min(Int(luma.data_offset), bytesUsed), bytesUsed: bytesUsed,
            // A timestamp of another clock is useless here, so the time of this call counts.
            timestamp: clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) ? stamp : calls.now(),
            sequence: buffer.sequence, isFlagged: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0)
    }

    /// Queues a buffer, so that the driver can fill it again.
    borrowing func giveBack(_ index: Int) throws(CaptureError) {
        let answer = exchange(qz_v4l2_qbuf, index: UInt32(index)).answer
        guard answer == 0 else { throw CaptureError(errno: -answer, doing: "queue a buffer", subject: path) }
    }

    /// Passes the bytes of a filled buffer to a closure.
    borrowing func withBytes<Value>(of buffer: FilledBuffer, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        body(UnsafeRawBufferPointer(rebasing: buffers[buffer.index][buffer.offset..<buffer.bytesUsed]))
    }

    /// Drains the pending events, and indicates whether the source has changed.
    borrowing func hasSourceChanged() -> Bool {
        var changed = false
        for _ in 0..<64 {
            var event = v4l2_event()
            guard control(qz_v4l2_dqevent, &event) == 0 else { break }
            if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE) { changed = true }
        }
        return changed
    }
}
