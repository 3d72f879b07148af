import HTTPTypes
import NIOCore
import NIOHTTP1

/// Answers the requests of one connection, one after another.
final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let number: Int
    private let record: LoopbackRecord
    private var request: LoopbackRequest?
    private var keepsAlive = true
    /// Answers that wait for an earlier one.
    private var waiting: [(answer: LoopbackAnswer, isHead: Bool, keepsAlive: Bool)] = []
    private var isAnswering = false
    /// Whether the server ignores everything else that the client sends.
    private var isOver = false

    init(_ number: Int, _ record: LoopbackRecord) {
        self.number = number
        self.record = record
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            keepsAlive = head.isKeepAlive
            request = LoopbackRequest(
                connection: number, method: head.method.rawValue, target: head.uri,
                fields: head.headers.reduce(into: HTTPFields()) { fields, field in
                    guard let name = HTTPField.Name(field.name) else { return }
                    fields.append(HTTPField(name: name, value: field.value))
                })
            if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
                context.writeAndFlush(
                    wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
            }
        case .body(let part):
            request?.body.append(contentsOf: part.readableBytesView)
            guard let size = request?.body.count, size > record.configuration.maximumRequestBytes else { return }
            request = nil
            isOver = true
            let refusal = LoopbackAnswer("The request is too large.", status: 413, ending: .close)
            waiting.append((answer: refusal, isHead: false, keepsAlive: false))
            answerNext(context: context)
        case .end:
            guard let request else { return }
            self.request = nil
            waiting.append(
                (answer: record.answer(to: request), isHead: request.method == "HEAD", keepsAlive: keepsAlive))
            answerNext(context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answerNext(context: ChannelHandlerContext) {
        guard !isAnswering, !waiting.isEmpty else { return }
        isAnswering = true
        let (answer, isHead, keepsAlive) = waiting.removeFirst()
        guard let gate = answer.gate else { return send(answer, isHead, keepsAlive, context: context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        gate.whenOpen {
            loop.execute {
                let (handler, context) = bound.value
                handler.send(answer, isHead, keepsAlive, context: context)
            }
        }
    }

    private func send(
        _ answer: LoopbackAnswer, _ isHead: Bool, _ keepsAlive: Bool, context: ChannelHandlerContext
    ) {
        guard answer.ending != .silence else {
            isOver = true
            waiting = []
            return
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        switch answer.ending {
        case .keepAlive where keepsAlive: break
        case .keepAlive, .close, .silence:
            isOver = true
            written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        case .cut, .reset:
            isOver = true
            let resets = if case .reset = answer.ending { true } else { false }
            written.futureResult.assumeIsolated().whenComplete { _ in context.channel.closeBelowTLS(resets: resets) }
        }
        let bytes = ByteBuffer(bytes: answer.bytes(omitsBody: isHead))
        context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
        guard case .keepAlive = answer.ending, keepsAlive else { return }
        isAnswering = false
        answerNext(context: context)
    }
}
