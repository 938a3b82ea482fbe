public import BarcodeCore
internal import FrameDecoding
internal import Logging
internal import Synchronization
internal import VideoCapture

extension StationCamera {
    /// Reads a frame where that is wanted, and tells everybody.
    func take(_ frame: CapturedFrame, session: Int) async {
        let size = PixelSize(width: frame.image.width * frame.scale, height: frame.image.height * frame.scale)
        let (target, isChanged) = store.withLock { store in
            store.counts.frames += 1
            store.counts.capture = frame.counts
            let hasRate = store.meter.note(frame.timestamp)
            let rate = store.meter.rate
            store.change { state in
                state.size = size
                if hasRate { state.rate = rate }
            }
            let target = store.wanted(among: symbologies)
            guard let target, target != store.target else { return (target, false) }
            store.target = target
            return (target, true)
        }
        var symbols: [Symbol] = []
        var news: [Symbol] = []
        if let target {
            if isChanged { await decoder.search(for: target.symbologies, in: target.region) }
            do throws(DecodeError) {
                let result = try await decoder.decode(frame)
                symbols = result.reading.believed
                news = answer(result, lookingFor: target.symbologies, size: size)
                store.withLock { $0.counts.decoded += 1 }
            } catch {
                let isFirst = store.withLock { store in
                    store.counts.failed += 1
                    return store.counts.failed == 1
                }
                if isFirst { logger.warning("A frame could not be read", metadata: ["error": "\(error)"]) }
            }
        }
        hub.offer(frame, size: size, symbols: symbols)
        stills.offer(frame, size: size, symbols: symbols)
        show(View(size: size, sequence: frame.sequence, symbols: symbols))
        if !news.isEmpty { await onReading(reading(of: news, frame: frame, size: size)) }
    }

    private func reading(of symbols: [Symbol], frame: CapturedFrame, size: PixelSize) -> Reading {
        let state = store.withLock { $0.state }
        return Reading(
            symbols: symbols, size: size, card: state.card ?? "", path: state.path ?? "", file: frame.source)
    }

    /// Answers whoever waits for a symbol; what is left is news for ``onReading``.
    private func answer(_ result: FrameResult, lookingFor symbologies: Set<Symbology>, size: PixelSize) -> [Symbol] {
        let believed = result.reading.believed
        let (waits, mode, fresh) = store.withLock { store in
            store.answered.note(result.reading.symbols, lookingFor: symbologies, at: result.frame.timestamp)
            return (store.waits, store.state.mode, store.answered.fresh(among: believed))
        }
        var answered: Set<Symbol> = []
        for wait in waits.values {
            let symbols = wait.matching(wait.acceptsAnswered ? believed : fresh)
            guard !symbols.isEmpty else {
                if !wait.matching(believed).isEmpty { wait.onRepetition() }
                continue
            }
            let reading = reading(of: symbols, frame: result.frame, size: size)
            if wait.finish(.success(reading)) { answered.formUnion(symbols) }
        }
        if !answered.isEmpty { store.withLock { $0.answered.add(answered) } }
        guard mode == .continuous else { return [] }
        return result.reading.news.filter { !answered.contains($0) }
    }

    private func show(_ view: View) {
        store.withLock { store in
            guard !view.symbols.isEmpty || !store.isViewEmpty else { return }
            store.isViewEmpty = view.symbols.isEmpty
            for output in store.viewWatchers.values { output.yield(view) }
        }
    }

    // MARK: what is asked

    /// Waits for a symbol, in view already or not.
    ///
    /// What is answered so is not handed to `onReading` besides, and answers nobody else until it has been out of view
    /// for a second; see ``takeAnsweredAgain()``. Several may wait at once; a frame answers all whose symbologies it shows.
    /// - Parameters:
    ///   - symbologies: what is waited for; nothing stands for every symbology that the camera looks for.
    ///   - timeout: how long.
    ///   - acceptsAnswered: whether a code counts as well that has answered somebody and still lies there.
    ///   - onRepetition: hears of each frame that shows nothing else than such codes.
    /// - Returns: the symbols of the first frame that shows one, or nil when the time is up or the camera ends.
    /// - Throws: `CancellationError`.
    public func trigger(
        symbologies: Set<Symbology> = [], timeout: Duration, acceptsAnswered: Bool = false,
        onRepetition: @escaping @Sendable () -> Void = {}
    ) async throws -> Reading? {
        let wait = TriggerWait(symbologies: symbologies, acceptsAnswered: acceptsAnswered, onRepetition: onRepetition)
        let number: Int? = store.withLock { store in
            guard !store.hasEnded else { return nil }
            let number = store.number()
            store.waits[number] = wait
            return number
        }
        guard let number else { return nil }
        let timer = Task {
            try await Task.sleep(for: timeout)
            wait.finish(.success(nil))
        }
        defer {
            timer.cancel()
            store.withLock { _ = $0.waits.removeValue(forKey: number) }
        }
        return try await withTaskCancellationHandler {
            try await wait.value()
        } onCancel: {
            wait.finish(.failure(CancellationError()))
        }
    }

    /// Lets the codes that have answered, and still lie there, answer once more: somebody asked for it.
    public func takeAnsweredAgain() {
        store.withLock { $0.answered.forget() }
    }

    /// Reads in a part of the frame alone: parts of its width and height from the upper left; nil for all.
    ///
    /// What lies beyond the frame is cut off; a side is at least a hundredth of the frame's.
    public func set(region: Rectangle?) {
        store.withLock { $0.change { $0.region = region?.cutToUnit } }
    }

    /// Says when codes are read.
    public func set(mode: Mode) {
        store.withLock { $0.change { $0.mode = mode } }
    }

    // MARK: what is shown

    /// What is known of the camera now.
    public var state: State { store.withLock { $0.state } }

    /// What was counted since the start.
    public var counts: Counts {
        var counts = store.withLock { $0.counts }
        counts.encoded = hub.encoded
        return counts
    }

    /// States as they change, the newest only; the first comes at once.
    public func states() -> AsyncStream<State> {
        let (stream, output) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = store.withLock { store in
            output.yield(store.state)
            guard !store.hasEnded else { return nil }
            let number = store.number()
            store.stateWatchers[number] = output
            return number
        }
        guard let number else {
            output.finish()
            return stream
        }
        output.onTermination = { [weak self] _ in
            self?.store.withLock { _ = $0.stateWatchers.removeValue(forKey: number) }
        }
        return stream
    }

    /// What is in view, the newest only: each frame that shows something, and the first that shows nothing any more.
    public func views() -> AsyncStream<View> {
        let (stream, output) = AsyncStream.makeStream(of: View.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = store.withLock { store in
            guard !store.hasEnded else { return nil }
            let number = store.number()
            store.viewWatchers[number] = output
            return number
        }
        guard let number else {
            output.finish()
            return stream
        }
        output.onTermination = { [weak self] _ in
            self?.store.withLock { _ = $0.viewWatchers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Frames to look at, at most so many a second, the newest only; ends with the camera.
    public func previews(atMost rate: Double) -> AsyncStream<Preview> {
        hub.stream(atMost: rate)
    }

    /// The next frame to look at; nil where none comes within a second.
    public func preview() async -> Preview? { await Self.next(of: hub) }

    /// The next frame with all of its pixels; nil where none comes within a second.
    public func still() async -> Preview? { await Self.next(of: stills) }

    private static func next(of hub: PreviewHub) async -> Preview? {
        await withTaskGroup(of: Preview?.self) { group in
            group.addTask { [stream = hub.stream(atMost: 1)] in
                for await preview in stream { return preview }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(1))
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }
}

extension Rectangle {
    /// The part of it that lies in the unit square, at least a hundredth wide and high.
    fileprivate var cutToUnit: Rectangle {
        func cut(_ start: Double, _ length: Double) -> (start: Double, length: Double) {
            let low = start.isFinite ? max(0, min(0.99, start)) : 0
            let high = (start + length).isFinite ? max(low + 0.01, min(1, start + length)) : 1
            return (low, high - low)
        }
        let (x, width) = cut(x, width)
        let (y, height) = cut(y, height)
        return Rectangle(x: x, y: y, width: width, height: height)
    }
}
