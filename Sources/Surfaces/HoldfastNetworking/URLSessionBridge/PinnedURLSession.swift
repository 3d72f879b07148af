#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
public import HoldfastTransport
public import Logging
import Synchronization

/// A session whose tasks go over Holdfast's pinned client. What it knows is in the session itself, so that nothing is kept
/// once the session is gone.
///
/// Made by `URLSession(pinnedBy:configuration:delegate:delegateQueue:)`.
final class PinnedURLSession: URLSession, @unchecked Sendable {  // reason: URLSession is, and constants are added
    let bridge: SessionBridge
    /// Nothing that FoundationNetworking does on the session's work queue takes this lock.
    private let isValid = Mutex(true)

    init(
        _ bridge: SessionBridge, configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) {
        self.bridge = bridge
        super.init(
            configuration: SessionBridge.native(configuration), delegate: delegate, delegateQueue: delegateQueue)
    }

    /// A copy, for every reader: FoundationNetworking reads the protocol classes here when a task begins, and whoever could
    /// change them would send it over libcurl, unpinned.
    override var configuration: URLSessionConfiguration { SessionBridge.native(super.configuration) }

    // MARK: Uploads whose body can be kept

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

    /// A task does not start before its caller has it: by then the body is here.
    private func keep(_ body: HTTPBody, for task: URLSessionUploadTask) -> URLSessionUploadTask {
        bridge.keep(body, for: task.taskIdentifier)
        return task
    }

    // MARK: Downloads with resume data

    // FoundationNetworking enters its own task of this kind into the session on another queue than it resumes it on, and traps
    // where the second comes first. These are refused as every download task is; the address stands for none.

    override func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        super.downloadTask(with: URLRequest(url: URL(fileURLWithPath: "/")))
    }

    override func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        super.downloadTask(with: URLRequest(url: URL(fileURLWithPath: "/")), completionHandler: completionHandler)
    }

    // MARK: The end

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

    /// The delegate, read where FoundationNetworking drops it.
    var currentDelegate: (any URLSessionDelegate)? {
        get async {
            await withCheckedContinuation { continuation in
                delegateQueue.addOperation { continuation.resume(returning: self.delegate) }
            }
        }
    }

    /// A task that is never resumed, for transfers that FoundationNetworking has no tasks for: delegates are shown it. It has
    /// to be cancelled in the end, and `onEnd` is called then. An invalidated session would trap.
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

/// What a pinned session may want beside what `URLSessionConfiguration` says.
public struct PinnedSessionOptions: Sendable {
    /// Proxies, time-outs of connecting, limits and the like. Its `trust` and `maximumConnectionsPerHost` are not looked at:
    /// those are the session's.
    public var transport: TransportConfiguration
    /// The largest body that a task with a completion handler takes; a larger one fails with `responseTooLarge`. 64 MiB by
    /// default. Delegates get bodies in parts, and this limit does not hold for those; the ones of `Decompression` do.
    public var maximumResponseBytes: Int
    /// Which redirects are followed, before the delegate is asked about them: ten at most by default. Fields of your own that
    /// carry a credential have to be named here, or they go along to another origin; see `RedirectPolicy`.
    public var redirects: RedirectPolicy
    /// Where connections, refusals and delegates that take the place of the system verification are logged.
    public var logger: Logger?

    /// Makes options.
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

/// A task of a pinned session cannot be carried by Holdfast's client. Nothing was sent.
public struct UnsupportedTaskError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it is about the task.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A download task: FoundationNetworking has no way to be given the file. `session.holdfastDownload` stands in.
        case download
        /// An upload whose body FoundationNetworking does not show: `upload(for:from:)`, a streamed one.
        /// `session.holdfastUpload`, and `uploadTask(with:from:)`, stand in.
        case uploadBody
        /// A WebSocket task. `WebSocketClient` of HoldfastWebSocket stands in.
        case webSocket
        /// A task of another kind, or one whose delegate cannot be told: it is not among its session's tasks.
        case other
        /// The session is none of `URLSession(pinnedBy:)`: it has the configuration of one, and nothing of its trust.
        case unknownSession
        /// The session was invalidated.
        case invalidatedSession
    }

    /// What it is about the task.
    public var kind: Kind

    /// Makes the error.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    public var description: String {
        switch kind {
        case .download: "A pinned session has no download tasks on this platform. Use session.holdfastDownload."
        case .uploadBody:
            "The body of this upload cannot be read on this platform. Use uploadTask(with:from:) or session.holdfastUpload."
        case .webSocket:
            "A pinned session has no WebSocket tasks on this platform. Use HoldfastWebSocket's WebSocketClient."
        case .other: "A pinned session cannot carry a task of this kind."
        case .unknownSession:
            "This session was not made by init(pinnedBy:), so that nothing is known that could judge a server."
        case .invalidatedSession: "The session was invalidated."
        }
    }
}
#endif
