internal import BarcodeCore
internal import CLinux
internal import Glibc
internal import VideoCapture

extension FakeCamera {
    struct Buffer {
        var memory: UnsafeMutableRawBufferPointer?
        var isQueued = false
        var bytesUsed = 0
        var timestamp = Duration.zero
        var sequence: UInt32 = 0
        var isFlagged = false
    }

    // Unchecked, because the camera's mutex protects all of it, including the memory of the buffers.
    struct State: @unchecked Sendable {
        var setup: Setup
        var ledger = Ledger()
        var clock = Duration.seconds(1000)
        var descriptors: Set<CInt> = []
        /// The descriptor that streams or is about to.
        var descriptor: CInt = -1
        var mode = FakeMode()
        var buffers: [Buffer] = []
        var queue: [Int] = []
        var filled: [Int] = []
        var nextFrame: Duration?
        var sequence: UInt32 = 0

        init(setup: Setup) {
            self.setup = setup
        }

        mutating func endStream() {
            nextFrame = nil
            queue = []
            filled = []
        }

        var bytesPerLine: Int {
            let step = [PixelFormat.yuyv, .uyvy, .yvyu, .y10, .y16].contains(mode.pixelFormat) ? 2 : 1
            return mode.size.width * step + setup.padding
        }

        var frameBytes: Int { bytesPerLine * mode.size.height }

        /// Advances the clock, and plays the events until then.
        mutating func move(to time: Duration) {
            while true {
                let scripted = setup.script.first?.at
                if let scripted, scripted <= time, scripted <= (nextFrame ?? scripted) {
                    clock = max(clock, scripted)
                    let change = setup.script.removeFirst().change
                    change(&setup)
                    if !setup.isPlugged { endStream() }
                } else if let next = nextFrame, next <= time {
                    clock = max(clock, next)
                    play(at: next)
                    nextFrame = next + setup.interval
                } else {
                    break
                }
            }
            clock = max(clock, time)
        }

        private mutating func play(at time: Duration) {
            guard !setup.hangs else { return }
            let number = ledger.played
            ledger.played += 1
            defer { sequence &+= 1 }
            let fault = setup.faults[number]
            guard fault != .dropped, !queue.isEmpty else { return }
            let index = queue.removeFirst()
            let count = setup.pictures.isEmpty ? frameBytes : setup.pictures[number % setup.pictures.count].count
            if let memory = buffers[index].memory {
                if setup.pictures.isEmpty {
                    // Enough to distinguish frames, without the cost of a copy in timing tests.
                    memory.storeBytes(of: UInt32(truncatingIfNeeded: number), as: UInt32.self)
                } else {
                    memory.copyBytes(from: setup.pictures[number % setup.pictures.count].prefix(memory.count))
                }
            }
            buffers[index].bytesUsed = fault == .short ? count / 2 : count
            buffers[index].timestamp = time
            buffers[index].sequence = sequence
            buffers[index].isFlagged = fault == .flagged
            filled.append(index)
        }
    }
}
