#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTransport

/// Stands between the tasks of a ``PinnedURLSession`` and Holdfast's client.
///
/// It claims every request of a session that has it, so that none goes over libcurl: what it cannot carry it refuses. It never
/// calls its client's challenge and redirect methods, which trap in FoundationNetworking.
final class PinnedURLProtocol: URLProtocol {
    private weak var load: PinnedLoad?

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canInit(with task: URLSessionTask) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Called on the task's work queue, once more each time that a suspended task is resumed.
    override func startLoading() {
        if let load { return load.setSuspended(false) }
        do {
            guard let task else { throw UnsupportedTaskError(.unknownSession) }
            let inside = URLSessionTaskReflection(task)
            guard let session = inside.session as? PinnedURLSession, let queue = inside.workQueue else {
                throw UnsupportedTaskError(.unknownSession)
            }
            // The kind first: it says more than that there is no record.
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

    /// Called on the task's work queue when the task is suspended, and when it is cancelled.
    override func stopLoading() {
        switch task?.state {
        // Running: it has been resumed since, and loading begins again after this.
        case .suspended?, .running?: return load?.setSuspended(true) ?? ()
        default: load?.stop()
        }
        if let task, let session = URLSessionTaskReflection(task).session as? PinnedURLSession {
            _ = session.bridge.takeBody(of: task.taskIdentifier)
        }
    }

    /// The body that goes along, or `nil` for the request's own. Throws for tasks that cannot be carried.
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
#endif
