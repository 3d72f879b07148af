/// The message compression that one end requests (permessage-deflate, RFC 7692). Without it, messages are not
/// compressed.
///
/// Compression saves bytes but costs time, and memory for each connection. It also makes the size of a message depend
/// on its content. Do not use compression if a message, or a connection with context takeover, mixes secrets with text
/// that an attacker can choose. The sizes on the wire then reveal the secret step by step, even with TLS (CRIME,
/// BREACH).
public struct WebSocketDeflate: Hashable, Sendable {
    /// Whether sent messages may refer to earlier ones ("context takeover"). Off by default. It saves more bytes for
    /// similar messages, but keeps up to 268 KiB per connection.
    public var sendingContextTakeover: Bool
    /// Whether received messages may refer to earlier ones. Off by default. It keeps about 64 KiB per connection.
    public var receivingContextTakeover: Bool
    /// The window for sent messages as a power of two in bytes, 8 to 15; 15 by default.
    ///
    /// zlib has no window of 8. With 8, only messages of up to 256 bytes are compressed, which is almost none with the
    /// default ``minimumSize``. Lower that property to compress small messages.
    public var sendingWindowBits: Int
    /// The window for received messages as a power of two in bytes, 8 to 15; 15 by default.
    ///
    /// A server may reject a smaller window, and compression with it. Clients that do not support the parameter are not
    /// bound by it.
    public var receivingWindowBits: Int
    /// The compression level: 1 is the fastest, 9 the smallest; 4 by default. zlib's own default of 6 needs up to four
    /// times the processor time for text, and saves 3 to 13 % of the compressed bytes.
    public var level: Int
    /// The minimum size in bytes of a message that is compressed. 256 by default, because smaller messages gain little.
    ///
    /// A message in pieces counts as large; each piece is compressed at once. Whole messages above 256 KiB are never
    /// compressed, because that would block all connections of an event loop. Send them in pieces.
    public var minimumSize: Int
    /// The maximum ratio of decompressed to compressed bytes of a message so far. 200 by default: text rarely exceeds
    /// 20, a decompression bomb reaches 1032. The ratio is checked from one mebibyte on. ``WebSocketLimits`` apply as
    /// well.
    ///
    /// - Error: `WebSocketError.Violation.compressionRatioTooHigh`
    public var maximumRatio: Int

    /// Makes options. Out-of-range numbers are clamped.
    public init(
        sendingContextTakeover: Bool = false, receivingContextTakeover: Bool = false, sendingWindowBits: Int = 15,
        receivingWindowBits: Int = 15, level: Int = 4, minimumSize: Int = 256, maximumRatio: Int = 200
    ) {
        self.sendingContextTakeover = sendingContextTakeover
        self.receivingContextTakeover = receivingContextTakeover
        self.sendingWindowBits = min(max(sendingWindowBits, 8), 15)
        self.receivingWindowBits = min(max(receivingWindowBits, 8), 15)
        self.level = min(max(level, 1), 9)
        self.minimumSize = max(1, minimumSize)
        self.maximumRatio = max(1, maximumRatio)
    }
}

extension WebSocketDeflate {
    /// A copy with every number clamped to its range.
    var clamped: WebSocketDeflate {
        WebSocketDeflate(
            sendingContextTakeover: sendingContextTakeover, receivingContextTakeover: receivingContextTakeover,
            sendingWindowBits: sendingWindowBits, receivingWindowBits: receivingWindowBits, level: level,
            minimumSize: minimumSize, maximumRatio: maximumRatio)
    }
}
