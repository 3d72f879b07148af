import HoldfastNIO
import HoldfastTrust
import NIOCore

extension NetworkDialler {
    /// The destination of the socket of a dial.
    struct Route: Sendable {
        /// The host to connect to: the server's address or the proxy's.
        var host: String
        var port: UInt16
        /// The proxy that connects to the server, if any.
        var proxy: ProxyServer?
    }

    /// Returns the host of the socket as a dial target, for errors about hosts that could not be reached.
    static func firstHop(of route: Route, to target: DialTarget) -> DialTarget {
        if let proxy = route.proxy { return DialTarget(host: proxy.host, port: proxy.port, security: .plain) }
        guard let address = target.variation?.address else { return target }
        return DialTarget(host: address.host, port: target.connectPort, security: .plain)
    }

    /// Returns the host to connect to for a target: the address of the request, the override of the configuration, or
    /// the target's own host.
    func address(of target: DialTarget) throws(TransportError) -> String {
        if let address = target.variation?.address { return address.host.text }
        return try overrides.address(for: target.host)
    }

    /// Returns the route to a target whose own address is `address`.
    func route(to target: DialTarget, address: String) throws(TransportError) -> Route {
        guard
            let proxy = configuration.proxies.proxy(
                for: target.host, port: target.port, isSecure: target.isSecure)
        else { return Route(host: address, port: target.connectPort) }
        return Route(host: try overrides.address(for: proxy.host), port: proxy.port, proxy: proxy)
    }

    /// Asks the proxy, if there is one, to connect to the target. Must be called on the event loop. Fails with a
    /// ``TransportError``.
    ///
    /// The proxy resolves the name, unless the request or an override provides an address. Bytes after the proxy's
    /// response fail the dial; anything that the proxy sends later reaches the TLS handler of the server's connection.
    func pass(
        _ route: Route, _ channel: any Channel, to target: DialTarget, address: String, deadlines: DialDeadlines
    ) -> EventLoopFuture<Void> {
        guard let proxy = route.proxy else { return channel.eventLoop.makeSucceededVoidFuture() }
        let isReady: EventLoopFuture<Void>
        let dialogue: any ProxyDialogue
        do {
            dialogue = proxy.dialogue(with: try CanonicalHost(address), port: target.connectPort)
            if proxy.kind == .https {
                // Pins and the client certificate apply only to the server behind the proxy.
                let tls = try PinnedTLSHandlerFactory(
                    trust: .system(anchors: configuration.proxyAnchors), applicationProtocols: ["http/1.1"],
                    clock: configuration.clock, deadline: deadlines.tls, metrics: instruments.proxyTLS)
                isReady = try tls.addHandlers(
                    to: channel.pipeline.syncOperations, host: proxy.host, port: proxy.port
                ).outcome.map { _ in }
            } else {
                isReady = channel.eventLoop.makeSucceededVoidFuture()
            }
            try channel.syncOptions?.setOption(.autoRead, value: true)
        } catch {
            channel.cut()
            return channel.eventLoop.makeFailedFuture(TransportError(proxy: proxy, error))
        }
        return isReady.flatMap {
            let promise = channel.eventLoop.makePromise(of: Void.self)
            let handler = ProxyHandler(dialogue, deadline: deadlines.proxy, outcome: promise)
            do {
                try channel.pipeline.syncOperations.addHandler(handler)
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }.flatMapErrorThrowing { error in
            throw TransportError(proxy: proxy, error)
        }
    }
}
