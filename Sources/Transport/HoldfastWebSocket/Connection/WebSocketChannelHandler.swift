import DequeModule
import HoldfastNIO
import HoldfastTransport
import Logging
import NIOCore

/// Drives a ``WebSocketMachine`` on a channel, with one timer.
///
/// The handler runs on the channel's event loop. Tasks reach it through a ``WebSocketLink``.
final class WebSocketChannelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// How to close the socket after everything is written.
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

    /// Encoded frames that have not been passed to the channel.
    private var unwritten = ByteBuffer()
    /// The outbox size of the messages in ``unwritten``.
    private var unwrittenMessages = 0
    private var writesUnderWay = 0
    private var farewell: Farewell?
    /// The refusal by a changed policy. It takes precedence over the error that cutting the connection causes.
    private var refusal: TransportError?
    /// Set when the socket delivers no more data, with the system's reason. The connection ends when ``unread`` is
    /// empty.
    private var loss: Loss?

    /// Received bytes that wait for space in the mailbox.
    private var unread = ByteBuffer()
    /// Whether the mailbox is full. ``wantsRead`` records that the channel asked to read in the meantime.
    private var isPaused = false
    private var wantsRead = false
    /// Whether ``read(_:)`` is running. Only after it finishes is it known whether there is space for more.
    private var isTakingApart = false

    private var pings: [PingID: (ticket: UInt64, waiter: CheckedContinuation<Duration, any Error>)] = [:]
    private var timer: (due: WebSocketInstant, callback: NIOScheduledCallback)?

    init(machine: consuming WebSocketMachine, encoder: FrameEncoder, link: WebSocketLink, logger: Logger?) {
        self.machine = machine
        self.encoder = encoder
        self.link = link
        self.logger = logger
    }

    // MARK: Channel events

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
        // This handler is the last one to handle errors: every channel error ends the connection.
        logger?.debug("The connection of a WebSocket failed", metadata: ["error": "\(error)"])
        if let error = error as? TransportError, error.code == .trustRefused {
            refusal = error
            link.refuse(error)
        }
        lost("\(error)")
        // Only data that has already arrived still waits for its reader.
        if unread.readableBytes > 0 { context.channel.cut() }
    }

    // MARK: Requests from tasks, on the event loop

    /// Handles bytes that did not arrive through ``channelRead(context:data:)``.
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

    /// Processes received data while the mailbox has space. Ends the connection after the last data if the socket is
    /// closed.
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
            // Compressed data can expand, so the machine stops when the mailbox would be full.
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

    /// Passes on a delayed read request after all received data has been processed. Passing it on earlier would let
    /// unread data accumulate whenever the reader catches up briefly.
    private func askForMore() {
        guard wantsRead, !isTakingApart, !holdsReads else { return }
        wantsRead = false
        context?.read()
    }

    func drainOutbox() {
        for message in link.drain() {
            unwrittenMessages += message.weight
            do throws(ZlibFailure) {
                // The connection was closed in the meantime; accepted messages are lost, as when any connection ends.
                for frame in try frames(of: message) ?? [] { encode(frame) }
            } catch {
                perform(machine.failCompression(at: now))
                readOn()
            }
        }
        flush()
    }

    private func frames(of message: OutboundMessage) throws(ZlibFailure) -> [OutboundFrame]? {
        switch message {
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
        // The request comes from another thread, so the mailbox may be full again. The next reader then repeats the
        // request.
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
        // Earlier messages are sent first.
        drainOutbox()
        link.refuseMessages()
        perform(machine.close(code, reason: reason, at: now))
        // The peer's close frame may already have arrived.
        readOn()
        flush()
    }

    func abandon() {
        perform(machine.abandon())
        readOn()
    }

    /// The bytes held by received data that has not been passed on and by frames that have not been passed to the
    /// channel.
    var heldBytes: Int { machine.heldBytes + unread.readableBytes + unwritten.readableBytes }

    /// The channel, while the handler is in its pipeline.
    var channel: (any Channel)? { context?.channel }

    // MARK: Effects of the machine

    private var now: WebSocketInstant {
        WebSocketInstant(nanoseconds: Int64(clamping: (context?.eventLoop.now ?? .now()).uptimeNanoseconds))
    }

    /// Whether reading is paused for a slow reader. Reading continues while the connection ends, so that the end of the
    /// socket is noticed.
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
                // The reader has all messages, so there is no need to wait for it.
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
                // Cutting avoids NIOSSL's own timeout for the peer's close_notify.
                flush()
                context?.channel.cut()
            }
        }
        askForMore()
        arm()
    }

    private func deliver(_ inbound: InboundMessage) {
        guard link.deliver(inbound) else { return }
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

    /// Handles the end of the socket's data. Remaining data is still processed at the reader's pace: compressed data
    /// can expand, and a peer must not bypass a full mailbox by disconnecting.
    private func lost(_ reason: String?) {
        loss = Loss(reason: loss?.reason ?? reason)
        // Data from a refused server is discarded.
        if refusal != nil { unread = ByteBuffer() }
        readOn()
    }

    /// Detaches from the closed channel. The link keeps the handler while data still waits for the reader.
    private func detach() {
        timer?.callback.cancel()
        timer = nil
        context = nil
        guard unread.readableBytes > 0 else { return link.transportClosed() }
        link.refuseMessages()
        failPings(Self.lostError)
    }

    private static var lostError: WebSocketError {
        WebSocketError(.closed, "The connection is closed; only messages received earlier can still be read.")
    }

    // MARK: Writing

    private func encode(_ frame: OutboundFrame) {
        let header = encoder.header(for: frame)
        let size = header.encodedSize + header.length
        unwritten.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
            FrameEncoder.encode(frame.payload, under: header, into: bytes)
        }
    }

    /// Passes the encoded frames on as one write, to minimize the number of TLS records.
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

    /// Closes the socket if a close is due and everything is written.
    private func sayFarewell() {
        guard let context, let farewell, writesUnderWay == 0, unwritten.readableBytes == 0 else { return }
        self.farewell = nil
        switch farewell {
        case .all:
            context.close(mode: .all, promise: nil)
        case .output:
            let promise = context.eventLoop.makePromise(of: Void.self)
            // A channel that does not support half-closure is closed completely.
            promise.futureResult.assumeIsolated().whenFailure { _ in context.close(mode: .all, promise: nil) }
            context.close(mode: .output, promise: promise)
        }
    }
}

// MARK: - Timer

extension WebSocketChannelHandler: NIOScheduledCallbackHandler {
    func handleScheduledCallback(eventLoop: some EventLoop) {
        timer = nil
        perform(machine.wake(at: now))
        flush()
    }

    /// Arms the timer for the machine's next deadline. A timer that is set to an earlier time stays: when it fires, it
    /// does nothing and is armed again.
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
