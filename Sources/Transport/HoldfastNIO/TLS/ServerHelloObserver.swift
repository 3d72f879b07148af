import NIOCore

/// Inspects the server's first bytes below the TLS handler and limits the memory that an unverified server can use.
///
/// It does not read from the socket during an evaluation. The TLS library would buffer all incoming data until the
/// evaluation's deadline, so an attacker that relays a server's handshake could fill the memory. The end of the
/// connection is therefore noticed only after the evaluation.
final class ServerHelloObserver: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// The maximum number of bytes that a server may send before the handshake completes. BoringSSL accepts at most 100
    /// KiB of certificates; the rest is room for data that arrives together with the last handshake message.
    ///
    /// - Error: `HandshakeFailure.Code.tooLarge`
    static let limit = 1024 * 1024

    private let gate: VerificationGate
    private var context: ChannelHandlerContext?
    private var reader = ServerHelloReader()
    private var received = 0
    private var readIsDue = false

    init(gate: VerificationGate) {
        self.gate = gate
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    /// The finding about the server's first bytes; `nil` if none have arrived.
    var finding: ServerHelloReader.Finding? { reader.findingAtEnd }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard received <= Self.limit else { return }
        let buffer = unwrapInboundIn(data)
        received += buffer.readableBytes
        guard received <= Self.limit else {
            context.fireErrorCaught(
                HandshakeFailure(.tooLarge, "The server sent more than \(Self.limit) bytes for its handshake."))
            context.close(promise: nil)
            return
        }
        if reader.finding == nil {
            reader.feed(buffer.readableBytesView)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if gate.isJudging {
            readIsDue = true
        } else {
            context.read()
        }
    }

    /// Resumes reading after the verdict. Called on the event loop.
    func judged() {
        guard readIsDue else { return }
        readIsDue = false
        context?.read()
    }
}
