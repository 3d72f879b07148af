#if !canImport(Security)
/// The name of a server's chain in code for Apple platforms. On other platforms it is Holdfast's ``ServerTrust``, so
/// that evaluators and delegates that use `SecTrust` compile unchanged.
///
/// Functions of Apple's Security framework that take a `SecTrust` do not exist here. They are not needed, because a
/// ``ServerTrust`` does not contain policies, anchors or a time that they could set.
public typealias SecTrust = ServerTrust

extension ServerTrust {
    /// Returns the trust object itself. On Apple platforms, the same initializer reads the certificates of a
    /// `SecTrust`.
    public init(_ trust: SecTrust) {
        self = trust
    }

    /// Returns the trust object itself. On Apple platforms, returns a new `SecTrust` with the policy for this host.
    package func platformTrust(forHost host: String) throws(TrustFinding) -> SecTrust { self }
}
#endif
