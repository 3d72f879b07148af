public import ChatCenterCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Network settings of the chat: time-outs and pins.
///
/// A value: the SDK keeps the copy that it is given, and later changes have no effect on it.
public struct ChatNetworkConfig: Hashable, Sendable {
    /// REST calls and file transfers.
    public var httpConfig: HTTPConfig
    /// The socket.
    public var wsConfig: WSConfig
    /// Which servers are trusted. It governs every connection that the SDK opens: REST, files and socket.
    public var sslPinning: SSLPinningConfig

    /// Puts settings together; the defaults are the documented ones, without pins.
    public init(
        httpConfig: HTTPConfig = .init(), wsConfig: WSConfig = .init(), sslPinning: SSLPinningConfig = .init()
    ) {
        self.httpConfig = httpConfig
        self.wsConfig = wsConfig
        self.sslPinning = sslPinning
    }
}

/// Time-outs of REST calls and file transfers, in seconds.
///
/// A number that is no usable time-out (not a number, zero, negative, endless) is clamped to between one millisecond and
/// 365 days, and the SDK logs that it was.
public struct HTTPConfig: Hashable, Sendable {
    /// Idle time-out of a REST call in seconds: how long nothing may arrive, connecting included. 30 by default.
    ///
    /// The socket has its own, ``WSConfig/connectionTimeout``.
    public var connectionTimeout: TimeInterval
    /// Idle time-out of a download in seconds. 30 by default.
    public var downloadTimeout: TimeInterval
    /// The bytes that a download must receive in each minute, and in each partial answer of the server, sixteen smaller ones in a row
    /// excepted. A slower download fails, and goes on the next time. 4096 by default; 0: no minimum.
    public var minimumDownloadProgress: Int
    /// Time-out of an upload in seconds, idle **and** in total. 120 by default.
    ///
    /// The total is that of one file from its first attempt on: retries, and waiting for a network that is down, count as
    /// well. After a restart of the app the upload resumes with the whole time. A large file on a slow line needs more
    /// than the default, or a total of its own: ``uploadTotalTimeout``.
    public var uploadTimeout: TimeInterval
    /// The longest time in seconds that one file may take for all attempts together; `nil`, the default, for
    /// ``uploadTimeout``.
    public var uploadTotalTimeout: TimeInterval?

    /// Sets time-outs, in seconds.
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

/// Time-outs of the chat's socket, in seconds.
///
/// A number that is no usable time-out (not a number, zero, negative, endless) is clamped to between one millisecond and
/// 365 days, and the SDK logs that it was.
public struct WSConfig: Hashable, Sendable {
    /// How long the upgrade to a WebSocket, and each answer of the handshake after it, may take. 30 by default.
    public var connectionTimeout: TimeInterval
    /// How long a message that was handed to the socket may stay unanswered before it counts as failed. 20 by default.
    ///
    /// An error answer fails a message at once. Messages that wait for a connection do not age by it.
    public var sendTimeout: TimeInterval
    /// How ``sendTimeout`` is judged.
    public var sendTimeoutMode: SendTimeoutMode

    /// Sets time-outs, in seconds.
    public init(
        connectionTimeout: TimeInterval = 30, sendTimeout: TimeInterval = 20,
        sendTimeoutMode: SendTimeoutMode = .deadline
    ) {
        self.connectionTimeout = connectionTimeout
        self.sendTimeout = sendTimeout
        self.sendTimeoutMode = sendTimeoutMode
    }
}
