internal import CServices
internal import Glibc

/// The state of the connection thread, which runs one client after the other.
// Unchecked: only the thread that runs `run()` uses it.
final class MQTTThread: @unchecked Sendable {
    private let library: qz_mosquitto
    private let settings: MQTTSettings
    private let queue: MQTTQueue
    private let wakeup: WakeupPipe
    /// `nil` until the broker has answered the connection, then its answer.
    private var welcome: Result<Void, Refusal>?
    private var complaint: String?
    private var failures = 0
    /// The packet number of the farewell.
    private var farewell: Int32?
    private var isFarewellHeard = false

    private struct Refusal: Error {
        var reason: String
    }

    init(library: qz_mosquitto, settings: MQTTSettings, queue: MQTTQueue, wakeup: WakeupPipe) {
        self.library = library
        self.settings = settings
        self.queue = queue
        self.wakeup = wakeup
    }

    func run() {
        // TLS writes to a socket whose other end may be closed.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        _ = library.mosquitto_lib_init()
        while !queue.isClosed {
            queue.disconnected(connect())
            failures += 1
            pause()
        }
    }

    /// Waits before the next attempt: a second if messages are waiting, otherwise longer after each failure.
    private func pause() {
        var left = min(1 << min(failures - 1, 5), 30)
        while left > 0, !queue.isClosed {
            var request = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
            _ = poll(&request, 1, 1000)
            wakeup.clear()
            if request[0].revents != 0 {
                if queue.isWaiting { _ = poll(nil, 0, queue.isClosed ? 0 : 1000) }
                return
            }
            left -= queue.isWaiting ? left : 1
        }
    }

    /// Connects and serves until the connection ends; returns the reason.
    private func connect() -> String {
        (welcome, complaint, farewell, isFarewellHeard) = (nil, nil, nil, false)
        guard
            let client = library.mosquitto_new(settings.clientID, true, Unmanaged.passUnretained(self).toOpaque())
        else { return "the machine has no memory left for it" }
        defer { library.mosquitto_destroy(client) }
        setCallbacks(of: client)
        var status = configure(client)
        if status == 0 {
            status = library.mosquitto_connect_async(
                client, settings.broker.host, Int32(settings.broker.port), MQTTThread.keepAlive)
        }
        // If negative, the connection is in progress.
        guard status <= 0 else { return words(status, errno) }
        return serve(client)
    }

    /// The keep-alive interval, in seconds.
    private static let keepAlive: Int32 = 30
    /// The timeout for the broker's first answer.
    private static let patience: Duration = .seconds(15)

    private func configure(_ client: OpaquePointer) -> Int32 {
        var status = library.mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, settings.version)
        if status == 0, let user = settings.user {
            status = library.mosquitto_username_pw_set(client, user, settings.password)
        }
        if status == 0, settings.broker.isEncrypted {
            let authorities = settings.certificateAuthorities
            status = library.mosquitto_tls_set(
                client, authorities, authorities == nil ? MQTTSettings.systemAuthorities : nil,
                settings.clientCertificate, settings.clientKey, nil)
        }
        if status == 0, let topic = settings.stateTopic {
            let offline = Array("offline".utf8)
            status = library.mosquitto_will_set(client, topic, Int32(offline.count), offline, 1, true)
        }
        return status
    }

    private func setCallbacks(of client: OpaquePointer) {
        library.mosquitto_message_v5_callback_set(client) { _, object, message, _ in
            guard let object, let message = message?.pointee else { return }
            Unmanaged<MQTTThread>.fromOpaque(object).takeUnretainedValue().heard(message)
        }
        library.mosquitto_subscribe_v5_callback_set(client) { _, object, _, count, codes, _ in
            guard let object, let codes, count > 0 else { return }
            Unmanaged<MQTTThread>.fromOpaque(object).takeUnretainedValue().subscribed(codes.pointee)
        }
        library.mosquitto_connect_v5_callback_set(client) { _, object, code, _, _ in
            object.map { Unmanaged<MQTTThread>.fromOpaque($0).takeUnretainedValue().answered(code) }
        }
        library.mosquitto_publish_v5_callback_set(client) { _, object, packet, code, _ in
            object.map { Unmanaged<MQTTThread>.fromOpaque($0).takeUnretainedValue().acknowledged(packet, code) }
        }
        library.mosquitto_log_callback_set(client) { _, object, level, text in
            guard let object, let text, level == 8 else { return }
            Unmanaged<MQTTThread>.fromOpaque(object).takeUnretainedValue().complaint = String(cString: text)
        }
    }

    /// Handles the broker's answer to the connection.
    private func answered(_ code: Int32) {
        if code == 0 {
            welcome = .success(())
            return
        }
        var reason =
            (settings.version == 5 ? library.mosquitto_reason_string(code) : library.mosquitto_connack_string(code))
            .map { String(cString: $0) } ?? "code \(code)"
        while reason.last == "." { reason.removeLast() }
        reason = MQTTRemedy.sentence(reason, MQTTRemedy.refusal(code, version: settings.version))
        welcome = .failure(Refusal(reason: "the broker refused the connection: \(reason)"))
    }

    private func acknowledged(_ packet: Int32, _ code: Int32) {
        if packet == farewell { isFarewellHeard = true }
        queue.answered(packet, Self.outcome(code, library.mosquitto_reason_string(code).map { String(cString: $0) }))
    }

    /// The meaning of an acknowledgment (MQTT 5.0, table 3-8); before version 5 it has no code.
    static func outcome(_ code: Int32, _ words: String?) -> DeliveryOutcome {
        let reason = MQTTRemedy.sentence(
            "the broker refused it: \(words ?? "code \(code)")", MQTTRemedy.message(code))
        return switch code {
        case 0..<0x80: .delivered()
        // Invalid topic name or payload format.
        case 0x90, 0x99: .refused(reason, status: Int(code))
        // Quota exceeded.
        case 0x97: DeliveryOutcome(.throttled, status: Int(code), reason: reason)
        default: .failed(reason, status: Int(code))
        }
    }

    private func serve(_ client: OpaquePointer) -> String {
        let start = ContinuousClock.now
        var isGreeted = false
        var end: ContinuousClock.Instant?
        while true {
            let socket = library.mosquitto_socket(client)
            guard socket >= 0 else { return complaint ?? "it ended" }
            let wanted = Int16(POLLIN) | (library.mosquitto_want_write(client) ? Int16(POLLOUT) : 0)
            var requests = [
                pollfd(fd: socket, events: wanted, revents: 0),
                pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&requests, 2, 500)
            if requests[1].revents != 0 { wakeup.clear() }
            if requests[0].revents != 0 {
                if let reason = transfer(client, requests[0].revents) {
                    // The library reports a refusal as a protocol error.
                    if case .failure(let refusal)? = welcome { return refusal.reason }
                    return reason
                }
            }
            let status = library.mosquitto_loop_misc(client)
            if status != 0 { return words(status, 0) }
            switch welcome {
            case .failure(let refusal)?: return refusal.reason
            case nil:
                if ContinuousClock.now - start > Self.patience { return "it does not answer" }
                if queue.isClosed { return "it was closed" }
                continue
            case .success?: break
            }
            if !isGreeted {
                isGreeted = true
                failures = 0
                queue.trouble = nil
                greet(client)
            }
            if let reason = send(client) { return reason }
            if queue.isClosed {
                if end == nil {
                    end = ContinuousClock.now + .seconds(1)
                    isFarewellHeard = settings.stateTopic == nil
                    if let topic = settings.stateTopic {
                        farewell = keep(MQTTSettings.Retained(topic: topic, payload: Array("offline".utf8)), client)
                        if farewell == nil { isFarewellHeard = true }
                    }
                }
                if isFarewellHeard || end.map({ ContinuousClock.now > $0 }) == true {
                    _ = library.mosquitto_disconnect_v5(client, 0, nil)
                    _ = library.mosquitto_loop_write(client, 1)
                    return "it was closed"
                }
            }
        }
    }

    /// Reads and writes; returns the reason if the connection has ended, or `nil`.
    private func transfer(_ client: OpaquePointer, _ events: Int16) -> String? {
        var number: Int32 = 0
        if events & Int16(POLLERR) != 0 {
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(library.mosquitto_socket(client), SOL_SOCKET, SO_ERROR, &number, &size)
        }
        // TLS may have to read before it can write.
        var status = library.mosquitto_loop_read(client, 1)
        if status != 0 { return words(status, number == 0 ? errno : number) }
        if library.mosquitto_socket(client) >= 0, library.mosquitto_want_write(client) {
            status = library.mosquitto_loop_write(client, 1)
            if status != 0 { return words(status, number == 0 ? errno : number) }
        }
        return number == 0 ? nil : words(number)
    }

    /// Subscribes to commands: only new ones, at most once each.
    private func listen(_ client: OpaquePointer) {
        guard let commands = settings.commands else { return }
        let options = settings.version == 5 ? Int32(MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue) : 0
        let status = library.mosquitto_subscribe_v5(client, nil, commands.topic, 0, options, nil)
        if status != 0 { commands.take(.refused("the topic \(commands.topic): \(words(status, 0))")) }
    }

    private func subscribed(_ code: Int32) {
        guard let commands = settings.commands else { return }
        let words = library.mosquitto_reason_string(code).map { String(cString: $0) }
        if let refusal = Self.refusal(code, words, topic: commands.topic) { commands.take(refusal) }
    }

    /// The refusal in a subscription's answer; `nil` if it was granted (MQTT 5.0, table 3-8; 3.1.1 has 0x80 alone).
    static func refusal(_ code: Int32, _ words: String?, topic: String) -> StationCommand? {
        guard code >= 0x80 else { return nil }
        return .refused("the broker refused the subscription to \(topic): \(words ?? "code \(code)")")
    }

    /// Handles a message on the command topic.
    ///
    /// Ignores retained messages, which would be executed at each connection.
    private func heard(_ message: mosquitto_message) {
        guard let commands = settings.commands, !message.retain else { return }
        guard let start = message.payload, message.payloadlen > 0 else { return commands.take(StationCommand([])) }
        commands.take(StationCommand(UnsafeRawBufferPointer(start: start, count: Int(message.payloadlen))))
    }

    /// Announces that the station is online.
    private func greet(_ client: OpaquePointer) {
        listen(client)
        for message in settings.announcements { _ = keep(message, client) }
        if let topic = settings.stateTopic {
            _ = keep(MQTTSettings.Retained(topic: topic, payload: Array("online".utf8)), client)
        }
    }

    /// Sends a retained message; returns its packet number.
    private func keep(_ message: MQTTSettings.Retained, _ client: OpaquePointer) -> Int32? {
        var packet: Int32 = 0
        let status = library.mosquitto_publish_v5(
            client, &packet, message.topic, Int32(clamping: message.payload.count), message.payload, 1, true, nil)
        return status == 0 ? packet : nil
    }

    /// Sends the waiting messages; returns the reason if the connection has ended, or `nil`.
    private func send(_ client: OpaquePointer) -> String? {
        while let entry = queue.next() {
            let message = entry.message
            var properties: OpaquePointer?
            defer { library.mosquitto_property_free_all(&properties) }
            if settings.version == 5 {
                _ = library.mosquitto_property_add_string(
                    &properties, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), message.mediaType)
                _ = library.mosquitto_property_add_string_pair(
                    &properties, Int32(MQTT_PROP_USER_PROPERTY.rawValue), "webhook-id", message.id)
            }
            var packet: Int32 = 0
            let status = library.mosquitto_publish_v5(
                client, &packet, message.topic, Int32(clamping: message.payload.count), message.payload, 1,
                message.isRetained, properties)
            switch status {
            case 0: queue.sent(entry, as: packet)
            case Int32(MOSQ_ERR_NO_CONN.rawValue), Int32(MOSQ_ERR_CONN_LOST.rawValue), Int32(MOSQ_ERR_ERRNO.rawValue):
                // It has left the queue already; have it sent over the next connection.
                queue.sent(entry, as: -1)
                return words(status, errno)
            case Int32(MOSQ_ERR_NOMEM.rawValue):
                queue.failed(entry, DeliveryOutcome(.postponed, reason: "the machine has no memory left for it"))
            default:
                // The topic is not named: it may hold what the event says.
                queue.failed(entry, .refused("the message cannot be sent: \(words(status, 0))"))
            }
        }
        return nil
    }

    /// The meaning of a library status.
    private func words(_ status: Int32, _ number: Int32) -> String {
        if let complaint, status == Int32(MOSQ_ERR_TLS.rawValue) {
            return MQTTRemedy.sentence("TLS: \(complaint)", MQTTRemedy.tls(complaint))
        }
        if status == Int32(MOSQ_ERR_ERRNO.rawValue), number != 0 { return words(number) }
        if status == Int32(MOSQ_ERR_EAI.rawValue) {
            return "the name \(settings.broker.host) was not found; check broker, and this machine's name server"
        }
        var text = library.mosquitto_strerror(status).map { String(cString: $0) } ?? "status \(status)"
        while text.last == "." { text.removeLast() }
        return text
    }

    private func words(_ number: Int32) -> String {
        MQTTRemedy.sentence(
            String(cString: strerror(number)),
            MQTTRemedy.connection(errno: number, isEncrypted: settings.broker.isEncrypted))
    }
}
