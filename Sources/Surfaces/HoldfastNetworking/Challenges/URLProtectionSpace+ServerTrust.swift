#if canImport(FoundationNetworking)
public import FoundationNetworking
public import HoldfastTrust

/// The authentication method of challenges about a server's certificates. FoundationNetworking has the name but marks it
/// unavailable; this one, of the same value as on Apple platforms, is found in its stead.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    /// The chain that the server presented, in a challenge that Holdfast made; `nil` for every other protection space.
    public var serverTrust: ServerTrust? { (self as? ServerTrustProtectionSpace)?.trust }
}
#endif
