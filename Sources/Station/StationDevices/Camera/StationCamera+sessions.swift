internal import Logging
internal import Synchronization
public import VideoCapture

extension StationCamera {
    /// The interval between attempts to open a device.
    private static let retryInterval = Duration.milliseconds(500)

    /// Plays one source until the task is cancelled.
    func play(_ source: Source, session: Int) async {
        switch source {
        case .device(let path): await capture(path, session: session)
        case .command(let command): await capture(command, session: session)
        case .replay(let path, let rate): await replay(path, framesPerSecond: rate, session: session)
        case .none: store.withLock { $0.change { $0.status = .none } }
        }
    }

    // MARK: a device

    private func capture(_ selected: String?, session: Int) async {
        store.withLock { store in
            store.device = selected
            store.change { $0.path = selected }
        }
        while !Task.isCancelled {
            do throws(CaptureError) {
                // Only the fact of a restart matters, not the number of restarts.
                let (starts, started) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
                let camera = try await devices.open(path: selected, request: request) { event in
                    self.note(event, session: session)
                    if case .started = event { started.yield() }
                }
                store.withLock { store in
                    store.device = camera.path
                    store.change { ($0.path, $0.card) = (camera.path, camera.card) }
                }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await _ in starts { await self.restoreControls(of: camera.path, session: session) }
                    }
                    for await frame in camera.frames { await self.take(frame, session: session) }
                    started.finish()
                }
                await devices.close(camera)
            } catch {
                noteLoss(error, session: session)
            }
            try? await Task.sleep(for: Self.retryInterval)
        }
    }

    // MARK: a command

    private func capture(_ command: CaptureCommand, session: Int) async {
        store.withLock { store in
            store.change { ($0.path, $0.card) = (command.name, command.name) }
        }
        while !Task.isCancelled {
            do throws(CaptureError) {
                let camera = try await devices.open(command: command) { self.note($0, session: session) }
                for await frame in camera.frames { await self.take(frame, session: session) }
                await devices.close(camera)
            } catch {
                noteLoss(error, session: session)
            }
            try? await Task.sleep(for: Self.retryInterval)
        }
    }

    // MARK: events

    private func note(_ event: CaptureEvent, session: Int) {
        guard store.withLock({ $0.session == session }) else { return }
        switch event {
        case .started(let format):
            store.withLock { store in
                store.meter = RateMeter()
                store.change { ($0.status, $0.problem) = (.running, nil) }
            }
            logger.info("Frames come", metadata: ["format": "\(format)"])
        case .lost(let error): noteLoss(error, session: session)
        case .sourceChanged: logger.info("The input of the device has changed")
        case .steppedDown(let mode):
            logger.warning(
                "The USB bus has not enough bandwidth for the requested frames",
                metadata: ["format": "\(mode.pixelFormat)", "size": "\(mode.size)"])
        case .stalled: logger.warning("No frame arrived for some seconds; restarting the stream")
        case .controlRefused(let error): logger.warning("Could not set a control", metadata: ["error": "\(error)"])
        }
    }

    /// Records that the camera cannot be used for now; logs each reason once.
    private func noteLoss(_ error: CaptureError, session: Int) {
        let isNew = store.withLock { store in
            guard store.session == session else { return false }
            let before = store.state
            store.change { state in
                state.status = error.code == .noCamera ? .none : .lost
                state.problem = error.description
                state.rate = 0
            }
            if before.status == .running { store.counts.lost += 1 }
            return store.state.problem != before.problem || store.state.status != before.status
        }
        if isNew {
            logger.warning(
                "Cannot use the camera; retrying until it is back", metadata: ["error": "\(error)"])
        }
    }

    // MARK: controls

    /// Restores the earlier settings of a device that has started, and reads its controls.
    private func restoreControls(of path: String, session: Int) async {
        let settings = store.withLock { $0.controls[path] ?? $0.initialControls }
        do throws(CaptureError) {
            let (controls, refusals) = try await devices.set(settings, path: path)
            for error in refusals { logger.warning("Could not set a control", metadata: ["error": "\(error)"]) }
            store.withLock { store in
                if store.session == session { store.change { $0.controls = controls } }
            }
        } catch {
            logger.warning("Could not read the controls of the camera", metadata: ["error": "\(error)"])
        }
    }

    /// Sets a control of the camera, even while it is streaming; the setting is restored when the camera comes back.
    ///
    /// - Throws: ``VideoCapture/CaptureError`` with the code `no_camera`, `disconnected` or `bad_control`.
    public func set(_ control: String, to value: Int) async throws(CaptureError) {
        guard let path = store.withLock({ $0.device }) else {
            throw CaptureError(.noCamera, "there is no camera, so \(control) cannot be set")
        }
        let setting = ControlSetting(name: control, value: value)
        let (controls, refusals) = try await devices.set([setting], path: path)
        store.withLock { store in
            if store.device == path { store.change { $0.controls = controls } }
            if refusals.isEmpty {
                var settings = store.controls[path] ?? store.initialControls
                settings.removeAll { $0.name == control }
                store.controls[path] = settings + [setting]
            }
        }
        if let error = refusals.first { throw error }
    }

    // MARK: a recording

    private func replay(_ path: String, framesPerSecond: Double, session: Int) async {
        store.withLock { store in
            store.change { ($0.path, $0.card) = (path, path.split(separator: "/").last.map(String.init) ?? path) }
        }
        let player = ReplayPlayer(path: path, framesPerSecond: framesPerSecond, calls: calls) { event in
            switch event {
            case .started:
                self.store.withLock { $0.change { ($0.status, $0.problem) = (.running, nil) } }
            case .skipped(let error):
                let isFirst = self.store.withLock { store in
                    store.counts.skippedPictures += 1
                    return store.skipped.count < 1000 && store.skipped.insert(error.subject ?? "").inserted
                }
                if isFirst { self.logger.warning("Skipped a picture", metadata: ["error": "\(error)"]) }
            case .empty(let error): self.noteLoss(error, session: session)
            }
        }
        for await frame in player.frames { await take(frame, session: session) }
        await devices.close(player)
    }
}
