import ChatWire
import HoldfastWebSocket

/// A client's socket, read one frame at a time.
final class TestSocket {
    let connection: WebSocketConnection
    private var messages: WebSocketMessages.Iterator
    /// Frames that were received while waiting for another one.
    private var waiting: [ServerFrame] = []
    private var count = 0
    private(set) var deviceAddress: String?

    init(_ connection: WebSocketConnection) {
        self.connection = connection
        messages = connection.messages.makeAsyncIterator()
    }

    /// Returns the next frame.
    func next() async throws -> ServerFrame {
        if !waiting.isEmpty { return waiting.removeFirst() }
        return try await read()
    }

    private func read() async throws -> ServerFrame {
        guard case .text(let text)? = try await messages.next() else { throw Ended(closure: connection.closure) }
        return try ServerFrame(parsing: Array(text.utf8))
    }

    struct Ended: Error {
        var closure: WebSocketClosure?
    }

    /// Sends a frame and waits for its reply.
    @discardableResult
    func ask(_ body: ClientFrame.Body) async throws -> ServerFrame {
        count += 1
        let frame = ClientFrame(body, correlationID: "t\(count)")
        try await connection.send(.text(String(decoding: frame.bytes, as: UTF8.self)))
        while true {
            let answer = try await read()
            if answer.correlationID == frame.correlationID { return answer }
            waiting.append(answer)
        }
    }

    func register(_ clientID: String = "alice", deviceAddress: String? = nil) async throws {
        let reply = try await ask(
            .registerDevice(DeviceRegistration(clientID: clientID, deviceAddress: deviceAddress)))
        if case .registered(let address) = reply.body { self.deviceAddress = address }
    }

    func join(_ clientID: String, deviceAddress: String? = nil) async throws {
        try await register(clientID, deviceAddress: deviceAddress)
        try await ask(.sendMessage(Content(.clientInfo(ClientInfo(name: clientID))), deviceAddress: self.deviceAddress))
    }

    @discardableResult
    func say(_ text: String, uuid: String, attachments: [Attachment] = []) async throws -> SendReceipt? {
        let content = Content(.message, uuid: uuid, text: text, attachments: attachments)
        guard case .receipt(let receipt) = try await ask(.sendMessage(content, deviceAddress: deviceAddress)).body
        else {
            return nil
        }
        return receipt
    }

    /// Reads until a message with this text is pushed.
    func message(_ text: String) async throws -> DeliveredMessage {
        try await push { $0.content.body == .message && $0.content.text == text }
    }

    /// Reads until a matching message is pushed.
    func push(where fits: (DeliveredMessage) -> Bool) async throws -> DeliveredMessage {
        while true {
            if case .messages(let messages) = try await next().body, let found = messages.first(where: fits) {
                return found
            }
        }
    }

    /// Reads until the socket ends, and returns how it ended.
    func end() async -> WebSocketClosure? {
        while let message = try? await messages.next() { _ = message }
        return connection.closure
    }
}
