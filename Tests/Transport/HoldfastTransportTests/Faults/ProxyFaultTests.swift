import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Faults in the dialogue with a proxy: the server behind it receives nothing, and the error names the proxy.
@Suite struct ProxyFaultTests {
    private static let host = "proxy.example.net"
    private static let connectReply = Array("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n".utf8)
    private static let socksReply: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    private static func steps(_ kind: ProxyServer.Kind, to port: UInt16) -> [ScriptedProxyStep] {
        guard kind == .socks5 else { return [.awaitHead, .send(connectReply), .tunnel(to: port)] }
        return [
            .await(3), .send([5, 0]), .await(7 + PinnedWorld.host.utf8.count), .send(socksReply), .tunnel(to: port),
        ]
    }

    /// The bytes that the proxy sends in the dialogue.
    private static func length(_ kind: ProxyServer.Kind) -> Int {
        kind == .socks5 ? 2 + socksReply.count : connectReply.count
    }

    /// Sends a request to a server behind a proxy, with a fault between client and proxy.
    private func request(
        _ kind: ProxyServer.Kind, _ plan: FaultPlan, _ world: PinnedWorld, timeout: Duration = .seconds(30)
    ) async throws -> (Result<String, TransportError>, requests: Int) {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("through")]
        } _: { server in
            try await ScriptedProxy.with(Self.steps(kind, to: server.port)) { proxy in
                try await FaultProxy.with(to: proxy.port, plan: { _ in plan }) { between in
                    var configuration = TransportConfiguration(
                        trust: world.trust, clock: .fixed(world.factory.now), hostOverrides: [Self.host: "127.0.0.1"])
                    configuration.proxyTimeout = timeout
                    configuration.proxies = .server(
                        try ProxyServer(kind, host: CanonicalHost(Self.host), port: between.port))
                    let client = HTTPClient(configuration: configuration)
                    let result: Result<String, TransportError>
                    do {
                        result = .success(try await client.collect(HTTPRequest(.post, port: 8443), upTo: 99).text)
                    } catch let error as TransportError {
                        result = .failure(error)
                    }
                    await client.shutdown()
                    #expect(client.live.isEmpty && client.freeConnections == TransportLimits().connections)
                    #expect(between.connectionCount == 1)
                    return (result, server.requests.count)
                }
            }
        }
    }

    @Test(arguments: [ProxyServer.Kind.http, .socks5])
    func cutAnywhereInTheReply(kind: ProxyServer.Kind) async throws {
        let world = try PinnedWorld()
        let kinds: [InjectedFault.Kind] = [.close, .reset, .halfClose]
        for offset in 1..<Self.length(kind) {
            let plan = FaultPlan(toClient: [InjectedFault(kinds[offset % 3], after: offset)])
            let (result, requests) = try await request(kind, plan, world)
            guard case .failure(let error) = result else {
                Issue.record("cut after \(offset): \(result)")
                continue
            }
            #expect(error.code == .proxyFailed && error.phase == .proxy, "cut after \(offset): \(error)")
            #expect(error.proxy?.code == .closed)
            #expect(requests == 0)
        }
        // The first byte after the reply belongs to the server's handshake.
        let plan = FaultPlan(toClient: [InjectedFault(.close, after: Self.length(kind) + 1)])
        guard case (.failure(let error), 0) = try await request(kind, plan, world) else {
            Issue.record("not cut")
            return
        }
        #expect(error.code == .tlsHandshakeFailed && error.phase == .tls && error.proxy == nil)
    }

    /// A bit that is flipped or a byte that is repeated anywhere in the reply causes the proxy's error. If it does not
    /// matter (a letter of the reason phrase), the result is the server's response.
    @Test(arguments: [ProxyServer.Kind.http, .socks5])
    func changedAnywhereInTheReply(kind: ProxyServer.Kind) async throws {
        let world = try PinnedWorld()
        var failures = 0
        for offset in 0..<Self.length(kind) {
            let fault = offset % 2 == 0 ? InjectedFault.Kind.corrupt(0x01) : .duplicate(1)
            let plan = FaultPlan(toClient: [InjectedFault(fault, after: offset)])
            // A reply without its last line feed is incomplete, so the client waits.
            let (result, requests) = try await request(kind, plan, world, timeout: .milliseconds(500))
            switch result {
            case .success(let text):
                #expect(text == "through")
                #expect(requests == 1)
            case .failure(let error):
                failures += 1
                #expect(requests == 0, "\(offset): \(error)")
                #expect([.proxyFailed, .tlsHandshakeFailed, .timedOut].contains(error.code), "\(offset): \(error)")
            }
        }
        #expect(failures >= (kind == .socks5 ? 5 : 15))
    }

    /// Sent byte by byte, the dialogue has the same result. It has its own deadline.
    @Test(arguments: [ProxyServer.Kind.http, .socks5])
    func byteByByte(kind: ProxyServer.Kind) async throws {
        let world = try PinnedWorld()
        let (there, back) = (Turnstile(), Turnstile())
        there.open()
        back.open()
        let plan = FaultPlan(
            toClient: [InjectedFault(.drip(back), after: 0)], toServer: [InjectedFault(.drip(there), after: 0)])
        guard case (.success("through"), 1) = try await request(kind, plan, world) else {
            Issue.record("not through")
            return
        }
    }

    /// The request to the proxy is cut or changed in transfer.
    @Test(arguments: [InjectedFault.Kind.close, .reset, .halfClose], [1, 2, 10])
    func cutInTheRequest(fault: InjectedFault.Kind, offset: Int) async throws {
        let world = try PinnedWorld()
        let (result, requests) = try await request(
            .http, FaultPlan(toServer: [InjectedFault(fault, after: offset)]), world)
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code == .proxyFailed && error.phase == .proxy && error.proxy?.code == .closed, "\(error)")
        #expect(requests == 0)
    }
}
