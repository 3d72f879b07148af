public import ChatCenterCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The network settings of the chat: timeouts and pins.
///
/// A value type: the SDK keeps a copy, so later changes have no effect on it.
public struct ChatNetworkConfig: Hashable, Sendable {
    /// The timeouts of REST calls and file transfers.
    public var httpConfig: HTTPConfig
    /// The timeouts of the socket.
    public var wsConfig: WSConfig
    /// Which servers are trusted. Applies to every connection that the SDK opens: REST calls, file transfers and the
    /// socket.
    public var sslPinning: SSLPinningConfig

    /// Creates the settings. The defaults are the documented ones, without pins.
    public init(
        httpConfig: HTTPConfig = .init(), wsConfig: WSConfig = .init(), sslPinning: SSLPinningConfig = .init()
    ) {
        self.httpConfig = httpConfig
        self.wsConfig = wsConfig
        self.sslPinning = sslPinning
    }
}

/// The timeouts of REST calls and file transfers, in seconds.
///
/// An unusable number (not a number, zero, negative, infinite) is clamped to between one millisecond and 365 days, and
/// the SDK logs this.
public struct HTTPConfig: Hashable, Sendable {
    /// The idle timeout of a REST call in seconds: the longest time without any data, including connecting. 30 by
    /// default.
    ///
    /// The socket has its own timeout, ``WSConfig/connectionTimeout``.
    public var connectionTimeout: TimeInterval
    /// The idle timeout of a download in seconds. 30 by default.
    public var downloadTimeout: TimeInterval
    /// The minimum number of bytes that a download must receive in each minute, and in each partial response of the
    /// server. Up to sixteen smaller partial responses in a row are accepted.
    ///
    /// A slower download fails, and continues from there at the next attempt. 4096 by default; 0 disables the minimum.
    public var minimumDownloadProgress: Int
    /// The timeout of an upload in seconds, both idle **and** total. 120 by default.
    ///
    /// The total covers one file from its first attempt on, including retries and waiting for a network. After a
    /// restart of the app, the upload resumes with the full timeout. A large file on a slow connection needs more than
    /// the default, or a separate total: ``uploadTotalTimeout``.
    public var uploadTimeout: TimeInterval
    /// The longest time in seconds for all attempts of one file together; `nil`, the default, for ``uploadTimeout``.
    public var uploadTotalTimeout: TimeInterval?

    /// Creates timeouts, in seconds.
    public init(
        connectionTimeout: TimeInterval = 30, downloadTimeout: TimeInterval = 30, uploadTimeout: TimeInterval = 120,
        uploadTotalTimeout: TimeInterval? = nil, minimumDownloadProgress: Int = 4_096
    ) {
        self.connectionTimeout = connectionTimeout
        self.downloadTimeout = downloadTimeout
        self.minimumDownloadProgress = minimumDownloadProgress
        self.uploadTimeout = uploadTimeout
        self.uploadTotalTimeout = uploadTotalTimeout
    }
}

/// The timeouts of the chat's socket, in seconds.
///
/// An unusable number (not a number, zero, negative, infinite) is clamped to between one millisecond and 365 days, and
/// the SDK logs this.
public struct WSConfig: Hashable, Sendable {
    /// The longest time for the upgrade to a WebSocket, and for each response of the handshake after it. 30 by default.
    public var connectionTimeout: TimeInterval
    /// The longest time that a message in the socket may remain unanswered before it fails. 20 by default.
    ///
    /// An error response fails a message at once. The timeout does not run while a message waits for a connection.
    public var sendTimeout: TimeInterval
    /// The rule by which ``sendTimeout`` is applied.
    public var sendTimeoutMode: SendTimeoutMode

    /// Creates timeouts, in seconds.
    public init(
        connectionTimeout: TimeInterval = 30, sendTimeout: TimeInterval = 20,
        sendTimeoutMode: SendTimeoutMode = .deadline
    ) {
        self.connectionTimeout = connectionTimeout
        self.sendTimeout = sendTimeout
        self.sendTimeoutMode = sendTimeoutMode
    }
}
