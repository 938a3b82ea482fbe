internal import BarcodeCore

/// A loop of the capture thread, one step at a time.
protocol FrameLoop: ~Copyable {
    /// The counts so far, without overwritten frames, which the owner counts.
    var counts: CaptureCounts { get }
    /// Performs the next action.
    mutating func step()
    /// Releases the source of the frames.
    mutating func close()
}

/// The loop for a V4L2 device.
struct CaptureLoop: FrameLoop, ~Copyable {
    private let calls: any V4L2Calls
    private let request: CaptureRequest
    private let controls: [ControlSetting]
    private let report: (CaptureEvent) -> Void
    private let deliver: (CapturedFrame) -> Void
    private var location: DeviceLocation
    private var device: CaptureDevice?
    private var state: CaptureState
    private var mode: CaptureMode?
    private var gaps = SequenceGaps()
    private var isLost = false
    /// The counts so far, without overwritten frames, which the owner counts.
    private(set) var counts = CaptureCounts()

    /// Creates a loop for an open camera.
    init(
        device: consuming CaptureDevice, location: DeviceLocation, request: CaptureRequest,
        controls: [ControlSetting] = [], calls: any V4L2Calls, timing: CaptureState.Timing = .init(),
        report: @escaping (CaptureEvent) -> Void, deliver: @escaping (CapturedFrame) -> Void
    ) {
        self.calls = calls
        self.request = request
        self.controls = controls
        self.report = report
        self.deliver = deliver
        self.location = location
        self.device = consume device
        state = .opened(timing: timing, now: calls.now())
    }

    /// Performs the next action: waits, opens, starts, or delivers the newest frame.
    mutating func step() {
        switch state.action(at: calls.now()) {
        case .pause(let duration):
            calls.pause(duration)
        case .open:
            attempt { (loop) throws(CaptureError) in try loop.reopen() }
        case .start:
            attempt { (loop) throws(CaptureError) in try loop.start() }
        case .capture(let timeout):
            attempt { (loop) throws(CaptureError) in try loop.capture(timeout: timeout) }
        }
    }

    /// Sets the controls and starts streaming for the first time.
    ///
    /// - Throws: ``CaptureError`` if that fails.
    mutating func begin() throws(CaptureError) {
        for setting in controls { try device?.set(setting.name, to: setting.value) }
        try start()
    }

    /// Closes the camera.
    mutating func close() {
        device = nil
    }

    private mutating func attempt(_ work: (inout CaptureLoop) throws(CaptureError) -> Void) {
        do throws(CaptureError) {
            try work(&self)
        } catch {
            // Reported once instead of at every retry, until frames come again.
            if !isLost {
                isLost = true
                counts.lost += 1
                report(.lost(error))
            }
            state.note(.failed, at: calls.now())
        }
        // The kernel may now release the device, and give its number to the camera that comes back.
        if !state.needsDevice { device = nil }
    }

    private mutating func reopen() throws(CaptureError) {
        device = nil
        device = try CaptureDevice(path: location.path(among: calls.devices()), calls: calls)
        for setting in controls {
            do throws(CaptureError) {
                try device?.set(setting.name, to: setting.value)
            } catch {
                report(.controlRefused(error))
            }
        }
        try start()
    }

    private mutating func start() throws(CaptureError) {
        guard device != nil else { throw CaptureError(.disconnected, "is gone", subject: location.path) }
        // The list may differ after a change of the source, or for another camera at the same port.
        let modes = device?.modes(nearestTo: request.size) ?? []
        let candidates = FormatNegotiation.candidates(modes, request: request)
        guard var next = candidates.first(where: { $0 == mode }) ?? candidates.first else {
            throw Self.nothingReadable(modes, request: request, subject: location.path)
        }
        while true {
            do throws(CaptureError) {
                try device?.start(mode: next, rate: next.rate(nearestTo: request.rate) ?? request.rate)
                break
            } catch {
                guard error.code == .noBandwidth,
                    let lighter = FormatNegotiation.lighter(than: next, in: modes, request: request)
                else { throw error }
                next = lighter
                report(.steppedDown(lighter))
            }
        }
        mode = next
        gaps.reset()
        isLost = false
        counts.starts += 1
        state.note(.started, at: calls.now())
        if let format = device?.format { report(.started(format)) }
    }

    private static func nothingReadable(
        _ modes: [CaptureMode], request: CaptureRequest, subject: String
    ) -> CaptureError {
        let offered = Set(modes.map(\.pixelFormat.description)).sorted().joined(separator: ", ")
        let wanted = request.pixelFormat.map { "does not offer \($0)" } ?? "offers no supported pixel format"
        return CaptureError(
            .unsupportedFormat, "\(wanted); it offers: \(offered.isEmpty ? "nothing" : offered)", subject: subject)
    }

    private mutating func capture(timeout: Duration) throws(CaptureError) {
        guard let descriptor = device?.descriptor else { return }
        let outcome = calls.poll(descriptor, timeout: timeout)
        if outcome.hasEvent, device?.hasSourceChanged() == true {
            report(.sourceChanged)
            state.note(.sourceChanged, at: calls.now())
            return
        }
        let took = try takeNewest()
        if took {
            state.note(.frame, at: calls.now())
        } else if outcome.hasError {
            throw CaptureError(.disconnected, "reports an error and delivers no frames", subject: location.path)
        } else {
            let before = state
            state.note(.silence, at: calls.now())
            if state != before { report(.stalled) }
        }
    }

    /// Dequeues all pending frames and delivers the newest intact one; true if there was any frame, intact or not.
    private mutating func takeNewest() throws(CaptureError) -> Bool {
        var took = false
        var newest: FilledBuffer?
        while let buffer = try device?.take() {
            took = true
            counts.dropped += gaps.gap(before: buffer.sequence)
            guard isSound(buffer) else {
                try device?.giveBack(buffer.index)
                continue
            }
            if let older = newest {
                counts.superseded += 1
                try device?.giveBack(older.index)
            }
            newest = buffer
        }
        if let newest {
            deliverFrame(newest)
            try device?.giveBack(newest.index)
        }
        return took
    }

    private mutating func isSound(_ buffer: FilledBuffer) -> Bool {
        guard !buffer.isFlagged else {
            counts.flagged += 1
            return false
        }
        guard let format = device?.format else { return false }
        let isSound = device?.withBytes(of: buffer) { (try? LumaUnpacking.check($0, format: format)) != nil }
        if isSound == false { counts.broken += 1 }
        return isSound ?? false
    }

    private mutating func deliverFrame(_ buffer: FilledBuffer) {
        guard let format = device?.format else { return }
        let frame = device?.withBytes(of: buffer) { try? LumaUnpacking.unpack($0, format: format) }
        guard let (image, scale) = frame ?? nil else {
            counts.broken += 1
            return
        }
        counts.captured += 1
        deliver(
            CapturedFrame(
                image: image, scale: scale, timestamp: buffer.timestamp, sequence: buffer.sequence, counts: counts))
    }
}
