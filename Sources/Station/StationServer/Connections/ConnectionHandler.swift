internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose request stays incomplete or is malformed, and answers `Expect: 100-continue`.
///
/// The header timeout starts with the connection, and later with the first byte of a request. It also runs while a
/// client goes on sending a body that nobody reads because the request was already answered.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The time after which a connection is closed if sent bytes are not acknowledged, because its network is gone.
    ///
    /// Event streams send something every few seconds, so that there are always such bytes.
    private static let acknowledgment: TimeAmount = .seconds(20)

    private let limiter: ConnectionLimiter
    private let timeout: TimeAmount
    private var number: Int?
    private var hasBegun = false
    /// The number of requests whose header has arrived and whose response has not ended.
    private var unanswered = 0
    /// Indicates whether a header has arrived whose body has not ended.
    private var isReading = false
    /// Indicates whether a malformed header has arrived: it is answered, and nothing after it is read as a request.
    private var isOver = false
    /// The time for which the connection stays open after the answer to a malformed header.
    ///
    /// Otherwise bytes that arrive later would reset the connection before the client has read the answer.
    private static let linger: TimeAmount = .seconds(2)
    private var timer: Scheduled<Void>?

    /// - Parameter timeout: the timeout for a header.
    init(limiter: ConnectionLimiter, timeout: TimeAmount) {
        self.limiter = limiter
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard !hasBegun else { return }
        hasBegun = true
        number = limiter.enter(context.channel)
        guard number != nil else { return context.close(promise: nil) }
        startTimer(context)
        // Sockets without this option, as in tests, are left as they are.
        _ = context.channel.setOption(.tcpUserTimeout, value: Int(Self.acknowledgment.nanoseconds / 1_000_000))
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let watcher = FirstByteHandler { [weak self] in self?.bytesCame(context.value) }
        // First in the pipeline, to see the bytes of the socket before TLS and HTTP parse them.
        try? context.value.pipeline.syncOperations.addHandler(watcher, position: .first)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        stopTimer()
        if let number { limiter.leave(number) }
        number = nil
    }

    private func bytesCame(_ context: ChannelHandlerContext) {
        if unanswered == 0 && timer == nil { startTimer(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            stopTimer()
            isOver = head.fault != nil
            isReading = !isOver
            unanswered += 1
            if let number { limiter.answer(number) }
            // During another response, this would be read as a part of it.
            if unanswered == 1, head.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body: break
        case .end:
            isReading = false
            if unanswered == 0 { stopTimer() }
        }
        context.fireChannelRead(data)
        if isOver { context.fireChannelRead(wrapInboundOut(.end(nil))) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The malformed header was answered; the client would not read another answer for the bytes after it.
        if isOver, unanswered == 0 {
            promise?.succeed()
            return
        }
        if case .end = unwrapOutboundIn(data) {
            // A malformed header was never counted, but gets a response too.
            unanswered = max(0, unanswered - 1)
            if unanswered == 0 {
                if let number { limiter.rest(number) }
                if isReading { startTimer(context) }
                if isOver {
                    context.eventLoop.assumeIsolated().scheduleTask(in: Self.linger) { context.close(promise: nil) }
                }
            }
        }
        context.write(data, promise: promise)
    }

    private func startTimer(_ context: ChannelHandlerContext) {
        stopTimer()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            StationMetrics.connectionClosed(because: "slow")
            context.close(promise: nil)
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}

extension ChannelOption where Self == ChannelOptions.Types.SocketOption {
    /// Linux's TCP_USER_TIMEOUT, in milliseconds.
    fileprivate static var tcpUserTimeout: Self { ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: 18)) }
}

/// Reports incoming bytes.
private final class FirstByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let onBytes: () -> Void

    init(_ onBytes: @escaping () -> Void) {
        self.onBytes = onBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        onBytes()
        context.fireChannelRead(data)
    }
}

@available(*, unavailable)
extension FirstByteHandler: Sendable {}
