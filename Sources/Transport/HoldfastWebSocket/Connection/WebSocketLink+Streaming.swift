import Synchronization

/// Receiving and sending messages in parts.
extension WebSocketLink {
    /// Takes the next part of a message; `nil` at the end.
    func receivePart() async throws -> WebSocketPart? {
        switch try await receive() {
        case .part(let part): part
        case .message(.text(let text)): WebSocketPart(kind: .text, bytes: Array(text.utf8), isLast: true)
        case .message(.binary(let bytes)): WebSocketPart(kind: .binary, bytes: bytes, isLast: true)
        case nil: nil
        }
    }

    /// Takes the next message; `nil` at the end. Assembles it if messages are delivered in parts.
    ///
    /// The parts of an incomplete message are kept for the next reader.
    func receiveMessage() async throws -> WebSocketMessage? {
        while let inbound = try await receive() {
            switch inbound {
            case .message(let message):
                return message
            case .part(let part):
                if let message = state.withLock({ $0.collect(part) }) { return message }
            }
        }
        return nil
    }

    /// Sends one message in pieces.
    ///
    /// No other message can be sent between its first and last piece. If the message cannot be completed, the
    /// connection is closed with code 1011.
    func send<Pieces: AsyncSequence>(
        _ pieces: Pieces, kind: WebSocketPart.Kind, payload: (Pieces.Element) -> OutboundFrame.Payload,
        isolation: isolated (any Actor)?
    ) async throws {
        let sender = state.withLock { $0.ticket() }
        var hasBegun = false
        do {
            for try await piece in pieces {
                let payload = payload(piece)
                guard payload.count > 0 else { continue }
                try await send(.piece(payload, kind, isLast: false), from: sender)
                hasBegun = true
            }
            try await send(.piece(.bytes([]), kind, isLast: true), from: sender)
        } catch {
            if hasBegun { failSending() }
            throw error
        }
    }
}

extension WebSocketLink.State {
    /// Adds a part to the message in progress. Returns the message when it is complete.
    mutating func collect(_ part: WebSocketPart) -> WebSocketMessage? {
        // Another reader took the end of the previous message.
        if collected.kind != part.kind { collected = (part.kind, []) }
        collected.bytes += part.bytes
        guard part.isLast else { return nil }
        let bytes = collected.bytes
        collected.bytes = []
        switch part.kind {
        // Each part was validated within its message, but parts that several readers took may not form one message.
        case .text: return .text(String(decoding: bytes, as: UTF8.self))
        case .binary: return .binary(bytes)
        }
    }
}
