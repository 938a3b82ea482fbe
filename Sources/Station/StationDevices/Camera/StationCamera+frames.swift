public import BarcodeCore
internal import FrameDecoding
internal import Logging
internal import Synchronization
internal import VideoCapture

extension StationCamera {
    /// Decodes a frame if needed, and publishes the result.
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
        var advice: UnreadSymbol.Reason?
        if let target {
            if isChanged { await decoder.set(symbologies: target.symbologies, region: target.region) }
            do throws(DecodeError) {
                let result = try await decoder.decode(frame)
                symbols = result.reading.confirmed
                news = answer(result, lookingFor: target.symbologies, size: size)
                advice = store.withLock { store in
                    store.counts.decoded += 1
                    store.advice.note(result.reading.symbols, unread: result.reading.unread, at: frame.timestamp)
                    return store.advice.reason
                }
            } catch {
                let isFirst = store.withLock { store in
                    store.counts.failed += 1
                    return store.counts.failed == 1
                }
                if isFirst { logger.warning("Could not decode a frame", metadata: ["error": "\(error)"]) }
            }
        }
        hub.offer(frame, size: size, symbols: symbols, advice: advice)
        stills.offer(frame, size: size, symbols: symbols)
        show(View(size: size, sequence: frame.sequence, symbols: symbols))
        if !news.isEmpty { await onReading(reading(of: news, frame: frame, size: size)) }
    }

    private func reading(of symbols: [Symbol], frame: CapturedFrame, size: PixelSize) -> Reading {
        let state = store.withLock { $0.state }
        return Reading(
            symbols: symbols, size: size, card: state.card ?? "", path: state.path ?? "", file: frame.source)
    }

    /// Answers the requests that wait for a symbol.
    ///
    /// Returns the remaining new symbols, for ``onReading``.
    private func answer(_ result: FrameResult, lookingFor symbologies: Set<Symbology>, size: PixelSize) -> [Symbol] {
        let confirmed = result.reading.confirmed
        let (waits, mode, fresh) = store.withLock { store in
            store.answered.note(result.reading.symbols, lookingFor: symbologies, at: result.frame.timestamp)
            return (store.waits, store.state.mode, store.answered.fresh(among: confirmed))
        }
        var answered: Set<Symbol> = []
        for wait in waits.values {
            let symbols = wait.matching(wait.acceptsAnswered ? confirmed : fresh)
            guard !symbols.isEmpty else {
                if !wait.matching(confirmed).isEmpty { wait.onRepetition() }
                continue
            }
            let reading = reading(of: symbols, frame: result.frame, size: size)
            if wait.finish(.success(reading)) { answered.formUnion(symbols) }
        }
        if !answered.isEmpty { store.withLock { $0.answered.add(answered) } }
        guard mode == .continuous else { return [] }
        return result.reading.newSymbols.filter { !answered.contains($0) }
    }

    private func show(_ view: View) {
        store.withLock { store in
            guard !view.symbols.isEmpty || !store.isViewEmpty else { return }
            store.isViewEmpty = view.symbols.isEmpty
            for output in store.viewWatchers.values { output.yield(view) }
        }
    }

    // MARK: requests

    /// Waits for a symbol, whether it is already in view or comes later.
    ///
    /// A symbol that answers a request does not go to `onReading`, and answers no other request until it has been out
    /// of view for a second; see ``takeAnsweredAgain()``. Several requests may wait at once; a frame answers all
    /// whose symbologies it shows.
    /// - Parameters:
    ///   - symbologies: the wanted symbologies; empty for all that the camera searches for.
    ///   - timeout: the maximum wait.
    ///   - acceptsAnswered: true if a code that has already answered, and is still in view, counts too.
    ///   - onRepetition: is called for each frame that shows only codes that have already answered.
    /// - Returns: the symbols of the first frame that shows one; `nil` after the timeout, or if the camera ends.
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

    /// Lets the codes that have answered, and are still in view, answer once more.
    public func takeAnsweredAgain() {
        store.withLock { $0.answered.forget() }
    }

    /// Limits decoding to a region of the frame, in fractions of its width and height from the upper left; `nil` for
    /// all.
    ///
    /// The region is clipped to the frame; each side is at least a hundredth of the frame's.
    public func set(region: Rectangle?) {
        store.withLock { $0.change { $0.region = region?.cutToUnit } }
    }

    /// Sets the mode, which determines when frames are decoded.
    public func set(mode: Mode) {
        store.withLock { $0.change { $0.mode = mode } }
    }

    // MARK: observation

    /// The current state of the camera.
    public var state: State { store.withLock { $0.state } }

    /// The counters since the start.
    public var counts: Counts {
        var counts = store.withLock { $0.counts }
        counts.encoded = hub.encoded
        return counts
    }

    /// Returns the state and its changes; only the newest is kept.
    ///
    /// The first comes at once.
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

    /// Returns the symbols in view: each frame with symbols, and the first one without; only the newest is kept.
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

    /// Returns previews, at most `rate` a second; only the newest is kept.
    ///
    /// The stream ends with the camera.
    public func previews(atMost rate: Double) -> AsyncStream<Preview> {
        hub.stream(atMost: rate)
    }

    /// Returns the next preview; `nil` if none comes within a second.
    public func preview() async -> Preview? { await Self.next(of: hub) }

    /// Returns the next frame at full resolution; `nil` if none comes within a second.
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
    /// The rectangle clipped to the unit square, at least a hundredth wide and high.
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
