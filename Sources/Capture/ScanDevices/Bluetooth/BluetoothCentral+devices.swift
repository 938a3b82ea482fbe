extension BluetoothCentral {
    /// The time that bluetoothd tries to connect a silent device before an advertising one takes precedence.
    private static let stalePatience: Duration = .seconds(5)
    /// The time limit of an attempt to connect to a device that advertises.
    private static let attemptPatience: Duration = .seconds(20)

    /// Compares the known state with the wanted one, and takes the next steps.
    mutating func settle(at time: Duration) {
        let common = updateCommonProblem()
        for index in links.indices {
            if links[index].connects { settle(connected: index) } else { settle(advertised: index) }
            tellBattery(index)
            report(index, common ?? links[index].problem)
        }
        settleScans()
    }

    // MARK: devices that are connected

    private mutating func settle(connected index: Int) {
        if !links[index].isReady { links[index].missingSince = links[index].missingSince ?? time }
        locate(index)
        guard let path = links[index].path else {
            lose(index)
            return
        }
        if links[index].phase == .away { links[index].phase = .waiting(until: time) }
        guard objects.isConnected(path) else {
            switch links[index].phase {
            case .resolving, .subscribing, .listening:
                lose(index)
                links[index].waitAfterLoss(at: time)
            default: break
            }
            if case .waiting(let until) = links[index].phase, until <= time { connect(index, path) }
            return
        }
        switch links[index].phase {
        case .away, .waiting, .connecting: links[index].phase = .resolving(since: time, notBefore: time)
        case .subscribing(let characteristic), .listening(let characteristic):
            if !objects.has(characteristic: characteristic) { silence(characteristic) }
        default: break
        }
        if case .resolving(let since, let notBefore) = links[index].phase, notBefore <= time {
            resolve(index, path, since: since)
        }
    }

    /// Ends the codes whose time is over.
    ///
    /// For the advance of time only: while messages are handled, the rest of a code may be in the next one.
    mutating func endLines() {
        for index in links.indices {
            guard case .listening = links[index].phase, let deadline = links[index].lines.deadline, deadline <= time
            else { continue }
            if let scan = links[index].lines.advance(to: time) { tell(index, .init(scan)) }
        }
    }

    /// Finds the device's object, or records that it is gone.
    private mutating func locate(_ index: Int) {
        if let path = links[index].path, objects.isUsable(path) { return }
        if links[index].path != nil {
            lose(index)
            links[index].problem = nil
        }
        links[index].path = hasObjects ? objects.devices.first { isMeant(index, $0) } : nil
    }

    /// Indicates whether an object matches this configuration, and belongs to no other one.
    private func isMeant(_ index: Int, _ path: String) -> Bool {
        objects.isUsable(path) && !links.contains { $0.path == path }
            && links[index].configuration.match.matches(objects.identity(path), resolving: { $0 })
    }

    private mutating func connect(_ index: Int, _ path: String) {
        links[index].phase = .connecting(since: time)
        links[index].mayBeAmidCode = false
        links[index].lastAttempt = time
        call(path, .device, "Connect", for: .connect(index, device: path))
    }

    /// Gives up an attempt to connect, and schedules another.
    private mutating func abandon(_ index: Int, _ path: String) {
        call(path, .device, "Disconnect", for: .other)
        links[index].wait(from: time + .seconds(1))
    }

    /// Handles the end of an attempt to connect; its result is in the device's properties.
    mutating func connectionEnded(_ index: Int, _ device: String, _ failure: BluetoothFailure?) {
        guard case .connecting(let since) = links[index].phase, links[index].path == device,
            !objects.isConnected(device)
        else { return }
        if failure?.name == "NoReply" {
            // An earlier attempt that was given up gets no reply either.
            guard time - since >= Self.connectPatience else { return }
            call(device, .device, "Disconnect", for: .other)
        }
        if let failure, failure.isRefusal {
            links[index].problem =
                "\(name(of: device)) cannot be connected (\(failure.text)): pair it with \"bluetoothctl pair "
                + "\(objects.identity(device).serialNumber)\"."
        }
        links[index].attempts += links[index].attempts == 0 ? 1 : 0
        links[index].wait(from: time)
    }

    private mutating func resolve(_ index: Int, _ path: String, since: Duration) {
        guard objects.isResolved(path) else {
            guard time - since >= BluetoothDevice.servicePatience else { return }
            call(path, .device, "Disconnect", for: .other)
            links[index].waitAfterLoss(at: time)
            return
        }
        let link = links[index].configuration.bluetooth
        guard let characteristic = objects.characteristic(of: path, service: link.service, link.characteristic) else {
            links[index].problem =
                "\(name(of: path)) has no characteristic \(link.characteristic) of a service \(link.service): set `service` "
                + "and `characteristic` as its manual has them, or the device to send over Bluetooth LE."
            links[index].phase = .resolving(since: time, notBefore: time + .seconds(5))
            return
        }
        links[index].phase = .subscribing(characteristic)
        call(characteristic, .characteristic, "StartNotify", for: .notify(index, characteristic: characteristic))
    }

    /// Handles the start of notifications of a characteristic.
    mutating func listen(_ index: Int, _ characteristic: String) {
        guard links[index].phase == .subscribing(characteristic), let path = links[index].path else { return }
        links[index].begin(at: time)
        links[index].phase = .listening(characteristic)
        ready(index, path)
    }

    /// Handles the refusal of notifications of a characteristic.
    mutating func refuse(_ index: Int, _ characteristic: String, _ failure: BluetoothFailure) {
        guard links[index].phase == .subscribing(characteristic), let path = links[index].path else { return }
        if failure.name != "InProgress" {
            links[index].problem =
                "\(name(of: path)) cannot be read (\(failure.text)): pair it with \"bluetoothctl pair "
                + "\(objects.identity(path).serialNumber)\", and stop other programs that read it."
        }
        links[index].phase = .resolving(since: time, notBefore: time + .seconds(2))
    }

    /// Handles the end of notifications of a characteristic, though its device may still be connected.
    mutating func silence(_ characteristic: String) {
        for index in links.indices
        where [.listening(characteristic), .subscribing(characteristic)].contains(links[index].phase) {
            lose(index)
            links[index].mayBeAmidCode = true
            links[index].phase = .resolving(since: time, notBefore: time + .milliseconds(500))
        }
    }

    private func name(of device: String) -> String {
        let identity = objects.identity(device)
        return identity.name.isEmpty ? identity.serialNumber : "\(identity.name) (\(identity.serialNumber))"
    }

    // MARK: data from devices

    /// Handles a notification.
    mutating func take(_ bytes: [UInt8], from characteristic: String) {
        for index in links.indices {
            // It may come before the reply that announces it.
            if links[index].phase == .subscribing(characteristic) { listen(index, characteristic) }
            guard links[index].phase == .listening(characteristic) else { continue }
            links[index].hasSent = true
            let kinds = links[index].read(bytes, at: time) ?? [.discarded(.tooShort, length: bytes.count)]
            for kind in kinds { tell(index, kind) }
        }
    }

    /// Handles an advertisement of a device.
    mutating func hear(_ path: String) {
        for index in links.indices {
            if links[index].path == path {
                links[index].heard = time
                switch links[index].phase {
                // The device is back, so the backoff ends early.
                case .waiting(let until):
                    links[index].phase = .waiting(until: min(until, max(time, links[index].lastAttempt + .seconds(1))))
                // The device is nearby, but the attempt does not succeed.
                case .connecting(let since) where time - since >= Self.attemptPatience: abandon(index, path)
                default: break
                }
            } else if isStale(index), isMeant(index, path) {
                // Its address has changed, as devices do for privacy.
                if links[index].isConnecting, let old = links[index].path {
                    call(old, .device, "Disconnect", for: .other)
                }
                links[index].path = path
                links[index].phase = .waiting(until: time)
            }
            if !links[index].connects { read(advertisementOf: path, index) }
        }
    }

    /// Indicates whether the path of a device that does not advertise may be out of date.
    private func isStale(_ index: Int) -> Bool {
        guard links[index].connects, links[index].path != nil else { return false }
        switch links[index].phase {
        case .waiting: return links[index].attempts > 0 && time - (links[index].heard ?? .zero) > Self.stalePatience
        case .connecting(let since):
            return time - since > Self.stalePatience && (links[index].heard ?? .zero) < since
        default: return false
        }
    }

    private mutating func read(advertisementOf path: String, _ index: Int) {
        if links[index].path == nil, isMeant(index, path) { links[index].path = path }
        guard links[index].path == path else { return }
        let isFirst = !links[index].isReady
        links[index].phase = .advertising(heard: time)
        if isFirst { ready(index, path) }
        let link = links[index].configuration.bluetooth
        let bytes =
            link.source == .serviceData
            ? objects.serviceData(path, of: link.service) : objects.manufacturerData(path)
        // A device may send other advertisements in between.
        for kind in bytes.flatMap({ links[index].read($0, at: time) }) ?? [] { tell(index, kind) }
    }

    private mutating func settle(advertised index: Int) {
        if let path = links[index].path, !objects.isUsable(path) {
            lose(index)
            links[index].path = nil
        }
        guard case .advertising(let heard) = links[index].phase else {
            links[index].missingSince = links[index].missingSince ?? time
            return
        }
        if time - heard >= BluetoothDevice.advertisementPatience { lose(index) }
    }

    // MARK: events

    private mutating func ready(_ index: Int, _ path: String) {
        links[index].readySince = time
        links[index].missingSince = nil
        links[index].problem = nil
        links[index].told = nil
        links[index].battery = nil
        tell(index, .connected(objects.identity(path)))
    }

    /// Records that a device is not connected.
    mutating func lose(_ index: Int) {
        if links[index].isReady {
            if let rest = links[index].lines.disconnect() { tell(index, .init(rest)) }
            tell(index, .disconnected)
        }
        links[index].missingSince = links[index].missingSince ?? time
        links[index].phase = .away
    }

    private mutating func tellBattery(_ index: Int) {
        guard links[index].isReady, let path = links[index].path, let percent = objects.battery(path),
            percent != links[index].battery
        else { return }
        links[index].battery = percent
        tell(index, .battery(percent))
    }

    /// Reports a problem once, and once that it is over.
    private mutating func report(_ index: Int, _ problem: String?) {
        guard !links[index].isReady, links[index].told != problem else { return }
        links[index].told = problem
        tell(index, problem.map { .unavailable($0) } ?? .disconnected)
    }

    private mutating func tell(_ index: Int, _ kind: DeviceEvent.Kind) {
        events.append(DeviceEvent(device: links[index].configuration.name, time: time, kind: kind))
    }
}
