package import BarcodeCore
internal import CLinux
internal import Glibc
internal import Synchronization
package import VideoCapture

/// A simulated camera at the level of system calls: it plays frames and every fault, with a clock that the test
/// controls.
///
/// By default time only passes while something waits, so that hours take milliseconds. With `isRealTime`, the clock
/// is that of the machine.
package final class FakeCamera: V4L2Calls {
    /// A fault of one frame.
    package enum FrameFault: Sendable, Hashable {
        /// The driver marks the frame as corrupted.
        case flagged
        /// Half of its bytes are missing.
        case short
        /// The driver has no buffer for it.
        case dropped
    }

    /// The camera's properties and behavior; a test may change them while it runs.
    package struct Setup: Sendable {
        package var path = "/dev/video0"
        package var stablePaths = ["/dev/v4l/by-id/usb-fake"]
        package var modes = [FakeMode()]
        /// The bytes of the frames, played in a loop; if empty, each frame has one gray value.
        package var pictures: [[UInt8]] = []
        /// Bytes added to each row.
        package var padding = 0
        package var interval = Duration.nanoseconds(33_333_333)
        package var isPlugged = true
        /// The device stays, but sends no frames.
        package var hangs = false
        /// The errno values of the next attempts to open it.
        package var openErrors: [CInt] = []
        /// The errno values of the next attempts to start streaming.
        package var startErrors: [CInt] = []
        package var holders: [String] = []
        package var faults: [Int: FrameFault] = [:]
        package var firstSequence: UInt32 = 0
        package var sourceChanges = false
        package var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        /// The bytes before the luma in a buffer of a multi-planar camera.
        package var dataOffset = 0
        /// Scripted changes, ordered by time.
        package var script: [FakeStep] = []
        package var controls = FakeControl.usual
    }

    /// The camera's counters.
    package struct Ledger: Sendable, Hashable {
        package var opens = 0
        package var openDescriptors = 0
        package var mappings = 0
        package var played = 0
        /// The number of buffers handed out and not yet returned.
        package var handedOut = 0
        package var most = 0
        package var starts = 0
    }

    let state: Mutex<State>
    let isRealTime: Bool

    package init(isRealTime: Bool = false, _ change: (inout Setup) -> Void = { _ in }) {
        var setup = Setup()
        change(&setup)
        self.isRealTime = isRealTime
        state = Mutex(State(setup: setup))
    }

    package func change(_ body: (inout Setup) -> Void) {
        state.withLock { body(&$0.setup) }
    }

    package var ledger: Ledger { state.withLock { $0.ledger } }

    /// Advances the clock, to simulate a slow consumer.
    package func advance(by duration: Duration) {
        state.withLock { $0.move(to: $0.clock + duration) }
    }

    // MARK: system calls

    package func now() -> Duration {
        isRealTime ? .monotonicNow : state.withLock { $0.clock }
    }

    package func devices() -> [DeviceNode] {
        state.withLock { state in
            state.setup.isPlugged ? [DeviceNode(path: state.setup.path, stablePaths: state.setup.stablePaths)] : []
        }
    }

    package func holders(of path: String) -> [String] { state.withLock { $0.setup.holders } }

    package func open(_ path: String) -> CInt {
        state.withLock { state in
            guard state.setup.isPlugged, ([state.setup.path] + state.setup.stablePaths).contains(path) else {
                return -ENOENT
            }
            if !state.setup.openErrors.isEmpty { return -state.setup.openErrors.removeFirst() }
            state.ledger.opens += 1
            state.ledger.openDescriptors += 1
            let descriptor = CInt(100 + state.ledger.opens)
            state.descriptors.insert(descriptor)
            return descriptor
        }
    }

    package func close(_ descriptor: CInt) {
        state.withLock { state in
            state.ledger.openDescriptors -= 1
            state.descriptors.remove(descriptor)
            if descriptor == state.descriptor { state.endStream() }
        }
    }

    package func map(_ descriptor: CInt, length: Int, offset: Int) -> UnsafeMutableRawBufferPointer? {
        state.withLock { state in
            guard descriptor == state.descriptor, state.buffers.indices.contains(offset / 4096) else { return nil }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 64)
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            state.buffers[offset / 4096].memory = memory
            state.ledger.mappings += 1
            return memory
        }
    }

    package func unmap(_ memory: UnsafeMutableRawBufferPointer) {
        state.withLock { state in
            for index in state.buffers.indices where state.buffers[index].memory?.baseAddress == memory.baseAddress {
                state.buffers[index].memory = nil
            }
            state.ledger.mappings -= 1
        }
        memory.deallocate()
    }

    package func wake() {}

    package func pause(_ duration: Duration) {
        if isRealTime {
            sleep(duration)
            state.withLock { $0.move(to: .monotonicNow) }
        } else {
            advance(by: duration)
        }
    }

    package func poll(_ descriptor: CInt, timeout: Duration) -> PollOutcome {
        if isRealTime {
            let (ready, next) = state.withLock { state in
                state.move(to: .monotonicNow)
                return (!state.filled.isEmpty || !state.setup.isPlugged, state.nextFrame)
            }
            if !ready { sleep(min(timeout, (next ?? .seconds(1 << 30)) - .monotonicNow)) }
        }
        return state.withLock { state in
            if isRealTime {
                state.move(to: .monotonicNow)
            } else {
                let end = state.clock + timeout
                // Scripted changes in the meantime are applied in order.
                while state.filled.isEmpty, state.setup.isPlugged, !state.setup.sourceChanges, state.clock < end {
                    let steps = [state.nextFrame, state.setup.script.first?.at, end].compactMap { $0 }
                    state.move(to: max(state.clock, steps.min() ?? end))
                }
            }
            guard state.setup.isPlugged else { return PollOutcome(hasError: true) }
            return PollOutcome(hasFrame: !state.filled.isEmpty, hasEvent: state.setup.sourceChanges)
        }
    }

    private func sleep(_ duration: Duration) {
        guard duration > .zero else { return }
        usleep(useconds_t(duration / .microseconds(1)))
    }
}

/// A scripted change of a fake camera.
package struct FakeStep: Sendable {
    package var at: Duration
    package var change: @Sendable (inout FakeCamera.Setup) -> Void

    package init(at: Duration, change: @escaping @Sendable (inout FakeCamera.Setup) -> Void) {
        self.at = at
        self.change = change
    }
}

/// A pixel format, size and set of rates that a fake camera offers.
package struct FakeMode: Sendable {
    package var pixelFormat: PixelFormat
    package var size: PixelSize
    package var rates: [UInt32]

    package init(
        _ pixelFormat: PixelFormat = .gray, _ size: PixelSize = PixelSize(width: 64, height: 32),
        rates: [UInt32] = [30]
    ) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.rates = rates
    }
}

/// A control of a fake camera.
package struct FakeControl: Sendable {
    package var name: String
    package var range: ClosedRange<Int32>
    package var step: Int32
    package var value: Int32
    package var isInactive = false

    package static let usual = [
        FakeControl(name: "Brightness", range: -64...64, step: 1, value: 0),
        FakeControl(name: "Focus, Absolute", range: 0...250, step: 5, value: 20),
        FakeControl(name: "Exposure Time, Absolute", range: 1...5000, step: 1, value: 157, isInactive: true),
    ]
}
