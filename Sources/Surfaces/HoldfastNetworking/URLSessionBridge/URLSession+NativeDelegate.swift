#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
import Logging

extension URLSession {
    /// Makes a native session, and logs a warning that its delegate is never asked about a server on Linux.
    ///
    /// FoundationNetworking verifies servers by the machine's roots alone: a delegate that pins does not pin, and one that accepts a
    /// self-signed server does not. `URLSession(pinnedBy:configuration:delegate:delegateQueue:)` makes a session that asks it.
    public convenience init(
        configuration: URLSessionConfiguration, delegate: any URLSessionDelegate, delegateQueue: OperationQueue?
    ) {
        NativeSession.logger.warning("\(NativeSession.hint)", metadata: ["delegate": "\(type(of: delegate))"])
        let delegate: (any URLSessionDelegate)? = delegate
        self.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }
}
#endif
