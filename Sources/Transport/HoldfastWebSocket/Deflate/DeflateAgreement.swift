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
