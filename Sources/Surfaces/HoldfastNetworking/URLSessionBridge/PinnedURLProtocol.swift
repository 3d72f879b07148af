#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTransport

/// Connects the tasks of a ``PinnedURLSession`` with Holdfast's client.
///
/// The protocol handles every request of a pinned session, so that none goes over libcurl; it refuses requests that it
/// cannot send. It never calls its client's challenge and redirect methods, which trap in FoundationNetworking.
final class PinnedURLProtocol: URLProtocol {
    private weak var load: PinnedLoad?

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canInit(with task: URLSessionTask) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Starts loading. Called on the task's work queue, and again each time a suspended task is resumed.
    override func startLoading() {
        if let load { return load.setSuspended(false) }
        do {
            guard let task else { throw UnsupportedTaskError(.unknownSession) }
            let inside = URLSessionTaskReflection(task)
            guard let session = inside.session as? PinnedURLSession, let queue = inside.workQueue else {
                throw UnsupportedTaskError(.unknownSession)
            }
            // The task kind is checked first, because its error is more specific than a missing record.
            let body = try self.body(of: task, session)
            guard inside.isKnown else { throw UnsupportedTaskError(.other) }
            let load = PinnedLoad(
                self, queue: queue, delivery: inside.completesOnce ? .whole : .parts,
                PinnedRequest(
                    bridge: session.bridge,
                    asker: ChallengeAsker(
                        session: session, task: task, delegate: session.delegate, ownDelegate: inside.delegate),
                    request: request, body: body))
            self.load = load
            load.start()
        } catch {
            client?.urlProtocol(self, didFailWithError: URLError(bridging: error, url: request.url))
        }
    }

    /// Stops loading. Called on the task's work queue when the task is suspended or cancelled.
    override func stopLoading() {
        switch task?.state {
        // Running: the task was resumed in the meantime, and loading starts again after this call.
        case .suspended?, .running?: return load?.setSuspended(true) ?? ()
        default: load?.stop()
        }
        if let task, let session = URLSessionTaskReflection(task).session as? PinnedURLSession {
            _ = session.bridge.takeBody(of: task.taskIdentifier)
        }
    }

    /// Returns the body of an upload, or `nil` for the request's own body. Throws for tasks that are not supported.
    private func body(of task: URLSessionTask, _ session: PinnedURLSession) throws(UnsupportedTaskError) -> HTTPBody? {
        switch task {
        case is URLSessionUploadTask:
            guard let body = session.bridge.takeBody(of: task.taskIdentifier) else {
                throw UnsupportedTaskError(.uploadBody)
            }
            return body
        case is URLSessionDataTask: return nil
        case is URLSessionDownloadTask: throw UnsupportedTaskError(.download)
        case is URLSessionWebSocketTask: throw UnsupportedTaskError(.webSocket)
        default: throw UnsupportedTaskError(.other)
        }
    }
}

/// An error for a task of a pinned session that Holdfast's client does not support. Nothing was sent.
///
/// - Remedy: Use the named function of Holdfast instead.
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
