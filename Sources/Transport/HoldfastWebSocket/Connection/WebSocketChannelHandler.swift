import DequeModule
import HoldfastNIO
import HoldfastTransport
import Logging
import NIOCore

/// Drives a ``WebSocketMachine`` on a channel: bytes in, bytes out, one timer.
///
/// It lives on the channel's event loop; the tasks of the program reach it through a ``WebSocketLink``.
final class WebSocketChannelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// How the socket is to be closed once everything is written.
    private enum Farewell {
        case output, all
    }

    private struct Loss {
        var reason: String?
    }

    private var machine: WebSocketMachine
    private var encoder: FrameEncoder
    private let link: WebSocketLink
    private let logger: Logger?
    private var context: ChannelHandlerContext?

    /// Frames that are encoded and not handed on yet.
    private var unwritten = ByteBuffer()
    /// What the messages among them count for in the outbox.
    private var unwrittenMessages = 0
    private var writesUnderWay = 0
    private var farewell: Farewell?
    /// Why a changed policy cuts the connection: beats whatever the cut itself looks like.
    private var refusal: TransportError?
    /// That the socket brings nothing more, and the system's word on it. The connection has ended when ``unread`` is empty.
    private var loss: Loss?

    /// What has arrived and waits until the mailbox has room.
    private var unread = ByteBuffer()
    /// Whether the mailbox is full, and whether the channel has asked to read meanwhile.
    private var isPaused = false
    private var wantsRead = false
    /// Whether ``read(_:)`` is at work: whether there is room for more is not known before it is through.
    private var isTakingApart = false

    private var pings: [PingID: (ticket: UInt64, waiter: CheckedContinuation<Duration, any Error>)] = [:]
    private var timer: (due: WebSocketInstant, callback: NIOScheduledCallback)?

    init(machine: consuming WebSocketMachine, encoder: FrameEncoder, link: WebSocketLink, logger: Logger?) {
        self.machine = machine
        self.encoder = encoder
        self.link = link
        self.logger = logger
    }

    // MARK: The channel's events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        link.attach(self)
        perform(machine.writabilityChanged(to: context.channel.isWritable))
        if !context.channel.isActive { lost(nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        lost(nil)
        detach()
    }

    func channelInactive(context: ChannelHandlerContext) {
        lost(nil)
        detach()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receive(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isTakingApart || holdsReads { wantsRead = true } else { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        perform(machine.writabilityChanged(to: context.channel.isWritable))
        flush()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            lost(nil)
        case is ChannelShouldQuiesceEvent:
            close(.goingAway, reason: "")
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Nothing behind this handler could do better: every error of the channel ends the connection.
        logger?.debug("The connection of a WebSocket failed", metadata: ["error": "\(error)"])
        if let error = error as? TransportError, error.code == .trustRefused {
            refusal = error
            link.refuse(error)
        }
        lost("\(error)")
        // Only what has arrived already still waits for its reader.
        if unread.readableBytes > 0 { context.channel.cut() }
    }

    // MARK: The program's wishes, on the event loop

    /// Takes bytes that have come by another way than ``channelRead(context:data:)``.
    func receive(_ buffer: ByteBuffer) {
        if unread.readableBytes > 0 {
            var buffer = buffer
            unread.writeBuffer(&buffer)
        } else {
            unread = buffer
        }
        readOn()
        flush()
    }

    /// Reads on in what has arrived, as far as the mailbox has room, and ends the connection behind it if nothing more comes.
    private func readOn() {
        if unread.readableBytes > 0, !holdsReads {
            let buffer = unread
            unread = ByteBuffer()
            read(buffer)
        }
        guard let loss, unread.readableBytes == 0 else { return }
        perform(machine.transportClosed(loss.reason))
        if context == nil { link.transportClosed() }
    }

    private func read(_ buffer: ByteBuffer) {
        var buffer = buffer
        isTakingApart = true
        repeat {
            // Little can become much: the machine stops where the mailbox would be full.
            let (effects, taken) = buffer.withUnsafeReadableBytes { bytes in
                var rest = bytes
                let effects = machine.receive(&rest, at: now)
                return (effects, bytes.count - rest.count)
            }
            buffer.moveReaderIndex(forwardBy: taken)
            if !effects.isEmpty { perform(effects) }
        } while buffer.readableBytes > 0 && !holdsReads
        isTakingApart = false
        if buffer.readableBytes > 0 { unread = buffer }
        askForMore()
    }

    /// Passes on the wish to read that was held back, once all that has come is taken. Were it passed on between two steps,
    /// each time that the reader is quick for a moment another turn's reading would pile up behind what is unread.
    private func askForMore() {
        guard wantsRead, !isTakingApart, !holdsReads else { return }
        wantsRead = false
        context?.read()
    }

    func drainOutbox() {
        for consignment in link.drain() {
            unwrittenMessages += consignment.weight
            do throws(ZlibFailure) {
                // Closed meanwhile: what was taken is lost, as anything on its way is when a connection ends.
                for frame in try frames(of: consignment) ?? [] { encode(frame) }
            } catch {
                perform(machine.failCompression(at: now))
                readOn()
            }
        }
        flush()
    }

    private func frames(of consignment: OutboundMessage) throws(ZlibFailure) -> [OutboundFrame]? {
        switch consignment {
        case .message(let message): try machine.send(message)
        case .piece(let payload, let kind, let isLast): try machine.send(piece: payload, of: kind, isLast: isLast)
        }
    }

    func readerCaughtUp() {
        drainOutbox()
        perform(machine.readerCaughtUp(at: now))
        flush()
    }

    func resumeReading() {
        // The reader asks from another thread: meanwhile the mailbox may be full again, and what empties it then asks anew.
        guard !link.isMailboxFull else { return }
        isPaused = false
        machine.pausedChanged(to: false, at: now)
        readOn()
        perform([])
        flush()
    }

    func ping(_ ticket: UInt64, _ waiter: CheckedContinuation<Duration, any Error>) {
        guard context != nil else { return waiter.resume(throwing: Self.lostError) }
        switch machine.ping(at: now) {
        case .sent(let id, let frame):
            pings[id] = (ticket, waiter)
            perform([.transmit(frame)])
            flush()
        case .tooMany:
            waiter.resume(
                throwing: WebSocketError(
                    .tooManyPings, "\(WebSocketLimits.pendingPings) pings already wait for their pong."))
        case .closed:
            waiter.resume(
                throwing: WebSocketError(.closed, "The connection is closed.", closure: machine.closure))
        }
    }

    func cancelPing(_ ticket: UInt64) {
        guard let (id, entry) = pings.first(where: { $0.value.ticket == ticket }) else { return }
        pings[id] = nil
        machine.forget(id)
        entry.waiter.resume(throwing: CancellationError())
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        guard machine.canSend else { return }
        // What was sent before goes out before.
        drainOutbox()
        link.refuseMessages()
        perform(machine.close(code, reason: reason, at: now))
        // The peer's close frame may have come already.
        readOn()
        flush()
    }

    func abandon() {
        perform(machine.abandon())
        readOn()
    }

    /// The memory, in bytes, that is taken by what has arrived and was not handed on, and by frames that were not handed to
    /// the channel.
    var heldBytes: Int { machine.heldBytes + unread.readableBytes + unwritten.readableBytes }

    /// The channel, as long as there is one.
    var channel: (any Channel)? { context?.channel }

    // MARK: The machine's effects

    private var now: WebSocketInstant {
        WebSocketInstant(nanoseconds: Int64(clamping: (context?.eventLoop.now ?? .now()).uptimeNanoseconds))
    }

    /// Reading stops for a slow reader, but never once the connection ends: its end has to be seen.
    private var holdsReads: Bool { isPaused && !machine.discardsMessages }

    private func perform(_ effects: [MachineEffect]) {
        for effect in effects {
            switch effect {
            case .transmit(let frame):
                encode(frame)
            case .deliver(let message):
                deliver(.message(message))
            case .deliverPart(let part):
                deliver(.part(part))
            case .answered(let id, let roundTrip):
                pings.removeValue(forKey: id)?.waiter.resume(returning: roundTrip)
            case .fail(let error):
                // Nobody who has all messages needs to be waited for.
                if link.endMessages(error.closure, error: refusal ?? error) { readerCaughtUp() }
            case .end(let closure, let error):
                finish(closure, error)
            case .closeOutput:
                farewell = .output
                flush()
            case .closeTransport:
                farewell = .all
                flush()
            case .cutTransport:
                // Not an orderly close: NIOSSL would wait for the peer's farewell until a time-out of its own.
                flush()
                context?.channel.cut()
            }
        }
        askForMore()
        arm()
    }

    private func deliver(_ parcel: InboundMessage) {
        guard link.deliver(parcel) else { return }
        isPaused = true
        machine.pausedChanged(to: true, at: now)
    }

    private func finish(_ closure: WebSocketClosure, _ ending: WebSocketError?) {
        let error: (any Error)? = refusal ?? ending
        logger?.debug(
            "A WebSocket ended",
            metadata: [
                "code": "\(closure.code)", "clean": "\(closure.isClean)",
                "error": "\(refusal?.code.rawValue ?? ending?.code.rawValue ?? "none")",
            ])
        let closed: any Error = refusal ?? WebSocketError(.closed, "The connection is closed.", closure: closure)
        link.finish(closure, error: error, closed: closed)
        failPings(error ?? closed)
    }

    private func failPings(_ error: any Error) {
        let waiters = pings.values
        pings = [:]
        for entry in waiters { entry.waiter.resume(throwing: error) }
    }

    /// The socket brings nothing more. What it has brought is still looked at, but no faster than its reader takes it:
    /// little can become much, and a peer must not get past a full mailbox by hanging up.
    private func lost(_ reason: String?) {
        loss = Loss(reason: loss?.reason ?? reason)
        // What a server that is refused has sent is nobody's any more.
        if refusal != nil { unread = ByteBuffer() }
        readOn()
    }

    /// The channel is gone. Where something still waits for the reader the link keeps the handler until that is settled.
    private func detach() {
        timer?.callback.cancel()
        timer = nil
        context = nil
        guard unread.readableBytes > 0 else { return link.transportClosed() }
        link.refuseMessages()
        failPings(Self.lostError)
    }

    private static var lostError: WebSocketError {
        WebSocketError(.closed, "The socket is gone; only messages that came before wait for their reader.")
    }

    // MARK: Writing

    private func encode(_ frame: OutboundFrame) {
        let header = encoder.header(for: frame)
        let size = header.encodedSize + header.length
        unwritten.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
            FrameEncoder.encode(frame.payload, under: header, into: bytes)
        }
    }

    /// Hands on what is encoded, as one write: as few records as possible where there is TLS.
    private func flush() {
        guard let context, unwritten.readableBytes > 0 || unwrittenMessages > 0 else { return sayFarewell() }
        let messages = unwrittenMessages
        let promise = context.eventLoop.makePromise(of: Void.self)
        writesUnderWay += 1
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.written(messages)
        }
        let buffer = unwritten
        unwritten = ByteBuffer()
        unwrittenMessages = 0
        context.writeAndFlush(wrapOutboundOut(buffer), promise: promise)
    }

    private func written(_ messages: Int) {
        writesUnderWay -= 1
        if messages > 0, link.accepted(messages) { drainOutbox() }
        sayFarewell()
    }

    /// Closes the socket where that is wanted and everything is written.
    private func sayFarewell() {
        guard let context, let farewell, writesUnderWay == 0, unwritten.readableBytes == 0 else { return }
        self.farewell = nil
        switch farewell {
        case .all:
            context.close(mode: .all, promise: nil)
        case .output:
            let promise = context.eventLoop.makePromise(of: Void.self)
            // A channel that cannot be closed by halves is closed whole.
            promise.futureResult.assumeIsolated().whenFailure { _ in context.close(mode: .all, promise: nil) }
            context.close(mode: .output, promise: promise)
        }
    }
}

// MARK: - The timer

extension WebSocketChannelHandler: NIOScheduledCallbackHandler {
    func handleScheduledCallback(eventLoop: some EventLoop) {
        timer = nil
        perform(machine.wake(at: now))
        flush()
    }

    /// Arms the one timer for what the machine waits for next. One that is armed for an earlier time is left alone:
    /// when it fires it finds nothing to do and is armed again.
    private func arm() {
        guard let context, let due = machine.nextWake else { return }
        if let timer {
            guard due < timer.due else { return }
            timer.callback.cancel()
        }
        let deadline = NIODeadline.uptimeNanoseconds(UInt64(max(0, due.nanoseconds)))
        timer =
            (try? context.eventLoop.assumeIsolated().scheduleCallback(at: deadline, handler: self))
            .map { (due, $0) }
    }
}
