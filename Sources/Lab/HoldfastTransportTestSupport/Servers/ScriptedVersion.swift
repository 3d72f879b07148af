/// The version of HTTP that a scripted server speaks. Scripts are written as HTTP/1.1 in either case.
public enum ScriptedVersion: Hashable, Sendable, CaseIterable {
    /// Byte by byte as the script says.
    case http1
    /// What the script says as frames: TLS servers have to agree to `h2` by ALPN, clients of others have to know.
    case http2
}
