import ChatWire

// Frames of the server: replies, and what it pushes.
extension ChatCore {
    mutating func received(_ frame: ServerFrame, _ turn: inout CoreUpdate) {
        let (purpose, isSuperseded) = frames.takeReply(to: frame.correlationID, at: turn.now)
        for problem in frame.problems.prefix(5) { turn.log(.error, "\(ServerWord.code(frame.action)): \(problem)") }
        switch frame.body {
        case .registered(let address): registered(address, purpose, &turn)
        case .receipt(let receipt): receipted(receipt, purpose, &turn)
        case .done: if case .reading(let ids) = purpose { perform(reading.marksArrived(ids, in: window), &turn) }
        case .failure(let action, let failure):
            failed(action, ServerRefusal(failure), purpose, isSuperseded: isSuperseded, &turn)
        case .messages(let messages):
            guard session.isAuthorized, farewells.run == nil else { return }
            absorb(messages.map { Incoming($0, createdAt: frame.createdAt) }, from: .live, &turn)
        case .statuses(let changes):
            guard session.isAuthorized, farewells.run == nil else { return }
            perform(
                changes.flatMap { intake.status($0.status, of: $0.messageID, &window) }, &turn)
        case .unknown(let action, _):
            turn.log(.webSocket, "ignored a frame with the unknown action \(ServerWord.code(action))")
        }
    }

    private mutating func registered(
        _ address: String, _ purpose: FrameLedger.Purpose?, _ turn: inout CoreUpdate
    ) {
        guard purpose == .register else { return }
        session.tokenWorked(socketCredentials)
        if farewells.run != nil {
            farewells.registered(address)
        } else {
            perform(session.registered(address), &turn)
        }
        perform(socket.registered(at: turn.now, rules), &turn)
    }

    private mutating func receipted(
        _ receipt: SendReceipt, _ purpose: FrameLedger.Purpose?, _ turn: inout CoreUpdate
    ) {
        // The receipt of a message may be that of its first try, hours ago; these are made for this moment.
        if purpose == .introduce || purpose == .courtesy, let sentAt = receipt.sentAt {
            serverClock.note(sentAt, at: turn.now)
        }
        switch purpose {
        case .introduce: perform(socket.introduced(at: turn.now, rules), &turn)
        case .farewell: endFarewell(.server, &turn)
        case .message(let id): perform(outbox.confirmed(id, receipt, &window), &turn)
        case .register, .reading, .courtesy, nil: break
        }
    }

    /// The server answered with a failure, or stated one without being asked.
    private mutating func failed(
        _ action: String, _ refusal: ServerRefusal, _ purpose: FrameLedger.Purpose?, isSuperseded: Bool,
        _ turn: inout CoreUpdate
    ) {
        let isUnauthorized = refusal.isUnauthorized
        switch purpose {
        case .register: handshakeFailed(.registerDevice, refusal, &turn)
        case .introduce: handshakeFailed(.clientInfo, refusal, &turn)
        // Whatever the reason: the server did not take it in, and it is told again later.
        case .farewell: endFarewell(.localOnlyPending, &turn)
        case .message(let id):
            if isUnauthorized, tokenRefused(socketCredentials, refusal, &turn) {
                // Otherwise the outcome of the later try is unknown as soon as the socket is closed.
                if !isSuperseded { perform(outbox.returned(id, &window), &turn) }
            } else {
                perform(outbox.refused(id, refusal, mayHaveArrived: isSuperseded, &window), &turn)
            }
            if isUnauthorized { haltForToken(&turn) }
        case .reading, .courtesy, nil:
            turn.log(.error, "the server answered \(ServerWord.code(action)) with \(refusal.logged)")
            if isUnauthorized, farewells.run == nil { stopForToken(refusal, &turn) }
        }
    }

    private mutating func handshakeFailed(
        _ step: HandshakeStep, _ refusal: ServerRefusal, _ turn: inout CoreUpdate
    ) {
        if farewells.run != nil {
            endFarewell(.localOnlyPending, &turn)
        } else if refusal.isUnauthorized {
            stopForToken(refusal, &turn)
        } else {
            let entropy = turn.entropy.next()
            perform(
                socket.abandon(.refused, .refused(step, refusal), at: turn.now, entropy: entropy, rules), &turn)
        }
    }

    private mutating func stopForToken(_ refusal: ServerRefusal, _ turn: inout CoreUpdate) {
        guard session.isAuthorized else { return }
        _ = tokenRefused(socketCredentials, refusal, &turn)
        haltForToken(&turn)
    }

    /// The socket is of no use with the token that it was opened with. It is closed until there is another one, which
    /// may be there already.
    mutating func haltForToken(_ turn: inout CoreUpdate) {
        perform(socket.halt(.unauthorized), &turn)
        if session.mayCall { socket.resume() }
    }
}
