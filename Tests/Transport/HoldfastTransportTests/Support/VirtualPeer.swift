import HoldfastTransportTestSupport

/// An HTTP/2 server without a socket. It parses the client's frames, and translates HTTP/1.1 scripts into frames.
struct VirtualPeer {
    private var reader = WireFrameReader()
    private var translator = WireTranslator()
    private var hasBegun = false

    /// Parses what the client sends. Returns whether it contained the head of a request.
    mutating func take(_ bytes: [UInt8]) -> Bool {
        let heads = reader.take(bytes).filter(\.isHead)
        if let last = heads.last { translator = WireTranslator(stream: last.stream) }
        return !heads.isEmpty
    }

    /// Returns the frames for a script, on the stream of the last request.
    mutating func answer(_ script: [UInt8]) -> [UInt8] {
        defer { hasBegun = true }
        let first = hasBegun ? [] : [RawHTTP2Frame.settings(), .settingsAck]
        return (first + translator.take(script)).flatMap(\.bytes)
    }
}
