package import BarcodeCore
internal import CLinux
internal import Glibc
internal import Synchronization
package import VideoCapture

/// A camera at the level of the system calls: it plays frames and every fault, by a clock that a test owns.
///
/// By default time passes only when something waits, so that hours take milliseconds. With `isRealTime` the clock is
/// the machine's.
package final class FakeCamera: V4L2Calls {
    /// What goes wrong with one frame.
    package enum FrameFault: Sendable, Hashable {
        /// The driver marks the frame as damaged.
        case flagged
        /// Half of its bytes are missing.
        case short
        /// The driver has no buffer for it.
        case dropped
    }

    /// What the camera is and does; a test changes it while it runs.
    package struct Setup: Sendable {
        package var path = "/dev/video0"
        package var stablePaths = ["/dev/v4l/by-id/usb-fake"]
        package var modes = [FakeMode()]
        /// The bytes of each frame, played in a circle; made of one gray value where there are none.
        package var pictures: [[UInt8]] = []
        /// Bytes added to each row.
        package var padding = 0
        package var interval = Duration.nanoseconds(33_333_333)
        package var isPlugged = true
        /// Frames stop while the device stays.
        package var hangs = false
        /// The errno of the next opens.
        package var openErrors: [CInt] = []
        /// The errno of the next starts of streaming.
        package var startErrors: [CInt] = []
        package var holders: [String] = []
        package var faults: [Int: FrameFault] = [:]
        package var firstSequence: UInt32 = 0
        package var sourceChanges = false
        package var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        /// What is done at a time of the clock, in the order of time.
        package var script: [FakeStep] = []
        package var controls = FakeControl.usual
    }

    /// What the camera counted.
    package struct Ledger: Sendable, Hashable {
        package var opens = 0
        package var openDescriptors = 0
        package var mappings = 0
        package var played = 0
        /// Buffers that were handed out and not given back.
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

    /// Lets time pass, as a slow consumer does.
    package func advance(by duration: Duration) {
        state.withLock { $0.move(to: $0.clock + duration) }
    }

    // MARK: the calls

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
                // What a script does in the meantime is met in its order.
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

/// Something that happens to a fake camera at a time of its clock.
package struct FakeStep: Sendable {
    package var at: Duration
    package var change: @Sendable (inout FakeCamera.Setup) -> Void

    package init(at: Duration, change: @escaping @Sendable (inout FakeCamera.Setup) -> Void) {
        self.at = at
        self.change = change
    }
}

/// One entry of what a fake camera offers.
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
