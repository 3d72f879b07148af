public import ChatCenterCore

/// The settings in effect.
public struct ChatEffectiveConfig: Hashable, Sendable {
    /// The settings that the server can override, each with its origin.
    public let values: EffectiveConfiguration
    /// The rule by which the SDK decides whether a server is trusted.
    public let security: ChatConnectionSecurity
    /// ``HTTPConfig/connectionTimeout``, clamped.
    public let restTimeout: Duration
    /// ``HTTPConfig/downloadTimeout``, clamped.
    public let downloadTimeout: Duration
    /// ``HTTPConfig/uploadTimeout`` as the idle timeout of an upload, clamped.
    public let uploadIdleTimeout: Duration
    /// The total timeout of an upload: ``HTTPConfig/uploadTotalTimeout`` or ``HTTPConfig/uploadTimeout``, clamped.
    public let uploadTotalTimeout: Duration
    /// ``WSConfig/connectionTimeout``, clamped.
    public let socketTimeout: Duration
    /// ``WSConfig/sendTimeout``, clamped.
    public let sendTimeout: Duration

    init(values: EffectiveConfiguration, security: ChatConnectionSecurity, timeouts: NetworkTimeouts) {
        self.values = values
        self.security = security
        restTimeout = timeouts.rest
        downloadTimeout = timeouts.download
        uploadIdleTimeout = timeouts.uploadIdle
        uploadTotalTimeout = timeouts.uploadTotal
        socketTimeout = timeouts.socket
        sendTimeout = timeouts.send
    }
}
