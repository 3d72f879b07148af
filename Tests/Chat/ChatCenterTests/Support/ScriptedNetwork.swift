import ChatCenterCore
import ChatWire
import Synchronization

@testable import ChatCenter

/// A network with a scripted server. It responds synchronously, so that a test need not wait.
final class ScriptedNetwork: ChatNetwork {
    struct Script {
        /// `nil`: the connection attempt never ends.
        var socket: Result<Void, TransportFailure>? = .success(())
        var configuration: Result<RESTAnswer, TransportFailure> = .success(.configuration(.standard))
        /// Whether calls are answered with 401.
        var refusesTokens = false
        var history: [Content] = []
        var unread: Int64 = 0
        /// Returns the response to a message; `nil` for none.
        var answerToMessage: (@Sendable (Content) -> ServerFrame.Body?)? = { content in
            .receipt(SendReceipt(messageID: "server-" + (content.uuid ?? ""), sentAt: 1_900_000_000_000))
        }
        /// Called with each sent frame.
        var onTransmit: (@Sendable (ClientFrame) -> Void)?
        var registration: ServerFrame.Body = .registered(deviceAddress: "device-1")
        var search: Result<SearchAnswer, TransportFailure> = .success(
            SearchAnswer(total: 0, pages: 0, content: [], page: nil))
        /// The result of an upload; `nil`: the upload never ends.
        var upload: Result<RemoteFile, TransportFailure>? = .success(RemoteFile(reference: "file-1"))
    }

    private struct State {
        var script = Script()
        var commands: [NetworkCommand] = []
        var live: Generation?
    }

    private let state = Mutex(State())
    let sink: @Sendable (NetworkEvent) -> Void

    init(sink: @escaping @Sendable (NetworkEvent) -> Void) {
        self.sink = sink
    }

    var script: Script {
        get { state.withLock { $0.script } }
        set { state.withLock { $0.script = newValue } }
    }

    var commands: [NetworkCommand] { state.withLock { $0.commands } }

    /// The open socket.
    var live: Generation? { state.withLock { $0.live } }

    /// The contents of `sendMessage` frames, in order.
    var sent: [Content] {
        commands.compactMap { command in
            guard case .transmit(_, _, let frame) = command, case .sendMessage(let content, _) = frame.body else {
                return nil
            }
            return content
        }
    }

    /// The texts of sent messages, in order.
    var sentTexts: [String] {
        sent.filter { $0.body == .message }.compactMap(\.text)
    }

    /// The credentials of every requested socket.
    var socketCredentials: [WireCredentials] {
        commands.compactMap { if case .openSocket(_, let request) = $0 { request.credentials } else { nil } }
    }

    /// Pushes messages from the server.
    func push(_ contents: Content...) {
        guard let live else { return }
        let messages = contents.map { content in
            DeliveredMessage(
                messageID: content.uuid.map { "server-" + $0 }, sentAt: content.receivedDate, content: content)
        }
        sink(.received(live, ServerFrame(.messages(messages))))
    }

    /// Breaks the socket.
    func breakSocket(_ failure: TransportFailure = TransportFailure(.unreachable)) {
        let generation = state.withLock { state in
            defer { state.live = nil }
            return state.live
        }
        if let generation { sink(.socketClosed(generation, .transport(failure))) }
    }

    func perform(_ command: NetworkCommand) {
        let script = state.withLock { state in
            state.commands.append(command)
            return state.script
        }
        switch command {
        case .openSocket(let generation, _):
            switch script.socket {
            case .success:
                state.withLock { $0.live = generation }
                sink(.socketOpened(generation))
            case .failure(let failure): sink(.socketClosed(generation, .transport(failure)))
            case nil: break
            }
        case .transmit(let generation, let id, let frame):
            script.onTransmit?(frame)
            sink(.transmitted(generation, id))
            answer(frame, generation, script)
        case .ping(let generation): sink(.ponged(generation))
        case .closeSocket: state.withLock { $0.live = nil }
        case .call(let id, let call): sink(.answered(id, answer(to: call, script)))
        case .upload(let id, let plan):
            sink(.progress(id, plan.file.size, of: plan.file.size))
            if let result = script.upload { sink(.transferred(id, result)) }
        case .download(let id, _): if let result = script.upload { sink(.transferred(id, result)) }
        case .cancel: break
        }
    }

    private func answer(_ frame: ClientFrame, _ generation: Generation, _ script: Script) {
        let body: ServerFrame.Body?
        switch frame.body {
        case .registerDevice: body = script.registration
        case .sendMessage(let content, _) where content.body == .message: body = script.answerToMessage?(content) ?? nil
        case .sendMessage: body = .receipt(SendReceipt(messageID: "info", sentAt: nil))
        case .updateStatuses, .ping: body = .done(action: frame.action)
        case .unknown: body = nil
        }
        if let body { sink(.received(generation, ServerFrame(body, correlationID: frame.correlationID))) }
    }

    private func answer(to call: RESTCall, _ script: Script) -> Result<RESTAnswer, TransportFailure> {
        if script.refusesTokens {
            return .success(.refused(status: 401, .tokenExpired, retryAfterMilliseconds: nil))
        }
        return switch call.request {
        case .configuration: script.configuration
        case .history(let request):
            if case .newest = request.bound {
                .success(.history(HistoryAnswer(messages: script.history)))
            } else {
                .success(.history(HistoryAnswer(messages: [])))
            }
        case .unread: .success(.unread(UnreadAnswer(count: script.unread)))
        case .search: script.search.map { .search($0) }
        case .deleteDevice: .success(.deviceDeleted)
        }
    }
}

extension ConfigurationAnswer {
    /// A configuration with all values that the chat needs.
    static var standard: ConfigurationAnswer {
        ConfigurationAnswer(
            settings: CommunicationSettings(),
            attachmentSettings: AttachmentSettings(maxSize: 1, fileExtensions: ["png", "txt"]))
    }
}
