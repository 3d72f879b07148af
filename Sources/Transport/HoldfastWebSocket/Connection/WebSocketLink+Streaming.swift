import Synchronization

/// Messages in parts, as readers and senders see them.
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

    /// Takes the next message, put together from its parts where it comes in parts; `nil` at the end.
    ///
    /// What was taken of a message whose end did not come, or was not waited for, is kept for the next reader.
    func receiveMessage() async throws -> WebSocketMessage? {
        while let parcel = try await receive() {
            switch parcel {
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
    /// No other message can go out between its first piece and its last, so a message that cannot be completed takes the
    /// connection with it: it is closed with 1011.
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
    /// Adds a part to the message that is put together; returns it when it is complete.
    mutating func collect(_ part: WebSocketPart) -> WebSocketMessage? {
        // Somebody else took the end of the message that this began with.
        if collected.kind != part.kind { collected = (part.kind, []) }
        collected.bytes += part.bytes
        guard part.isLast else { return nil }
        let bytes = collected.bytes
        collected.bytes = []
        switch part.kind {
        // Each part was checked where it stood in its message; what readers have taken in turn need not be one message.
        case .text: return .text(String(decoding: bytes, as: UTF8.self))
        case .binary: return .binary(bytes)
        }
    }
}
