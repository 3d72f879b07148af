/// The figures by which a client speaks HTTP/2.
enum HTTP2Limits {
    /// How much of one response may be on its way or wait for its reader, beside what ``ExchangeMachine`` keeps: the stream's window.
    static let streamWindow = 1024 * 1024
    /// The same for all streams of a connection together.
    static let connectionWindow = 16 * 1024 * 1024
    /// Streams at a time as long as the server has not said how many. RFC 9113, 6.5.2 recommends no fewer.
    static let assumedStreams = 100
    /// Streams at a time, whatever the server allows.
    static let maximumStreams = 1000
    /// After so many requests a connection is replaced. Stream identifiers end at 2^31 - 1, and only every other is a client's.
    static let requestsPerConnection: UInt64 = 1 << 30 - 1024
    /// Bytes of a request's head: it has to fit into one frame of the size that every server takes (RFC 9113, 4.2).
    static let requestHeadBytes = 16 * 1024
    /// Bytes of the payload of a frame (RFC 9113, 4.2); the server is never told of another size.
    static let frameSize = 16 * 1024
    /// Streams whose late frames are told from those of streams that never were: whoever gives up many requests at a time has
    /// many of them on their way.
    static let recentlyResetStreams = 2 * maximumStreams
    /// CONTINUATION frames in a row.
    static let continuationFrames = 16
    /// Empty DATA frames that do not end a stream, before one that does, or a head.
    static let emptyDataFrames = 100
    /// PING, SETTINGS and PRIORITY frames, and RST_STREAM frames, in thirty seconds.
    static let framesPerWindow = 1000
    /// Errors of single streams before the connection is given up.
    static let streamErrors = 200
    /// Frames that wait because the socket takes nothing.
    static let bufferedControlFrames = 1000
}
