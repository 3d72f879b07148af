public import HoldfastTrust

/// Alamofire's evaluator: returning accepts the server, throwing refuses it.
///
/// Off Apple platforms Alamofire's protocol is empty and is never asked. This one is the same on every platform; to have
/// connections judged by it, see ``HoldfastTrust/TrustContext/serverTrustManager(_:anchors:dangerouslyReplacingSystemTrust:)``.
public protocol ServerTrustEvaluating: Sendable {
    /// Returns if the server may be talked to, throws if not. Called from any thread.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}
