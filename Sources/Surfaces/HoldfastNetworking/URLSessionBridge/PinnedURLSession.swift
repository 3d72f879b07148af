#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTransport
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
#endif
