package import HoldfastTransport
package import Logging
package import NIOCore

extension WebSocketConnection {
    /// What one end of a connection is made of.
    package struct Parts: Sendable {
        package var role: WebSocketRole
        package var settings: WebSocketSettings
        package var entropy: WebSocketEntropy
        package var subprotocol: String?
        package var facts: ConnectionFacts
        package var logger: Logger?

        package init(
            role: WebSocketRole, settings: WebSocketSettings, entropy: WebSocketEntropy, subprotocol: String?,
            facts: ConnectionFacts, logger: Logger?
        ) {
            self.role = role
            self.settings = settings
            self.entropy = entropy
            self.subprotocol = subprotocol
            self.facts = facts
            self.logger = logger
        }
    }

    /// Puts the handler into a channel's pipeline, from where on bytes are frames. On the channel's event loop.
    ///
    /// - Parameters:
    ///   - leftOver: Bytes that came behind the head of the upgrade.
    ///   - position: Where the handler goes; at the end if nothing is said.
    package static func install(
        on channel: any Channel, _ parts: Parts, leftOver: ByteBuffer? = nil,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws -> WebSocketConnection {
        let link = WebSocketLink(eventLoop: channel.eventLoop, limits: parts.settings.limits)
        let now = WebSocketInstant(nanoseconds: Int64(clamping: channel.eventLoop.now.uptimeNanoseconds))
        let handler = WebSocketChannelHandler(
            machine: WebSocketMachine(role: parts.role, settings: parts.settings, at: now),
            encoder: FrameEncoder(role: parts.role, entropy: parts.entropy), link: link, logger: parts.logger)
        try channel.pipeline.syncOperations.addHandler(handler, position: position)
        if let leftOver, leftOver.readableBytes > 0 {
            handler.receive(leftOver)
        }
        return WebSocketConnection(
            facts: parts.facts, subprotocol: parts.subprotocol,
            usesDeflate: parts.settings.deflate != nil, handle: WebSocketHandle(link: link))
    }
}
