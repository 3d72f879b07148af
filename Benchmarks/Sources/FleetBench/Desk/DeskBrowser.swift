import Foundation
import NIOCore
import NIOPosix

/// A person who has signed in to the desk, on one keep-alive connection. Calls block the calling thread.
final class DeskBrowser {
    private let channel: any Channel
    private let responses: NIOLoopBound<ResponseHandler>
    private let port: Int
    private var cookies: [String: String] = [:]

    init(port: Int) throws {
        self.port = port
        (channel, responses) = try ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: port)
            .flatMapThrowing { channel in
                let handler = ResponseHandler()
                try channel.pipeline.syncOperations.addHandler(handler)
                return (channel, NIOLoopBound(handler, eventLoop: channel.eventLoop))
            }.wait()
    }

    func close() { try? channel.close().wait() }

    /// Signs in with the readers' token.
    func signIn() throws {
        let form = try get("/desk/sign-in")
        let page = String(buffer: form.body)
        guard let start = page.range(of: "name=\"form\" value=\""),
            let end = page[start.upperBound...].firstIndex(of: "\"")
        else { throw BenchFailure("the sign-in page has no form") }
        let token = page[start.upperBound..<end]
        let body = "form=\(token)&name=Bench&token=\(CollectorProcess.token)"
        let answer = try send(
            "POST", "/desk/sign-in", "Content-Type: application/x-www-form-urlencoded\r\n", body: body)
        guard answer.status == 303 else { throw BenchFailure("the desk refused the token (\(answer.status))") }
    }

    /// Returns a page.
    ///
    /// - Throws: ``BenchFailure`` for a status other than 200.
    func get(_ path: String) throws -> RawResponse {
        let authorization = path.hasPrefix("/desk") ? "" : "Authorization: Bearer \(CollectorProcess.token)\r\n"
        let response = try send("GET", path, authorization)
        guard response.status == 200 else {
            throw BenchFailure("\(path) was answered with \(response.status): \(String(buffer: response.body))")
        }
        return response
    }

    private func send(_ method: String, _ path: String, _ fields: String, body: String = "") throws -> RawResponse {
        let jar = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let length = method == "POST" ? "Content-Length: \(body.utf8.count)\r\n" : ""
        let text = """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            \(fields)\(length)\(jar.isEmpty ? "" : "Cookie: \(jar)\r\n")\r
            \(body)
            """
        let (channel, responses) = (channel, responses)
        let response = try channel.eventLoop.flatSubmit {
            let promise = channel.eventLoop.makePromise(of: RawResponse.self)
            responses.value.next = promise
            channel.writeAndFlush(ByteBuffer(string: text)).whenFailure { promise.fail($0) }
            return promise.futureResult
        }.wait()
        for line in response.values("Set-Cookie") {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            if let name = pair.first { cookies[name] = pair.count == 2 ? pair[1] : nil }
        }
        return response
    }
}

/// Completes one promise with each response.
private final class ResponseHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var next: EventLoopPromise<RawResponse>?
    private var received = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        do {
            guard let response = try RawResponse.take(from: &received) else { return }
            next?.succeed(response)
            next = nil
        } catch {
            errorCaught(context: context, error: error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        errorCaught(context: context, error: ChannelError.eof)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        next?.fail(error)
        next = nil
        context.close(promise: nil)
    }
}
