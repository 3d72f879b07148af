import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket

/// The properties that must hold for the HTTP heads of an upgrade: a client's request and a server's response.
enum HandshakeFuzzing {
    /// Parses the input as a request on a server and as a response on a client. The first byte selects the client's
    /// offers.
    static func heads(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let flags = bytes.first else { return }
        let head = Array(bytes.dropFirst())
        let deflate: WebSocketDeflate? =
            flags & 1 == 0
            ? nil
            : WebSocketDeflate(
                sendingContextTakeover: flags & 4 != 0, receivingContextTakeover: flags & 8 != 0,
                sendingWindowBits: flags & 16 == 0 ? 15 : 10, receivingWindowBits: flags & 32 == 0 ? 15 : 12)
        try request(head, deflate)
        try answer(head, deflate, subprotocols: flags & 2 == 0 ? [] : ["chat", "v2.chat"])
    }

    // MARK: The server's side

    private static func request(_ bytes: [UInt8], _ deflate: WebSocketDeflate?) throws(BrokenPromise) {
        var reader = RequestHead.Reader()
        let whole = bytes.withUnsafeBytes { reader.examine($0) }
        var (grown, size) = (RequestHead.Finding.incomplete, 0)
        reader = RequestHead.Reader()
        while grown == .incomplete, size < bytes.count {
            size += 1
            grown = bytes[..<size].withUnsafeBytes { reader.examine($0) }
        }
        try BrokenPromise.unless(grown == whole, "the request is \(whole) at once, but \(grown) byte by byte")
        guard case .head(let head, let headSize) = whole else { return }
        try BrokenPromise.unless(headSize == size, "a head of \(headSize) bytes is complete after \(size) bytes")
        let finding = ServerHandshake.examine(
            method: head.method, target: head.target, isHTTP11: head.isHTTP11, fields: head.fields)
        switch finding {
        case .plainRequest:
            break
        case .invalid(let rejection):
            try BrokenPromise.unless(rejection.status == 400 || rejection.status == 426, "\(rejection.status)")
            let events = reading(rejection.bytes).events
            guard case .refused(status: rejection.status, _)? = events.first, events.last == .end else {
                throw BrokenPromise("the client parses a refusal as \(events)")
            }
        case .upgrade(let request):
            try grant(request, deflate)
        }
    }

    /// Checks that a client parses the server's response as intended.
    private static func grant(
        _ request: WebSocketUpgradeRequest, _ deflate: WebSocketDeflate?
    ) throws(BrokenPromise) {
        try BrokenPromise.unless(WebSocketKey(request.key.text) == request.key, "the accepted key is invalid")
        let agreed = DeflateNegotiation.answer(request.extensions, options: deflate)
        try check(agreed?.agreement, deflate)
        if let agreed, let offers = ExtensionOffer.list([agreed.text]) {
            try BrokenPromise.unless(
                offers.count == 1, "the server answers with more than one extension: \(agreed.text)")
        } else {
            try BrokenPromise.unless(agreed == nil, "the client cannot parse the response: \(agreed?.text ?? "")")
        }
        let fields = ServerHandshake.fields(
            for: request, subprotocol: request.subprotocols.first, extensions: agreed?.text, extra: [:])
        let bytes = UpgradeResponse(status: .switchingProtocols, fields: fields).bytes
        let answer = reading(bytes)
        guard case .switching(let read)? = answer.events.last, answer.rest.isEmpty else {
            throw BrokenPromise("the client parses a grant as \(answer.events)")
        }
        try BrokenPromise.unless(
            read[.secWebSocketAccept] == request.key.accept, "the client parses a different accept value")
        try BrokenPromise.unless(
            read[.secWebSocketProtocol] == request.subprotocols.first, "the client parses a different subprotocol")
    }

    // MARK: The client's side

    private static func answer(
        _ bytes: [UInt8], _ deflate: WebSocketDeflate?, subprotocols: [String]
    ) throws(BrokenPromise) {
        // The key is constant, so that the corpus can contain valid responses.
        guard let url = try? RequestURL("wss://chat.example.com/socket"),
            let handshake = try? ClientHandshake(
                url: url, headers: [:], subprotocols: subprotocols, deflate: deflate,
                entropy: WebSocketEntropy { 0x0123_4567_89AB_CDEF })
        else { throw BrokenPromise("an upgrade cannot be requested") }
        let whole = reading(bytes)
        let grown = reading(bytes, byByte: true)
        try BrokenPromise.unless(
            whole.isSame(as: grown), "the response is \(whole) at once, but \(grown) byte by byte")
        if case .switching(let fields)? = whole.events.last { try accept(fields, handshake) }
    }

    /// The result of parsing a response, up to a grant, the end or an error.
    private struct Answer {
        var events: [UpgradeReader.Event] = []
        var error: TransportError?
        /// The bytes after a grant.
        var rest: ArraySlice<UInt8> = []

        /// Whether both are equal, apart from the positions at which a body was split.
        func isSame(as other: Answer) -> Bool {
            let (mine, others) = (events.filter(\.isNotBody), other.events.filter(\.isNotBody))
            return mine == others && error?.defect == other.error?.defect && error?.code == other.error?.code
                && rest == other.rest
        }
    }

    private static func reading(_ bytes: [UInt8], byByte: Bool = false) -> Answer {
        var reader = UpgradeReader()
        var answer = Answer()
        var place = 0
        while place < bytes.count {
            let next = byByte ? place + 1 : bytes.count
            var piece = bytes[place..<next]
            place = next
            do throws(TransportError) {
                while let event = try reader.next(&piece) {
                    answer.events.append(event)
                    if case .switching = event {
                        answer.rest = piece + bytes[place...]
                        return answer
                    }
                    if event == .end { return answer }
                }
            } catch {
                answer.error = error
                return answer
            }
        }
        return answer
    }

    private static func accept(_ fields: HTTPFields, _ handshake: ClientHandshake) throws(BrokenPromise) {
        let grant: ClientHandshake.Grant
        do throws(WebSocketError) {
            grant = try handshake.accept(fields)
        } catch {
            return try BrokenPromise.unless(
                error.code == .invalidUpgrade && !error.reason.isEmpty, "an invalid grant throws \(error)")
        }
        try BrokenPromise.unless(
            fields[.secWebSocketAccept] == handshake.key.accept, "a grant with a wrong accept value was accepted")
        try BrokenPromise.unless(
            grant.subprotocol.map(handshake.subprotocols.contains) ?? true,
            "the client accepted a subprotocol that it did not offer")
        try BrokenPromise.unless(
            (grant.deflate == nil) == fields[values: .secWebSocketExtensions].allSatisfy(\.isBlank),
            "the client ignored the response's extensions")
        try check(grant.deflate, handshake.deflate)
    }

    /// Checks that an agreement contains only what the client offered.
    private static func check(
        _ agreement: DeflateAgreement?, _ options: WebSocketDeflate?
    ) throws(BrokenPromise) {
        guard let agreement else { return }
        guard let options else { throw BrokenPromise("compression was agreed on, but not offered") }
        try BrokenPromise.unless(
            (8...options.sendingWindowBits).contains(agreement.sendingWindowBits)
                && (8...15).contains(agreement.receivingWindowBits),
            "the window sizes are out of range: \(agreement)")
        try BrokenPromise.unless(
            (options.sendingContextTakeover || !agreement.sendingContextTakeover)
                && (options.receivingContextTakeover || !agreement.receivingContextTakeover),
            "context takeover was agreed on, but not offered: \(agreement)")
    }
}

extension UpgradeReader.Event {
    /// Whether the event is not a part of a body. The positions of body parts depend on how the bytes are split.
    fileprivate var isNotBody: Bool { if case .body = self { false } else { true } }
}

extension String {
    /// Whether the text contains only blanks and commas, as an empty list does.
    fileprivate var isBlank: Bool { utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C } }
}
