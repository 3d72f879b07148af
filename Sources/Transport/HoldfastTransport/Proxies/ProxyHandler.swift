import HoldfastNIO
import HoldfastTrust
import NIOCore

/// A channel handler that runs a ``ProxyDialogue`` on a new channel. Afterwards it stays in the pipeline and passes all
/// data through.
final class ProxyHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialogue: any ProxyDialogue
    private let deadline: Duration
    private let outcome: EventLoopPromise<Void>
    private var timer: Scheduled<Void>?
    private var isConnected = false
    private var isOver = false

    /// Creates a handler. `outcome` is completed once: it succeeds when the server is reached and no bytes followed the
    /// proxy's response, and otherwise fails with a ``ProxyFailure``.
    init(_ dialogue: any ProxyDialogue, deadline: Duration, outcome: EventLoopPromise<Void>) {
        self.dialogue = dialogue
        self.deadline = deadline
        self.outcome = outcome
    }

    /// Starts the dialogue. The channel is already active: the proxy is connected, and verified if it uses TLS.
    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(clamping: deadline)) { [self] in
            finish(ProxyFailure(.timedOut, "The proxy did not respond in time."))
        }
        send(dialogue.opening, context: context)
        if !context.channel.isActive {
            finish(Self.closed)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(Self.closed)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else {
            // The dial has failed, or a TLS handler now processes the data.
            context.fireChannelRead(data)
            return
        }
        switch dialogue.receive(unwrapInboundIn(data).readableBytesView) {
        case .proceed(let bytes): send(bytes, context: context)
        // The outcome is decided in `channelReadComplete`, after all bytes that arrived with the response were checked.
        case .connected: isConnected = true
        case .fail(let failure): finish(failure)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isConnected, !isOver { finish(nil) }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(Self.closed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else { return context.fireErrorCaught(error) }
        finish(ProxyFailure(.closed, "The connection to the proxy failed: \(error)."))
    }

    private func send(_ bytes: [UInt8], context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    /// Completes the outcome; `nil` means that the server is reached.
    private func finish(_ failure: ProxyFailure?) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        if let failure { outcome.fail(failure) } else { outcome.succeed() }
    }

    private static let closed = ProxyFailure(.closed, "The proxy closed the connection before it responded.")
}

/// The dialogue with a proxy until it has connected to the server.
protocol ProxyDialogue: Sendable {
    /// The bytes to send first.
    var opening: [UInt8] { get }

    /// Processes bytes from the proxy.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> ProxyStep
}

extension ProxyServer {
    /// Returns a dialogue that asks the proxy to connect to a host by name. The proxy resolves the name.
    func dialogue(with host: CanonicalHost, port: UInt16) -> any ProxyDialogue {
        switch kind {
        case .http, .https: ConnectMachine(host: host, port: port, credentials: credentials)
        case .socks5: SOCKSMachine(host: host, port: port, credentials: credentials)
        }
    }
}

extension ProxyFailure {
    /// The failure of a proxy that sent bytes after its response.
    static let earlyBytes = ProxyFailure(
        .earlyBytes, "The proxy sent bytes after its response, before TLS started.")
}

/// The next step in a dialogue with a proxy.
enum ProxyStep: Hashable, Sendable {
    /// Send these bytes, if any, and wait for more.
    case proceed([UInt8])
    /// The proxy is connected to the server. All following bytes belong to the server.
    case connected
    /// The dialogue failed, and the machine must not be used again.
    case fail(ProxyFailure)
}
