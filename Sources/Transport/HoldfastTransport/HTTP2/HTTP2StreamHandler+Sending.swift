import NIOCore
import NIOHPACK
import NIOHTTP2

extension HTTP2StreamHandler {
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
        /// Parts that the library has, and the socket has not.
        var pendingWrites = 0
        /// Whether it is one without a length, of which the end has not reached the socket.
        var isOpenEnded = false
        /// Whether the server answered where it should have asked for the body: it gets none.
        var isGivenUp = false
        /// Whether something of a body was taken that cannot be had again.
        var hasTakenStream = false
    }

    /// The size of the parts in which bodies are sent. The library cuts them to the server's frames and windows.
    static let partSize = 64 * 1024

    func sendHead(_ exchange: Exchange, context: ChannelHandlerContext) {
        let request = exchange.request
        let fields: HPACKHeaders
        do throws(TransportError) {
            fields = try HPACKHeaders(request)
        } catch {
            return fail(error)
        }
        hasBegun = true
        let isLast = request.body.isAbsent
        context.write(wrapOutboundOut(.headers(.init(headers: fields, endStream: isLast))), promise: nil)
        if !isLast {
            upload.isUnderway = true
            upload.awaitsContinue = request.expectsContinue
            if request.expectsContinue {
                context.eventLoop.assumeIsolated().scheduleTask(in: HTTP1Handler.continueTimeout) { [self] in
                    bodyIsAskedFor()
                }
            }
            writeParts(exchange, context: context)
        }
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

    /// Writes parts of the body as long as the stream takes them.
    func pump() {
        guard let exchange, let context, hasBegun else { return }
        if writeParts(exchange, context: context) { context.flush() }
    }

    /// Returns whether anything was written.
    @discardableResult
    private func writeParts(_ exchange: Exchange, context: ChannelHandlerContext) -> Bool {
        guard !upload.awaitsContinue else { return false }
        var hasWritten = false
        while upload.isUnderway, context.channel.isWritable, let part = nextPart(of: exchange) {
            hasWritten = true
            write(part.bytes, isLast: part.isLast, exchange, context: context)
        }
        return hasWritten
    }

    /// The next part; `nil` where it has to be waited for.
    private func nextPart(of exchange: Exchange) -> (bytes: ArraySlice<UInt8>, isLast: Bool)? {
        switch exchange.request.body {
        case .absent:
            return ([], true)
        case .bytes(let bytes):
            let part = bytes[Int(upload.offset)...].prefix(Self.partSize)
            return (part, part.endIndex == bytes.count)
        case .file(let file, let range):
            let start = range.lowerBound + upload.offset
            guard start < range.upperBound else { return ([], true) }
            if !upload.isReading { read(file, at: start, of: range, exchange) }
            return nil
        case .stream(let length):
            if length == nil, !beginOpenEnd() { return nil }
            switch exchange.takeUpload() {
            case .part(let bytes):
                upload.hasTakenStream = true
                // No empty frame follows where that can be avoided: see FrameGuard.openEnds.
                return (bytes[...], length == upload.offset + Int64(bytes.count))
            case .finished: return ([], true)
            case .nothingYet: return nil
            }
        }
    }

    /// A body without a length is sent once the server has said how large its windows are. Returns whether it has.
    private func beginOpenEnd() -> Bool {
        guard let connection, connection.hasSettings else { return false }
        if !upload.isOpenEnded {
            upload.isOpenEnded = true
            connection.countOpenEnds(1)
        }
        return true
    }

    /// The end of a body without a length has reached the socket, or nobody sends it any more.
    func endOpenEnd() {
        guard upload.isOpenEnded else { return }
        upload.isOpenEnded = false
        connection?.countOpenEnds(-1)
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, isLast: Bool, _ exchange: Exchange, context: ChannelHandlerContext
    ) {
        var buffer = context.channel.allocator.buffer(capacity: bytes.count)
        buffer.writeBytes(bytes)
        let count = Int64(bytes.count)
        upload.offset += count
        if isLast { upload.isUnderway = false }
        upload.pendingWrites += 1
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            upload.pendingWrites -= 1
            guard case .success = result, let exchange = self.exchange, let now = self.context?.eventLoop.now
            else { return }
            if isLast { endOpenEnd() }
            timer.progressed(at: now)
            progress.sent += count
            if count > 0 { reportProgress(exchange) }
        }
        context.write(wrapOutboundOut(.data(.init(data: .byteBuffer(buffer), endStream: isLast))), promise: promise)
    }

    private func read(_ file: FileReader, at offset: Int64, of range: Range<Int64>, _ exchange: Exchange) {
        guard let context else { return }
        upload.isReading = true
        file.readPart(at: offset, of: range, upTo: Self.partSize, on: context.eventLoop) { [self] result in
            guard self.exchange === exchange, let context = self.context else { return }
            upload.isReading = false
            switch result {
            case .success(let bytes):
                let isLast = offset + Int64(bytes.count) >= range.upperBound
                write(bytes[...], isLast: isLast, exchange, context: context)
                context.flush()
                pump()
            case .failure(let error): fail(error)
            }
        }
    }
}
