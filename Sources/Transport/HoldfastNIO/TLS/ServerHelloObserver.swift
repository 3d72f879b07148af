import NIOCore

/// Stands below the TLS handler: looks at the first bytes that come from the server, and bounds what a server can have kept
/// before it is judged.
///
/// While a judgement is under way nothing is read. The TLS library would keep whatever comes, and a judgement can take as
/// long as its deadline allows: an attacker on the network could fill the memory with the flight of a server that it
/// relays. An end of the connection is noticed when the judgement has ended.
final class ServerHelloObserver: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes that a server may send before the handshake is complete. BoringSSL takes at most 100 KiB of certificates; the rest is
    /// room for what comes with the last message.
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

    /// What the first bytes were; `nil` while none have come.
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

    /// On the event loop: there is a verdict.
    func judged() {
        guard readIsDue else { return }
        readIsDue = false
        context?.read()
    }
}
