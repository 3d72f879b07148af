import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A server that uses NIOWebSocket only.
enum BareServer {
    /// Configures a new channel with a handler that returns frames.
    static func configure(_ channel: any Channel) throws {
        try upgradable(channel) { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(BareEcho()) }
        }.whenFailure { _ in channel.close(promise: nil) }
    }

    /// Configures a new channel with a task that returns frames.
    static func configureAsync(_ channel: any Channel) throws {
        let frames = try upgradable(channel) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(wrappingChannelSynchronously: channel)
            }
        }
        Task {  // reason: the task ends with its connection
            try? await frames.get().executeThenClose { inbound, outbound in
                for try await frame in inbound {
                    if let answer = BareEcho.answer(to: frame) { try await outbound.write(answer) }
                }
            }
        }
    }

    private static func upgradable<Value: Sendable>(
        _ channel: any Channel, _ open: @escaping @Sendable (any Channel) -> EventLoopFuture<Value>
    ) throws -> EventLoopFuture<Value> {
        let upgrader = NIOTypedWebSocketServerUpgrader<Value>(
            maxFrameSize: 16 << 20,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, _ in open(channel) })
        return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
            configuration: .init(
                upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                    upgraders: [upgrader],
                    notUpgradingCompletionHandler: { channel in
                        channel.eventLoop.makeFailedFuture(WrongEcho(what: "The client did not request an upgrade."))
                    })))
    }
}
