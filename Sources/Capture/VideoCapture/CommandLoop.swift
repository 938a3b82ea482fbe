internal import BarcodeCore
internal import DeviceAccess
internal import Glibc

/// The loop for a command.
struct CommandLoop: FrameLoop, ~Copyable {
    /// Networks and programs take longer to start than drivers.
    static let timing = CaptureState.Timing(
        firstRetry: .milliseconds(500), maximumRetryDelay: .seconds(10), stall: .seconds(10))
    /// The most bytes that are read in a step, so that a program that writes without a pause cannot keep its frames
    /// from being delivered.
    private static let maximumStepBytes = 16 << 20
    private static let chunkBytes = 65_536

    private let command: CaptureCommand
    private let wakeup: WakeupEvent
    private let report: (CaptureEvent) -> Void
    private let deliver: (CapturedFrame) -> Void
    private var state: CaptureState
    private var process: FrameProcess?
    private var stream = FrameStream()
    private var format: CaptureFormat?
    private var sequence: UInt32 = 0
    private var isLost = false
    /// The counts so far, without overwritten frames, which the owner counts.
    private(set) var counts = CaptureCounts()

    /// Creates a loop that starts the command in its first step.
    ///
    /// - Parameter wakeup: ends the current wait.
    init(
        _ command: CaptureCommand, wakeup: WakeupEvent, timing: CaptureState.Timing = Self.timing,
        report: @escaping (CaptureEvent) -> Void, deliver: @escaping (CapturedFrame) -> Void
    ) {
        self.command = command
        self.wakeup = wakeup
        self.report = report
        self.deliver = deliver
        state = CaptureState(timing: timing, now: .monotonicNow)
    }

    /// Performs the next action: waits, starts the command, or delivers the newest frame.
    mutating func step() {
        do throws(CaptureError) {
            switch state.action(at: .monotonicNow) {
            case .pause(let duration): wait(duration)
            case .open, .start: try start()
            case .capture(let timeout): try capture(timeout: timeout)
            }
        } catch {
            // Reported once instead of at every retry, until frames come again.
            if !isLost {
                isLost = true
                counts.lost += 1
                report(.lost(error))
            }
            endFrame()
            process = nil
            state.note(.failed, at: .monotonicNow)
        }
    }

    /// Ends the command.
    mutating func close() { process = nil }

    private mutating func start() throws(CaptureError) {
        // The old one first: a camera may serve only one.
        process = nil
        stream = FrameStream(raw: command.raw)
        format = nil
        process = try FrameProcess(command)
        counts.starts += 1
        state.note(.started, at: .monotonicNow)
    }

    private mutating func capture(timeout: Duration) throws(CaptureError) {
        wait(timeout)
        process?.readErrors()
        let broken = stream.broken
        var newest: FrameStream.Frame?
        var hasEnded = false
        var fault: StreamFault?
        do throws(StreamFault) {
            hasEnded = try read(&newest)
        } catch {
            fault = error
        }
        counts.broken += stream.broken - broken
        if let newest { deliverFrame(newest) }
        if let fault { throw CaptureError(.badStream, fault.message, subject: command.name) }
        if hasEnded {
            let fault = stream.isWithoutFrames ? FrameStream.noFrames : nil
            throw process?.ending(of: command, fault: fault) ?? command.notStarted(ENOENT)
        }
        if newest == nil {
            let before = state
            state.note(.silence, at: .monotonicNow)
            if state != before {
                endFrame()
                report(.stalled)
            }
        }
    }

    /// Reads what the command has written, keeping the newest frame; true at the end of its output.
    private mutating func read(_ newest: inout FrameStream.Frame?) throws(StreamFault) -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        var total = 0
        while total < Self.maximumStepBytes {
            switch process?.read(into: &chunk) ?? .end {
            case .nothing: return false
            case .end: return true
            case .bytes(let count):
                total += count
                chunk.withUnsafeBytes { stream.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                while let frame = try stream.next() {
                    if newest != nil { counts.superseded += 1 }
                    newest = frame
                    sequence &+= 1
                }
            }
        }
        return false
    }

    private mutating func deliverFrame(_ frame: FrameStream.Frame) {
        state.note(.frame, at: .monotonicNow)
        isLost = false
        if frame.format.isLike(format) == false {
            format = frame.format
            report(.started(frame.format))
        }
        do throws(FrameFault) {
            let unpacked: Result<(image: LumaImage, scale: Int), FrameFault> = frame.bytes.withUnsafeBytes { bytes in
                do throws(FrameFault) {
                    return .success(try LumaUnpacking.unpack(bytes, format: frame.format))
                } catch {
                    return .failure(error)
                }
            }
            let (image, scale) = try unpacked.get()
            counts.captured += 1
            deliver(
                CapturedFrame(
                    image: image, scale: scale, timestamp: .monotonicNow, sequence: sequence &- 1, counts: counts))
        } catch {
            counts.broken += 1
        }
    }

    /// Counts the frame that the command has begun and not finished.
    private mutating func endFrame() {
        if stream.isInFrame { counts.broken += 1 }
        stream = FrameStream()
    }

    /// Waits for output, for messages, for the wakeup, or for the timeout.
    private func wait(_ timeout: Duration) {
        let none: CInt = -1
        var waits = [wakeup.descriptor, process?.output ?? none, process?.errors ?? none].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        // A signal may end the wait early, which is harmless, because the caller checks the clock.
        _ = poll(&waits, nfds_t(waits.count), CInt(clamping: timeout.milliseconds))
        if waits[0].revents != 0 { wakeup.clear() }
    }
}

extension CaptureFormat {
    /// Indicates whether frames of this format and of another have the same size and pixels; JPEGs differ in bytes.
    fileprivate func isLike(_ other: CaptureFormat?) -> Bool {
        guard let other else { return false }
        return (pixelFormat, width, height) == (other.pixelFormat, other.width, other.height)
    }
}
