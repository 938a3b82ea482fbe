internal import BarcodeCore
internal import CLinux
internal import Glibc

/// A buffer that the driver has filled.
struct FilledBuffer: Sendable, Hashable {
    var index: Int
    var bytesUsed: Int
    var timestamp: Duration
    var sequence: UInt32
    var isFlagged: Bool
}

extension CaptureDevice {
    /// The number of buffers: one filled, one waiting, one being read, and one spare.
    static var bufferCount: UInt32 { 4 }

    private static var type: UInt32 { V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue }
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
            var type = Int32(bitPattern: Self.type)
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
            var type = Int32(bitPattern: Self.type)
            _ = control(qz_v4l2_streamoff, &type)
            isStreaming = false
        }
        guard !buffers.isEmpty else { return }
        for buffer in buffers { calls.unmap(buffer) }
        buffers = []
        var request = v4l2_requestbuffers()
        request.type = Self.type
        request.memory = Self.memory
        _ = control(qz_v4l2_reqbufs, &request)
    }

    private borrowing func agree(on mode: CaptureMode, rate: Double) throws(CaptureError) -> CaptureFormat {
        var request = v4l2_format()
        request.type = Self.type
        request.fmt.pix.width = UInt32(clamping: mode.size.width)
        request.fmt.pix.height = UInt32(clamping: mode.size.height)
        request.fmt.pix.pixelformat = mode.pixelFormat.rawValue
        request.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        try demand(qz_v4l2_s_fmt, &request, to: "set the size and the pixel format")
        let pix = request.fmt.pix
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
        let line = max(Int(pix.bytesperline), width * layout.pixelStride)
        return CaptureFormat(
            pixelFormat: pixelFormat, width: width, height: height, bytesPerLine: layout == .compressed ? 0 : line,
            imageBytes: Int(pix.sizeimage), rate: agreeOnRate(rate))
    }

    private borrowing func agreeOnRate(_ rate: Double) -> Double? {
        guard rate > 0 else { return nil }
        var parameters = v4l2_streamparm()
        parameters.type = Self.type
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
        request.type = Self.type
        request.memory = Self.memory
        try demand(qz_v4l2_reqbufs, &request, to: "reserve buffers")
        guard request.count >= 2, request.count <= 32 else {
            throw CaptureError(
                .driverFailed, "the driver allocated \(request.count) buffers instead of 2 to 32", subject: path)
        }
        for index in 0..<request.count {
            var buffer = v4l2_buffer()
            buffer.index = index
            buffer.type = Self.type
            buffer.memory = Self.memory
            try demand(qz_v4l2_querybuf, &buffer, to: "describe a buffer")
            guard let memory = calls.map(descriptor, length: Int(buffer.length), offset: Int(buffer.m.offset)) else {
                throw CaptureError(.driverFailed, "a buffer of \(buffer.length) bytes cannot be mapped", subject: path)
            }
            buffers.append(memory)
        }
    }

    /// Dequeues the oldest filled buffer; `nil` if there is none yet.
    borrowing func take() throws(CaptureError) -> FilledBuffer? {
        var buffer = v4l2_buffer()
        buffer.type = Self.type
        buffer.memory = Self.memory
        let answer = control(qz_v4l2_dqbuf, &buffer)
        if answer == -EAGAIN { return nil }
        guard answer == 0 else { throw CaptureError(errno: -answer, doing: "return a frame", subject: path) }
        let index = Int(buffer.index)
        guard buffers.indices.contains(index) else {
            throw CaptureError(.driverFailed, "the driver returned an unknown buffer", subject: path)
        }
        let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
        let stamp: Duration = .seconds(buffer.timestamp.tv_sec) + .microseconds(buffer.timestamp.tv_usec)
        return FilledBuffer(
            index: index, bytesUsed: min(Int(buffer.bytesused), buffers[index].count),
            // A timestamp of another clock is useless here, so the time of this call counts.
            timestamp: clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) ? stamp : calls.now(),
            sequence: buffer.sequence, isFlagged: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0)
    }

    /// Queues a buffer, so that the driver can fill it again.
    borrowing func giveBack(_ index: Int) throws(CaptureError) {
        var buffer = v4l2_buffer()
        buffer.index = UInt32(index)
        buffer.type = Self.type
        buffer.memory = Self.memory
        try demand(qz_v4l2_qbuf, &buffer, to: "queue a buffer")
    }

    /// The bytes of a filled buffer; valid until ``giveBack(_:)``.
    borrowing func bytes(of buffer: FilledBuffer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: buffers[buffer.index][..<buffer.bytesUsed])
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
