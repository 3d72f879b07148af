import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2
import NIOPosix
import NIOResumableUpload
import Synchronization

/// The resumable-upload server of swift-nio-extras, with an application that answers each upload with its length.
final class ResumableServer: Sendable {
    /// An upload as the application received it.
    struct Upload: Sendable {
        var path: String
        var fields: HTTPFields
        var body: [UInt8] = []
        var isComplete = false
    }

    let port: UInt16
    private let channel: any Channel
    private let storage: Storage

    fileprivate final class Storage: Sendable {
        let uploads = Mutex<[Upload]>([])
    }

    private init(port: UInt16, channel: any Channel, storage: Storage) {
        self.port = port
        self.channel = channel
        self.storage = storage
    }

    /// The uploads, in the order of their starts.
    var uploads: [Upload] { storage.uploads.withLock(\.self) }

    /// Runs `body` with a server.
    static func with<R: Sendable>(
        _ wire: Wire = .plain, _ world: PinnedWorld? = nil, _ body: @Sendable (ResumableServer) async throws -> R
    ) async throws -> R {
        let storage = Storage()
        // Without an origin the URLs of uploads are relative, because a proxy may be in front of the server.
        let context = HTTPResumableUploadContext(origin: "")
        var tls = world.flatMap { wire.server($0) }
        if wire == .http2 { tls?.applicationProtocols = ["h2"] }
        let library = try tls?.context()
        let addUploads: @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void = { pipeline in
            try pipeline.addHandler(
                HTTPResumableUploadHandler(context: context) { channel in
                    try? channel.pipeline.syncOperations.addHandler(Application(storage))
                })
        }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls, let library {
                        try pipeline.addHandlers([ReadingOn(), tls.handler(library)])
                    }
                    guard wire == .http2 else {
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: tls != nil))
                        return try addUploads(pipeline)
                    }
                    _ = try pipeline.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                            try addUploads(stream.pipeline.syncOperations)
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port.flatMap(UInt16.init) else { throw MissingError() }
        do {
            let result = try await body(ResumableServer(port: port, channel: channel, storage: storage))
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// Keeps reading. The upload handler holds back reads, but TLS needs them to read the rest of a record.
    private final class ReadingOn: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelReadComplete(context: ChannelHandlerContext) {
            context.fireChannelReadComplete()
            context.read()
        }
    }

    private final class Application: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundOut = HTTPResponsePart

        private let storage: Storage
        private var index: Int?

        init(_ storage: Storage) {
            self.storage = storage
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let request):
                guard request.method != .options else { return }
                index = storage.uploads.withLock { uploads in
                    uploads.append(Upload(path: request.path ?? "", fields: request.headerFields))
                    return uploads.count - 1
                }
            case .body(let part):
                guard let index else { return }
                storage.uploads.withLock { $0[index].body += Array(part.readableBytesView) }
            case .end:
                var length = 0
                if let index {
                    length = storage.uploads.withLock { uploads in
                        uploads[index].isComplete = true
                        return uploads[index].body.count
                    }
                }
                let text = "\(length)"
                let response = HTTPResponse(
                    status: .created, headerFields: [.contentLength: String(text.utf8.count)])
                context.write(wrapOutboundOut(.head(response)), promise: nil)
                context.write(wrapOutboundOut(.body(ByteBuffer(string: text))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
