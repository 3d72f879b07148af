import HoldfastNIO
import HoldfastTrust
import NIOCore

extension NetworkDialler {
    /// Where the socket of a dial leads.
    struct Route: Sendable {
        /// What is connected to: the server's address, or the proxy's.
        var host: String
        var port: UInt16
        /// The proxy that is asked to go on from there.
        var proxy: ProxyServer?

        /// The proxy, in the form in which errors of the network name what they could not reach.
        var firstHop: DialTarget? {
            proxy.map { DialTarget(host: $0.host, port: $0.port, security: .plain) }
        }
    }

    /// The way to a target whose own address is `address`.
    func route(to target: DialTarget, address: String) throws(TransportError) -> Route {
        guard
            let proxy = configuration.proxies.proxy(
                for: target.host, port: target.port, isSecure: target.isSecure)
        else { return Route(host: address, port: target.port) }
        return Route(host: try overrides.address(for: proxy.host), port: proxy.port, proxy: proxy)
    }

    /// On the event loop: has the proxy connect to the target, if there is one. Fails with a ``TransportError``.
    ///
    /// The proxy resolves the name, unless an override says which address to ask for. What the proxy sends behind its
    /// answer fails the dial; whatever it does later meets the server's TLS.
    func pass(
        _ route: Route, _ channel: any Channel, to target: DialTarget, address: String, deadlines: DialDeadlines
    ) -> EventLoopFuture<Void> {
        guard let proxy = route.proxy else { return channel.eventLoop.makeSucceededVoidFuture() }
        let isReady: EventLoopFuture<Void>
        let dialogue: any ProxyDialogue
        do {
            dialogue = proxy.dialogue(with: try CanonicalHost(address), port: target.port)
            if proxy.kind == .https {
                // Neither pins nor a client certificate: those are for the server behind it.
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
