import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket

/// What must hold for the heads of an upgrade: a client's request and a server's answer.
enum HandshakeFuzzing {
    /// The first byte says what is offered; the rest is read as a request by a server, and as an answer by a client.
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
        try BrokenPromise.unless(grown == whole, "a request is \(whole) at once, and \(grown) byte by byte")
        guard case .head(let head, let headSize) = whole else { return }
        try BrokenPromise.unless(headSize == size, "a head of \(headSize) bytes is complete with \(size)")
        let finding = ServerHandshake.examine(
            method: head.method, target: head.target, isHTTP11: head.isHTTP11, fields: head.fields)
        switch finding {
        case .plainRequest:
            break
        case .invalid(let rejection):
            try BrokenPromise.unless(rejection.status == 400 || rejection.status == 426, "\(rejection.status)")
            let events = reading(rejection.bytes).events
            guard case .refused(status: rejection.status, _)? = events.first, events.last == .end else {
                throw BrokenPromise("a refusal is read as \(events)")
            }
        case .upgrade(let request):
            try grant(request, deflate)
        }
    }

    /// What the server answers is read by a client as it was meant.
    private static func grant(
        _ request: WebSocketUpgradeRequest, _ deflate: WebSocketDeflate?
    ) throws(BrokenPromise) {
        try BrokenPromise.unless(WebSocketKey(request.key.text) == request.key, "a key is not a key")
        let agreed = DeflateNegotiation.answer(request.extensions, options: deflate)
        try check(agreed?.agreement, deflate)
        if let agreed, let offers = ExtensionOffer.list([agreed.text]) {
            try BrokenPromise.unless(offers.count == 1, "one offer is answered by \(agreed.text)")
        } else {
            try BrokenPromise.unless(agreed == nil, "an answer cannot be read: \(agreed?.text ?? "")")
        }
        let fields = ServerHandshake.fields(
            for: request, subprotocol: request.subprotocols.first, extensions: agreed?.text, extra: [:])
        let bytes = UpgradeResponse(status: .switchingProtocols, fields: fields).bytes
        let answer = reading(bytes)
        guard case .switching(let read)? = answer.events.last, answer.rest.isEmpty else {
            throw BrokenPromise("a grant is read as \(answer.events)")
        }
        try BrokenPromise.unless(read[.secWebSocketAccept] == request.key.accept, "the answer to the key is changed")
        try BrokenPromise.unless(
            read[.secWebSocketProtocol] == request.subprotocols.first, "the subprotocol is changed on the way")
    }

    // MARK: The client's side

    private static func answer(
        _ bytes: [UInt8], _ deflate: WebSocketDeflate?, subprotocols: [String]
    ) throws(BrokenPromise) {
        // The key is always the same, so that answers in the corpus can be right.
        guard let url = try? RequestURL("wss://chat.example.com/socket"),
            let handshake = try? ClientHandshake(
                url: url, headers: [:], subprotocols: subprotocols, deflate: deflate,
                entropy: WebSocketEntropy { 0x0123_4567_89AB_CDEF })
        else { throw BrokenPromise("an upgrade cannot be asked for") }
        let whole = reading(bytes)
        let grown = reading(bytes, byByte: true)
        try BrokenPromise.unless(
            whole.isSame(as: grown), "an answer is \(whole) at once, and \(grown) byte by byte")
        if case .switching(let fields)? = whole.events.last { try accept(fields, handshake) }
    }

    /// What an answer is read as, up to a grant, the end or what is wrong with it.
    private struct Answer {
        var events: [UpgradeReader.Event] = []
        var error: TransportError?
        /// What is left behind a grant.
        var rest: ArraySlice<UInt8> = []

        /// Whether both are the same but for where a body was cut.
        func isSame(as other: Answer) -> Bool {
            let (mine, others) = (events.filter(\.isNoBody), other.events.filter(\.isNoBody))
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
                error.code == .invalidUpgrade && !error.reason.isEmpty, "a wrong grant is \(error)")
        }
        try BrokenPromise.unless(
            fields[.secWebSocketAccept] == handshake.key.accept, "a grant without the answer to the key is taken")
        try BrokenPromise.unless(
            grant.subprotocol.map(handshake.subprotocols.contains) ?? true, "a subprotocol was not offered")
        try BrokenPromise.unless(
            (grant.deflate == nil) == fields[values: .secWebSocketExtensions].allSatisfy(\.isBlank),
            "extensions are passed over")
        try check(grant.deflate, handshake.deflate)
    }

    /// An agreement has nothing that was not wanted.
    private static func check(
        _ agreement: DeflateAgreement?, _ options: WebSocketDeflate?
    ) throws(BrokenPromise) {
        guard let agreement else { return }
        guard let options else { throw BrokenPromise("compression was not wanted") }
        try BrokenPromise.unless(
            (8...options.sendingWindowBits).contains(agreement.sendingWindowBits)
                && (8...15).contains(agreement.receivingWindowBits),
            "the windows are out of range: \(agreement)")
        try BrokenPromise.unless(
            (options.sendingContextTakeover || !agreement.sendingContextTakeover)
                && (options.receivingContextTakeover || !agreement.receivingContextTakeover),
            "more context is taken over than was wanted: \(agreement)")
    }
}

extension UpgradeReader.Event {
    /// Whether it is something other than a part of a body; the positions of those depend on how the bytes are split.
    fileprivate var isNoBody: Bool { if case .body = self { false } else { true } }
}

extension String {
    /// Whether it holds nothing but what an empty list has: blanks and commas.
    fileprivate var isBlank: Bool { utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C } }
}
