#if !canImport(Security)
/// The name under which code for Apple platforms knows a server's chain. Off these platforms it is Holdfast's
/// ``ServerTrust``, so that an evaluator or a delegate which names `SecTrust` compiles here as it is.
///
/// Functions of Apple's Security framework that take one do not exist here, and are not missed: a ``ServerTrust`` has no
/// policy, no anchors and no time that they could set.
public typealias SecTrust = ServerTrust

extension ServerTrust {
    /// The trust object itself. On Apple platforms the same initialiser reads the certificates of a `SecTrust`, so that
    /// code for both need not tell them apart.
    public init(_ trust: SecTrust) {
        self = trust
    }

    /// The trust object itself. On Apple platforms a fresh `SecTrust` of the certificates, with the policy for this host.
    package func platformTrust(forHost host: String) throws(TrustFinding) -> SecTrust { self }
}
#endif
