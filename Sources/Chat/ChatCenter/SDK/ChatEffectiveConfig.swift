public import ChatCenterCore

/// The settings in force.
public struct ChatEffectiveConfig: Hashable, Sendable {
    /// What the server may decide, each value with its origin.
    public let values: EffectiveConfiguration
    /// What decides whether a server is trusted.
    public let security: ChatConnectionSecurity
    /// ``HTTPConfig/connectionTimeout``, clamped.
    public let restTimeout: Duration
    /// ``HTTPConfig/downloadTimeout``, clamped.
    public let downloadTimeout: Duration
    /// ``HTTPConfig/uploadTimeout`` as the idle time-out of an upload, clamped.
    public let uploadIdleTimeout: Duration
    /// What an upload may take in total: ``HTTPConfig/uploadTotalTimeout`` or ``HTTPConfig/uploadTimeout``, clamped.
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
