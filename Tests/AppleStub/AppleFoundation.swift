// Foundation as code for Apple platforms imports it: with the URL loading system, which is a module of its own on
// Linux, and with the members that only Apple's Foundation has, as far as Holdfast uses them. `scripts/check-apple.sh`
// has the code import this module in the place of Foundation. Nothing here is ever run.

@_exported import Dispatch  // reason: Apple's Foundation brings it along
@_exported import Foundation  // reason: a stub of Foundation stands for the whole module
@_exported import FoundationNetworking  // reason: a part of Apple's Foundation
@_exported public import Security  // reason: Apple's Foundation brings it along

extension ProcessInfo {
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}

extension URL {
    public func startAccessingSecurityScopedResource() -> Bool { false }
    public func stopAccessingSecurityScopedResource() {}
}

extension URLSessionConfiguration {
    public var waitsForConnectivity: Bool { false }
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t { .TLSv12 }
    public var allowsExpensiveNetworkAccess: Bool { true }
    public var allowsConstrainedNetworkAccess: Bool { true }
    public var requiresDNSSECValidation: Bool { false }
}

extension URLRequest {
    public var allowsExpensiveNetworkAccess: Bool { true }
    public var allowsConstrainedNetworkAccess: Bool { true }
    public var assumesHTTP3Capable: Bool { false }
    public var requiresDNSSECValidation: Bool { false }
}

public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) {
        self.init(user: "", password: "", persistence: .none)
    }
}
