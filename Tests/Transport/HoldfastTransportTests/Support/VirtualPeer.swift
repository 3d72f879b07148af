import HoldfastTransportTestSupport

/// A server of HTTP/2 without a socket: knows the client's frames, and turns scripts of HTTP/1.1 into its own.
struct VirtualPeer {
    private var reader = WireFrameReader()
    private var translator = WireTranslator()
    private var hasBegun = false

    /// Takes what the client sends. Returns whether the head of a request was in it.
    mutating func take(_ bytes: [UInt8]) -> Bool {
        let heads = reader.take(bytes).filter(\.isHead)
        if let last = heads.last { translator = WireTranslator(stream: last.stream) }
        return !heads.isEmpty
    }

    /// What the server sends where a script says this, on the stream of the last request.
    mutating func answer(_ script: [UInt8]) -> [UInt8] {
        defer { hasBegun = true }
        let first = hasBegun ? [] : [RawHTTP2Frame.settings(), .settingsAck]
        return (first + translator.take(script)).flatMap(\.bytes)
    }
}
