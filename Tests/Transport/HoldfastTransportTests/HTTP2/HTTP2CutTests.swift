import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// HTTP/2 connections that are cut at any byte, or whose bytes arrive in pieces.
@Suite(.timeLimit(.minutes(5))) struct HTTP2CutTests {
    private static let answer: [RawHTTP2Frame] = [
        .settings([(3, 100)]), .settingsAck, .head(1, [(":status", "103"), ("link", "x")]),
        .head(1, [(":status", "200"), ("content-length", "11")]), .data(1, Array("hello ".utf8)), .ping,
        .data(1, Array("world".utf8)), .head(1, [("x-sum", "1")], ends: true),
    ]

    /// Cut at any byte, the response is an error, and the request is not sent again. Without a cut it is complete.
    ///
    /// The request's number selects the cut, because a request can use more than one connection: if the first one ends
    /// before anything of the request is sent, the client sends it on another.
    @Test func cutAtEveryByteItIsAnError() async throws {
        let length = Self.answer.flatMap(\.bytes).count
        try await FrameServer.with(first: []) { _, _ in
            Self.answer
        } _: { server in
            let request = Mutex(0)
            let proxy = try await FaultProxy.start(to: server.port) { _ in
                let number = request.withLock(\.self)
                return FaultPlan(toClient: [InjectedFault(number % 2 == 0 ? .close : .reset, after: number / 2)])
            }
            let client = FrameServer.client { $0.keepAlive = .zero }
            for number in 0..<(2 * length) {
                request.withLock { $0 = number }
                let error = try await transportError {
                    let answer = try await client.collect(.plain(.post, port: proxy.port), upTo: 99)
                    Issue.record("accepted after a cut at byte \(number / 2) of \(length): \(answer.text)")
                }
                // A reset before the first byte can make the connection attempt fail.
                let isCut = error.code == .connectionClosed || number == 1 && error.code == .connectionRefused
                #expect(isCut, "cut after \(number / 2): \(error)")
            }
            request.withLock { $0 = 2 * length }
            let answer = try await client.collect(.plain(.post, port: proxy.port), upTo: 99)
            #expect(answer.text == "hello world")
            #expect(answer.trailers?.first?.value == "1")
            // The connections of the first two requests end before they carry anything to the server.
            #expect(server.frames.count(where: \.isHead) == 2 * length - 1)
            try await proxy.stop()
        }
    }

    /// The segmentation does not change the response, and informational responses are reported.
    @Test(arguments: [1, 2, 3, 5, 8, 9, 10, 13, 21, 34])
    func inPiecesItIsUnchanged(size: Int) async throws {
        let seen = Mutex<[Int]>([])
        let options = RequestOptions(onInformational: { head in seen.withLock { $0.append(head.status.code) } })
        var settings = ScriptedServer.Settings(version: .http2)
        settings.firstFrames = []
        settings.pieces = size
        settings.onFrame = { $1.endsStream ? Self.answer : [] }
        try await ScriptedServer.with(settings) { server in
            let client = FrameServer.client()
            let answer = try await client.collect(.plain(port: server.port), upTo: 99, options: options)
            #expect(answer.text == "hello world")
            #expect(seen.withLock { $0 } == [103])
        }
    }
}
