#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
public import HoldfastTransport
public import Logging
import Synchronization

/// A session whose tasks use Holdfast's pinned client. All its state is stored in the session, so nothing outlives it.
///
/// Made by `URLSession(pinnedBy:configuration:delegate:delegateQueue:)`.
final class PinnedURLSession: URLSession, @unchecked Sendable {  // reason: URLSession is; constants are added
    let bridge: SessionBridge
    /// FoundationNetworking's code on the session's work queue never takes this lock.
    private let isValid = Mutex(true)

    init(
        _ bridge: SessionBridge, configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) {
        self.bridge = bridge
        super.init(
            configuration: SessionBridge.native(configuration), delegate: delegate, delegateQueue: delegateQueue)
    }

    /// A new copy for every reader. FoundationNetworking reads the protocol classes here when a task starts. A caller
    /// that could change them could send tasks over libcurl, without pins.
    override var configuration: URLSessionConfiguration { SessionBridge.native(super.configuration) }

    // MARK: Uploads with a body in memory

    override func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        keep(.bytes(Array(bodyData)), for: super.uploadTask(with: request, from: bodyData))
    }

    override func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        keep(.file(path: fileURL.path), for: super.uploadTask(with: request, fromFile: fileURL))
    }

    override func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        // FoundationNetworking traps on a nil body.
        let body = bodyData ?? Data()
        return keep(
            .bytes(Array(body)),
            for: super.uploadTask(with: request, from: body, completionHandler: completionHandler))
    }

    override func uploadTask(
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        keep(
            .file(path: fileURL.path),
            for: super.uploadTask(with: request, fromFile: fileURL, completionHandler: completionHandler))
    }

    /// Stores the body of an upload. A task cannot start before its caller receives it, and the body is stored by then.
    private func keep(_ body: HTTPBody, for task: URLSessionUploadTask) -> URLSessionUploadTask {
        bridge.keep(body, for: task.taskIdentifier)
        return task
    }

    // MARK: Downloads with resume data

    // FoundationNetworking registers such a task on one queue and resumes it on another; it traps if the resumption
    // comes first. The URL is a placeholder: the task is refused like every download task.

    override func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        super.downloadTask(with: URLRequest(url: URL(fileURLWithPath: "/")))
    }

    override func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        super.downloadTask(with: URLRequest(url: URL(fileURLWithPath: "/")), completionHandler: completionHandler)
    }

    // MARK: Invalidation

    override func invalidateAndCancel() {
        isValid.withLock { isValid in
            isValid = false
            bridge.invalidate()
            super.invalidateAndCancel()
        }
    }

    override func finishTasksAndInvalidate() {
        isValid.withLock { isValid in
            isValid = false
            bridge.invalidate()
            super.finishTasksAndInvalidate()
        }
    }

    /// The current delegate, read on the queue on which FoundationNetworking releases it.
    var currentDelegate: (any URLSessionDelegate)? {
        get async {
            await withCheckedContinuation { continuation in
                delegateQueue.addOperation { continuation.resume(returning: self.delegate) }
            }
        }
    }

    /// Returns a task that is never resumed, for transfers that FoundationNetworking has no tasks for. Delegates
    /// receive it. Cancel it at the end; `onEnd` is then called. Throws for an invalidated session, which would trap.
    func placeholder(
        for request: URLRequest, onEnd: @escaping @Sendable () -> Void
    ) throws(UnsupportedTaskError) -> URLSessionTask {
        let task = isValid.withLock { isValid in
            isValid ? dataTask(with: request) { _, _, _ in onEnd() } : nil
        }
        guard let task else { throw UnsupportedTaskError(.invalidatedSession) }
        return task
    }
}

/// Options of a pinned session beyond `URLSessionConfiguration`.
public struct PinnedSessionOptions: Sendable {
    /// Proxies, connection timeouts and limits. Its `trust` and `maximumConnectionsPerHost` are ignored; the session's
    /// own values apply.
    public var transport: TransportConfiguration
    /// The maximum body size in bytes for tasks with a completion handler; a larger body fails with `responseTooLarge`.
    /// 64 MiB by default. The limit does not apply to delegates, which receive bodies in parts; the limits of
    /// `Decompression` do.
    public var maximumResponseBytes: Int
    /// The redirects that are followed, before the delegate is asked about them: at most ten by default. Name your own
    /// credential fields here; otherwise they are sent to other origins. See `RedirectPolicy`.
    public var redirects: RedirectPolicy
    /// Logs connections, refusals and delegates that replace the system verification.
    public var logger: Logger?

    /// Makes options. The parameters correspond to the properties.
    public init(
        transport: TransportConfiguration = TransportConfiguration(), maximumResponseBytes: Int = 64 * 1024 * 1024,
        redirects: RedirectPolicy = .follow(), logger: Logger? = nil
    ) {
        self.transport = transport
        self.maximumResponseBytes = maximumResponseBytes
        self.redirects = redirects
        self.logger = logger
    }
}

/// An error for a task of a pinned session that Holdfast's client does not support. Nothing was sent.
public struct UnsupportedTaskError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason why the task is not supported.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A download task: FoundationNetworking offers no way to supply the file. Use `session.holdfastDownload`.
        case download
        /// An upload whose body FoundationNetworking does not expose: `upload(for:from:)` or a streamed upload. Use
        /// `session.holdfastUpload` or `uploadTask(with:from:)`.
        case uploadBody
        /// A WebSocket task. Use `WebSocketClient` of HoldfastWebSocket.
        case webSocket
        /// A task of another kind, or a task whose delegate is unknown because its session has no record of it.
        case other
        /// The session has a pinned session's configuration, but was not made by `URLSession(pinnedBy:)`.
        case unknownSession
        /// The session was invalidated.
        case invalidatedSession
    }

    /// The reason why the task is not supported.
    public var kind: Kind

    /// Makes the error.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// A description with the supported alternative.
    public var description: String {
        switch kind {
        case .download:
            "A pinned session does not support download tasks on this platform. Use session.holdfastDownload."
        case .uploadBody:
            "This upload's body cannot be read on this platform. Use uploadTask(with:from:) or session.holdfastUpload."
        case .webSocket:
            "A pinned session does not support WebSocket tasks on this platform. Use HoldfastWebSocket instead."
        case .other: "A pinned session does not support tasks of this kind."
        case .unknownSession:
            "This session was not made by init(pinnedBy:), so it has no policy to verify a server with."
        case .invalidatedSession: "The session was invalidated."
        }
    }
}
#endif
