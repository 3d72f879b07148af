/// How one end wants to compress messages (permessage-deflate, RFC 7692). Without it nothing is compressed.
///
/// Compression is a trade: it saves bytes of text, and costs time and memory for each connection. It also makes the size
/// of a message depend on its content. Where one message, or one connection that takes its context over, mixes a secret
/// with text that an attacker can choose, the sizes on the wire give the secret away piece by piece, TLS or not (CRIME,
/// BREACH). Leave compression off there.
public struct WebSocketDeflate: Hashable, Sendable {
    /// Whether messages that this end sends may refer to earlier ones ("context takeover"). Off by default: it saves more
    /// where messages are alike, but keeps up to 268 KiB for as long as the connection lives.
    public var sendingContextTakeover: Bool
    /// Whether messages that the peer sends may refer to earlier ones. Off by default: it keeps about 64 KiB for as long as
    /// the connection lives.
    public var receivingContextTakeover: Bool
    /// How far back messages that this end sends may refer at most: two to this power in bytes, 8 to 15; 15 by default.
    /// With 8 only messages of up to 256 bytes are compressed, for zlib knows no such window: with the usual
    /// ``minimumSize`` next to none. Lower that to have small ones compressed.
    public var sendingWindowBits: Int
    /// How far back messages that the peer sends may refer at most: two to this power in bytes, 8 to 15; 15 by default. A
    /// server may refuse a smaller one, and with it all compression; a client that does not know the limit is not held to
    /// it.
    public var receivingWindowBits: Int
    /// How hard zlib tries: 1 is the fastest, 9 the smallest; 6 by default.
    public var level: Int
    /// The smallest message that is compressed, in bytes. 256 by default: smaller ones gain little or nothing. A message
    /// that is sent in pieces counts as large. Messages above 256 KiB that are sent whole are never compressed: the work
    /// would hold up all connections of an event loop. Send those in pieces, each of which is compressed in one go.
    public var minimumSize: Int
    /// How many bytes a byte of a compressed message may become, on the average of all that has come of it. 200 by default:
    /// text seldom exceeds 20, a bomb reaches 1032. Below a mebibyte it is not looked at; ``WebSocketLimits`` apply
    /// besides.
    public var maximumRatio: Int

    /// Makes options. Numbers out of range count as the nearest one within.
    public init(
        sendingContextTakeover: Bool = false, receivingContextTakeover: Bool = false, sendingWindowBits: Int = 15,
        receivingWindowBits: Int = 15, level: Int = 6, minimumSize: Int = 256, maximumRatio: Int = 200
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

/// What both ends have agreed on about compression, seen from one of them.
package struct DeflateAgreement: Hashable, Sendable {
    /// Whether this end's messages may refer to earlier ones.
    package var sendingContextTakeover: Bool
    /// Whether the peer's messages may refer to earlier ones.
    package var receivingContextTakeover: Bool
    /// How far back this end's messages may refer, as a power of two: 8 to 15.
    package var sendingWindowBits: Int
    /// How far back the peer's messages may refer, as a power of two: 8 to 15.
    package var receivingWindowBits: Int
    /// What is this end's own business.
    package var level: Int
    package var minimumSize: Int
    package var maximumRatio: Int

    /// An agreement that has `options` in full.
    package init(_ options: WebSocketDeflate) {
        // The fields of the options may have been set to anything since.
        let options = options.clamped
        self.sendingContextTakeover = options.sendingContextTakeover
        self.receivingContextTakeover = options.receivingContextTakeover
        self.sendingWindowBits = options.sendingWindowBits
        self.receivingWindowBits = options.receivingWindowBits
        self.level = options.level
        self.minimumSize = options.minimumSize
        self.maximumRatio = options.maximumRatio
    }
}

extension WebSocketDeflate {
    /// The same with every number in its range.
    var clamped: WebSocketDeflate {
        WebSocketDeflate(
            sendingContextTakeover: sendingContextTakeover, receivingContextTakeover: receivingContextTakeover,
            sendingWindowBits: sendingWindowBits, receivingWindowBits: receivingWindowBits, level: level,
            minimumSize: minimumSize, maximumRatio: maximumRatio)
    }
}

extension DeflateAgreement {
    /// Whether later messages of this end do refer to earlier ones. Not with the smallest window, which zlib does not know:
    /// a message that fits into it needs no window, but two do.
    var keepsSendingContext: Bool { sendingContextTakeover && compressesPieces }

    /// Whether messages whose size is not known beforehand can be compressed.
    var compressesPieces: Bool { sendingWindowBits > 8 }

    /// The largest message that is compressed in one go, on the event loop that other connections share: about 15 ms of
    /// work.
    static var largestWhole: Int { 256 * 1024 }

    /// Whether a message of `size` bytes is to be compressed.
    func compresses(size: Int) -> Bool {
        size >= max(1, minimumSize) && size <= (compressesPieces ? Self.largestWhole : 256)
    }
}
