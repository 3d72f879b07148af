/// The limits of the HTTP/2 implementation.
enum HTTP2Limits {
    /// The flow-control window of a stream, in bytes: how much of one response may be in transit or wait for its
    /// reader, in addition to ``ExchangeMachine``'s buffer.
    ///
    /// - Error: `TransportError.Code.malformedResponse`
    static let streamWindow = 1024 * 1024
    /// The flow-control window of all streams of a connection together, in bytes.
    ///
    /// - Error: `TransportError.Code.malformedResponse`
    static let connectionWindow = 16 * 1024 * 1024
    /// The number of concurrent streams until the server announces its limit. RFC 9113, 6.5.2 recommends at least 100.
    static let assumedStreams = 100
    /// The maximum number of concurrent streams, whatever the server permits.
    static let maximumStreams = 1000
    /// The number of requests after which a connection is replaced. Stream identifiers end at 2^31 - 1, and clients use
    /// only odd ones.
    static let requestsPerConnection: UInt64 = 1 << 30 - 1024
    /// The maximum size of a request head, in bytes: the frame payload that every server accepts (RFC 9113, 4.2).
    ///
    /// - Error: `TransportError.Code.invalidRequest`
    static let requestHeadBytes = 16 * 1024
    /// The maximum frame payload, in bytes (RFC 9113, 4.2). The client never announces another size.
    ///
    /// - Error: `TransportError.Code.malformedResponse`
    static let frameSize = 16 * 1024
    /// The number of recently reset streams to remember, so that their late frames are not mistaken for those of
    /// unknown streams. A caller may cancel many requests at once. The oldest one is forgotten first.
    static let recentlyResetStreams = 2 * maximumStreams
    /// The maximum number of consecutive CONTINUATION frames.
    ///
    /// - Error: `TransportError.Code.tooManyFrames`
    static let continuationFrames = 16
    /// The maximum number of consecutive empty DATA frames that do not end a stream.
    ///
    /// - Error: `TransportError.Code.tooManyFrames`
    static let emptyDataFrames = 100
    /// The maximum number of PING, SETTINGS and PRIORITY frames, and of RST_STREAM frames, in thirty seconds.
    ///
    /// - Error: `TransportError.Code.tooManyFrames`
    static let framesPerWindow = 1000
    /// The number of stream errors at which the connection is aborted.
    ///
    /// - Error: `TransportError.Code.tooManyFrames`
    static let streamErrors = 200
    /// The maximum number of frames that wait while the socket accepts no data.
    ///
    /// - Error: `TransportError.Code.tooManyFrames`
    static let bufferedControlFrames = 1000
}
