#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTransport
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

    override func invalidateAndCancel() { invalidate { super.invalidateAndCancel() } }

    override func finishTasksAndInvalidate() { invalidate { super.finishTasksAndInvalidate() } }

    private func invalidate(_ end: () -> Void) {
        isValid.withLock { isValid in
            isValid = false
            bridge.invalidate()
            end()
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
#endif
