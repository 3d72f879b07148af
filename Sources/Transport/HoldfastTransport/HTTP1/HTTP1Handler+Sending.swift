import HTTPTypes
import NIOCore

extension HTTP1Handler {
    /// How far the request's body has come.
    struct UploadState {
        /// Whether there is something to send, and the last of it has not been written.
        var isUnderway = false
        /// Bytes of the body that have been written.
        var offset: Int64 = 0
        /// Whether a part of a file is being read.
        var isReading = false
        /// Whether the server has to ask for the body first.
        var awaitsContinue = false
        /// Writes of the body that the socket has not taken yet.
        var pendingWrites = 0
        /// What is left of the part that the closure has written last.
        var rest: ArraySlice<UInt8> = []
        /// Whether parts are being written: what a flush sets off must not begin to write, too.
        var isPumping = false
    }

    /// One TLS record's worth: head and body up to this size go out in one write.
    static let smallBody = 16 * 1024
    /// The size of the parts in which larger bodies are sent.
    static let partSize = 64 * 1024
    /// How long a body waits to be asked for; curl's value. RFC 9110, 10.1.1: not indefinitely.
    static let continueTimeout = TimeAmount.seconds(1)

    func sendHead(_ exchange: Exchange, context: ChannelHandlerContext) {
        let request = exchange.request
        var smallBody: [UInt8]?
        if case .bytes(let bytes) = request.body, bytes.count <= Self.smallBody, !request.expectsContinue {
            smallBody = bytes
        }
        var buffer = context.channel.allocator.buffer(capacity: request.head.count + (smallBody?.count ?? 0))
        buffer.writeBytes(request.head)
        if let bytes = smallBody {
            buffer.writeBytes(bytes)
            write(buffer, bodyBytes: Int64(bytes.count), exchange, context: context)
            context.flush()
            return
        }
        if request.body.isAbsent {
            machine.requestEnded()
            context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
            return
        }
        upload = UploadState(isUnderway: true, awaitsContinue: request.expectsContinue)
        context.write(wrapOutboundOut(buffer), promise: nil)
        if request.expectsContinue {
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.continueTimeout) { [self] in
                if self.exchange === exchange { bodyIsAskedFor() }
            }
        }
        pump()
        context.flush()
    }

    /// The server has asked for the body, or has kept silent for long enough: many never ask.
    func bodyIsAskedFor() {
        guard upload.awaitsContinue else { return }
        upload.awaitsContinue = false
        pump()
    }

    /// The closure that writes the body has something.
    func bodyReady(_ exchange: Exchange) {
        guard self.exchange === exchange else { return }
        pump()
    }

    /// Writes parts of the body as long as the socket takes them.
    ///
    /// Each is flushed by itself: TLS keeps what is not flushed, and only what it has handed on counts against the socket's
    /// high-water mark. Without that a large body would be in memory twice, with no idea how much of it is sent.
    func pump() {
        guard let exchange, let context, !upload.isPumping else { return }
        upload.isPumping = true
        // Whatever a flush sets off may end the exchange, and begin the next.
        while self.exchange === exchange, upload.isUnderway, !upload.awaitsContinue, context.channel.isWritable,
            let part = nextPart(of: exchange)
        {
            write(part, exchange, context: context)
            context.flush()
        }
        if self.exchange === exchange { upload.isPumping = false }
    }

    private enum Part {
        case bytes(ArraySlice<UInt8>)
        case end
    }

    /// The next part; `nil` where it has to be waited for.
    private func nextPart(of exchange: Exchange) -> Part? {
        switch exchange.request.body {
        case .absent:
            return .end
        case .bytes(let bytes):
            guard upload.offset < bytes.count else { return .end }
            return .bytes(bytes[Int(upload.offset)...].prefix(Self.partSize))
        case .file(let file, let range):
            let start = range.lowerBound + upload.offset
            guard start < range.upperBound else { return .end }
            if !upload.isReading { read(file, at: start, of: range, exchange) }
            return nil
        case .stream:
            if upload.rest.isEmpty {
                switch exchange.takeUpload() {
                case .part(let bytes): upload.rest = bytes[...]
                case .finished: return .end
                case .nothingYet: return nil
                }
            }
            let part = upload.rest.prefix(Self.partSize)
            upload.rest = upload.rest.dropFirst(part.count)
            return .bytes(part)
        }
    }

    private func write(_ part: Part, _ exchange: Exchange, context: ChannelHandlerContext) {
        let isChunked = exchange.request.body.length == nil
        switch part {
        case .bytes(let bytes):
            var buffer = context.channel.allocator.buffer(capacity: bytes.count + 16)
            if isChunked { buffer.writeString(String(bytes.count, radix: 16) + "\r\n") }
            buffer.writeBytes(bytes)
            if isChunked { buffer.writeString("\r\n") }
            upload.offset += Int64(bytes.count)
            write(buffer, bodyBytes: Int64(bytes.count), exchange, context: context)
        case .end:
            upload.isUnderway = false
            if isChunked {
                write(ByteBuffer(string: "0\r\n\r\n"), bodyBytes: 0, exchange, context: context)
            } else {
                endRequestIfSent()
            }
        }
    }

    private func write(
        _ buffer: ByteBuffer, bodyBytes: Int64, _ exchange: Exchange, context: ChannelHandlerContext
    ) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { [self] in
            guard self.exchange === exchange, let now = self.context?.eventLoop.now else { return }
            timer.progressed(at: now)
            progress.sent += bodyBytes
            upload.pendingWrites -= 1
            endRequestIfSent()
            if bodyBytes > 0 { reportProgress(exchange) }
        }
        upload.pendingWrites += 1
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    /// The request has ended when the socket has its last byte. While some of a body is still to go, a response does not
    /// make the connection free: the next request would stand behind bytes that the server may read as requests.
    private func endRequestIfSent() {
        if !upload.isUnderway, upload.pendingWrites == 0 { machine.requestEnded() }
    }

    private func read(_ file: FileReader, at offset: Int64, of range: Range<Int64>, _ exchange: Exchange) {
        guard let context else { return }
        upload.isReading = true
        file.readPart(at: offset, of: range, upTo: Self.partSize, on: context.eventLoop) { [self] result in
            guard self.exchange === exchange, let context = self.context else { return }
            upload.isReading = false
            switch result {
            case .success(let bytes):
                write(.bytes(bytes[...]), exchange, context: context)
                context.flush()
                pump()
            case .failure(let error): fail(error)
            }
        }
    }
}
