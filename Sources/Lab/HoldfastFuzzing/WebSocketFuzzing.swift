import HoldfastWebSocket

/// The properties that must hold for all bytes from a WebSocket's peer, in either role.
enum WebSocketFuzzing {
    // MARK: Sessions

    /// Runs a session without the upgrade. The first byte selects the negotiated options and how the input is split.
    static func session(_ bytes: [UInt8], _ role: WebSocketRole) throws(BrokenPromise) {
        guard let flags = bytes.first else { return }
        let session = Array(bytes.dropFirst())
        var settings = settings(flags)
        let seed = UInt64(flags) << 32 | UInt64(session.count)
        let whole = try run(session, role, settings, cuts: .none)
        for cuts in [Cuts.every, .some(seed), .some(seed + 1)] {
            let other = try run(session, role, settings, cuts: cuts)
            try BrokenPromise.unless(
                whole.effects == other.effects, "split by \(cuts), \(whole.effects) become \(other.effects)")
        }
        settings.deliversParts = true
        for cuts in [Cuts.none, .every, .some(seed)] {
            let parts = try run(session, role, settings, cuts: cuts)
            try BrokenPromise.unless(
                parts.messages == whole.messages && parts.otherEffects == whole.otherEffects,
                "in parts, split by \(cuts), \(whole.effects) become \(parts.effects)")
        }
        try compare(whole, WebSocketReference(session, receiver: role, settings: settings), settings)
        try answer(whole, role, settings)
    }

    /// The options of a connection, by bits: compression, context takeover, small limits, fragments.
    private static func settings(_ flags: UInt8) -> WebSocketSettings {
        let context = flags & 2 != 0
        let limits =
            flags & 4 == 0
            ? WebSocketLimits(maximumFrameSize: 1 << 20, maximumMessageSize: 4 << 20, maximumFragments: 1000)
            : WebSocketLimits(
                maximumFrameSize: 300, maximumMessageSize: 500, maximumFragments: 4, receiveBuffer: 200)
        let deflate = WebSocketDeflate(
            sendingContextTakeover: context, receivingContextTakeover: context, minimumSize: 1)
        return WebSocketSettings(
            limits: limits, fragmentSize: flags & 8 == 0 ? nil : 7,
            deflate: flags & 1 == 0 ? nil : DeflateAgreement(deflate))
    }

    /// The ways to split a session.
    private enum Cuts {
        case none, every
        case some(UInt64)
    }

    private static func run(
        _ session: [UInt8], _ role: WebSocketRole, _ settings: WebSocketSettings, cuts: Cuts
    ) throws(BrokenPromise) -> FuzzedEndpoint {
        var endpoint = FuzzedEndpoint(role, settings)
        var rest = session[...]
        var mutator = FuzzMutator(seed: 0)
        if case .some(let seed) = cuts { mutator = FuzzMutator(seed: seed) }
        while !rest.isEmpty {
            let count =
                switch cuts {
                case .none: rest.count
                case .every: 1
                case .some: 1 + mutator.below(mutator.below(3) == 0 ? 3 : 200)
                }
            try endpoint.receive(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return endpoint
    }

    /// Compares the result with that of the slow and simple reference reader.
    private static func compare(
        _ endpoint: borrowing FuzzedEndpoint, _ reference: WebSocketReference, _ settings: WebSocketSettings
    ) throws(BrokenPromise) {
        var events: [WebSocketReference.Event] = []
        for effect in endpoint.effects {
            switch effect {
            case .deliver(.text(let text)): events.append(.text(Array(text.utf8)))
            case .deliver(.binary(let bytes)): events.append(.binary(bytes))
            case .transmit(let frame) where frame.opcode == .pong: events.append(.ping(frame.bytes))
            default: break
            }
        }
        if case .unknown = reference.ending { events = Array(events.prefix(reference.events.count)) }
        try BrokenPromise.unless(
            events == reference.events, "the events are \(events), expected \(reference.events)")
        let end = endpoint.end
        switch reference.ending {
        case .unknown:
            break
        case .open:
            try BrokenPromise.unless(end == nil, "a session without a violation ends with \(String(describing: end))")
        case .closed(let payload):
            let code = payload.isEmpty ? 1005 : UInt16(payload[0]) << 8 | UInt16(payload[1])
            try BrokenPromise.unless(
                end?.closure.isClean == true && end?.closure.code.rawValue == code
                    && end?.closure.reason.utf8.elementsEqual(payload.dropFirst(2)) == true,
                "a close frame with code \(code) ends with \(String(describing: end))")
        case .violated(let code):
            try BrokenPromise.unless(
                end?.error?.violation?.closeCode.rawValue == code && end?.closure.isClean == false,
                "a violation with close code \(code) ends with \(String(describing: end))")
        }
    }

    /// Checks that the peer understands all responses, and an echo of all messages.
    private static func answer(
        _ endpoint: borrowing FuzzedEndpoint, _ role: WebSocketRole, _ settings: WebSocketSettings
    ) throws(BrokenPromise) {
        var own = FuzzedEndpoint(role, settings)
        var peer = FuzzedEndpoint(role.peer, mirrored(settings))
        for message in endpoint.messages {
            guard try own.send(message) else { throw BrokenPromise("an open connection refused to send a message") }
            try peer.receive(own.takeOutput()[...])
        }
        try BrokenPromise.unless(peer.messages == endpoint.messages, "the echo differs from the message")
        var encoder = FrameEncoder(role: role, entropy: WebSocketEntropy { 0x0FED_CBA9_8765_4321 })
        for case .transmit(let frame) in endpoint.effects { try peer.receive(encoder.encode(frame)[...]) }
        try BrokenPromise.unless(peer.end?.error == nil, "the peer refused a response: \(String(describing: peer.end))")
    }

    /// The peer's options, without this end's limits.
    private static func mirrored(_ settings: WebSocketSettings) -> WebSocketSettings {
        var deflate = settings.deflate
        if let own = settings.deflate {
            deflate?.sendingContextTakeover = own.receivingContextTakeover
            deflate?.receivingContextTakeover = own.sendingContextTakeover
            deflate?.sendingWindowBits = own.receivingWindowBits
            deflate?.receivingWindowBits = own.sendingWindowBits
            deflate?.maximumRatio = 2000
        }
        return WebSocketSettings(limits: WebSocketLimits(maximumFragments: .max), deflate: deflate)
    }

    // MARK: Sending

    /// Runs two ends. The first two bytes select the negotiated options; each further record is something to send.
    static func sending(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard bytes.count >= 2 else { return }
        let role: WebSocketRole = bytes[0] & 0x80 == 0 ? .client : .server
        var settings = settings(bytes[0] & ~4)
        settings.fragmentSize = bytes[0] & 8 == 0 ? nil : 5 + Int(bytes[1])
        settings.deflate?.sendingWindowBits = 8 + Int(bytes[1] & 7)
        settings.deflate?.level = 1 + Int(bytes[1] >> 3) % 9
        var mutator = FuzzMutator(seed: UInt64(bytes.count))
        var own = FuzzedEndpoint(role, settings)
        var peer = FuzzedEndpoint(role.peer, mirrored(settings))
        var sent: [FuzzedEndpoint.Message] = []
        var pings = 0
        var rest = bytes[2...]
        while let record = Record(&rest) {
            if record.isPing, own.ping() {
                pings += 1
            } else if !record.message.bytes.isEmpty || !record.isInPieces {
                try send(record, from: &own, &mutator)
                sent.append(record.message)
            }
            try pass(own.takeOutput(), to: &peer, &mutator)
            try pass(peer.takeOutput(), to: &own, &mutator)
        }
        try BrokenPromise.unless(peer.messages == sent, "the peer received messages that differ from those sent")
        let answered = own.effects.count { if case .answered = $0 { true } else { false } }
        try BrokenPromise.unless(answered == pings, "\(pings) pings got \(answered) pongs")
        try close(&own, &peer, sent)
    }

    private static func send(
        _ record: Record, from own: inout FuzzedEndpoint, _ mutator: inout FuzzMutator
    ) throws(BrokenPromise) {
        guard record.isInPieces else {
            guard try own.send(record.message) else {
                throw BrokenPromise("an open connection refused to send a message")
            }
            return
        }
        var rest = record.message.bytes[...]
        repeat {
            let piece = rest.prefix(1 + mutator.below(max(1, rest.count)))
            rest = rest.dropFirst(piece.count)
            guard try own.send(piece: piece, of: record.message.kind, isLast: rest.isEmpty) else {
                throw BrokenPromise("an open connection refused to send a message")
            }
        } while !rest.isEmpty
    }

    private static func pass(
        _ bytes: [UInt8], to endpoint: inout FuzzedEndpoint, _ mutator: inout FuzzMutator
    ) throws(BrokenPromise) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = 1 + mutator.below(4000)
            try endpoint.receive(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }

    /// Checks that the close code and the reason arrive, however long the reason is.
    private static func close(
        _ own: inout FuzzedEndpoint, _ peer: inout FuzzedEndpoint, _ sent: [FuzzedEndpoint.Message]
    ) throws(BrokenPromise) {
        let text = sent.first { $0.kind == .text }.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        try own.close(.goingAway, reason: text)
        try peer.receive(own.takeOutput()[...])
        try own.receive(peer.takeOutput()[...])
        guard let theirs = peer.end?.closure, let ours = own.end?.closure else {
            throw BrokenPromise("the peer did not answer the close frame")
        }
        try BrokenPromise.unless(
            theirs.isClean && ours.isClean && theirs.code == .goingAway && ours.code == .goingAway
                && text.utf8.starts(with: theirs.reason.utf8) && theirs.reason.utf8.count <= 123,
            "the peer reports \(theirs), this end \(ours)")
    }

    /// Something to send: a byte for the type, the length, the bytes.
    private struct Record {
        var isPing: Bool
        var isInPieces: Bool
        var message: FuzzedEndpoint.Message

        init?(_ rest: inout ArraySlice<UInt8>) {
            guard let what = rest.popFirst(), let count = rest.popFirst() else { return nil }
            var bytes = Array(rest.prefix(Int(count)))
            rest = rest.dropFirst(Int(count))
            if what & 0x40 != 0 { bytes = Array(repeatElement(bytes, count: 300).joined()) }
            isPing = what & 3 == 3
            isInPieces = what & 4 != 0
            if what & 1 == 0 {
                message = FuzzedEndpoint.Message(kind: .text, bytes: Array(String(decoding: bytes, as: UTF8.self).utf8))
            } else {
                message = FuzzedEndpoint.Message(kind: .binary, bytes: bytes)
            }
        }
    }
}
