import ChatCenterCore
import ChatWire

/// A minimal server as a value. It answers commands with events and stores the accepted messages.
struct FakeServer {
    /// The answers that the server omits.
    struct Silence: OptionSet {
        var rawValue: Int
        static let upgrade = Silence(rawValue: 1)
        static let register = Silence(rawValue: 2)
        static let clientInfo = Silence(rawValue: 4)
        static let message = Silence(rawValue: 8)
        static let history = Silence(rawValue: 16)
        static let configuration = Silence(rawValue: 32)
        static let statuses = Silence(rawValue: 64)
        static let unread = Silence(rawValue: 128)
        static let upload = Silence(rawValue: 256)
        static let offline = Silence(rawValue: 512)
        static let pong = Silence(rawValue: 1024)
        static let everything = Silence(rawValue: 2047)
    }

    var silence: Silence = []
    /// The error for the next frame of this kind.
    var refusesRegister: ErrorAnswer?
    var refusesClientInfo: ErrorAnswer?
    var refusesMessage: ErrorAnswer?
    var refusesOffline: ErrorAnswer?
    /// Whether messages are lost before they reach the server.
    var losesMessages = false
    /// The status of the answers to REST calls of this kind.
    var historyStatus: Int?
    var configurationStatus: Int?
    /// If set, the only token that the server accepts.
    var acceptedToken: String?
    private var socketTokens: [Generation: String?] = [:]
    var configuration = FakeServer.standardConfiguration
    var unreadCount: Int64 = 0
    /// The date of the newest message that `unreadCount` includes.
    var unreadLastDate: Int64?
    var longestPage = Int.max
    /// The conversation, oldest first.
    var history: [Content] = []
    /// The UUIDs of the accepted messages, in order, each of them once.
    private(set) var accepted: [String] = []
    /// The number of times that each message arrived without being refused.
    private(set) var frames: [String: Int] = [:]
    private(set) var registrations: [DeviceRegistration] = []
    private(set) var infos: [ClientInfo] = []
    private(set) var offline: [String] = []
    /// The devices that were deleted over REST.
    private(set) var deletedDevices: [String] = []
    var deviceStatus: Int?
    private(set) var drafts: [String] = []
    private(set) var answers: [SurveyAnswer] = []
    private(set) var statuses: [StatusChange] = []
    var clock: Int64 = 1_700_000_000_000

    static let standardConfiguration = ConfigurationAnswer(
        settings: CommunicationSettings(typingMessagesIntervalSeconds: 3),
        attachmentSettings: AttachmentSettings(maxSize: 10, fileExtensions: ["png", "pdf"]))

    /// Returns the events that a command produces, in order.
    mutating func answer(_ command: NetworkCommand) -> [NetworkEvent] {
        switch command {
        case .openSocket(let generation, let request):
            socketTokens[generation] = request.credentials.token
            return silence.contains(.upgrade) ? [] : [.socketOpened(generation)]
        case .transmit(let generation, let id, let frame):
            if let acceptedToken, socketTokens[generation] != acceptedToken {
                refuse(frame)
            }
            return [.transmitted(generation, id)] + reply(to: frame).map { .received(generation, $0) }
        case .ping(let generation):
            return silence.contains(.pong) ? [] : [.ponged(generation)]
        case .call(let id, let call):
            if let acceptedToken, call.credentials.token != acceptedToken {
                return [.answered(id, .success(refused(401)))]
            }
            if case .deleteDevice = call.request {
                if silence.contains(.offline) { return [] }
                if let deviceStatus { return [.answered(id, .success(refused(deviceStatus)))] }
                deletedDevices.append(call.deviceAddress ?? "")
                return [.answered(id, .success(.deviceDeleted))]
            }
            return answer(to: call.request).map { [.answered(id, .success($0))] } ?? []
        case .upload(let id, let plan):
            if let acceptedToken, plan.credentials.token != acceptedToken {
                return [.transferred(id, .failure(TransportFailure(.refused, status: 401)))]
            }
            guard !silence.contains(.upload) else { return [] }
            let file = RemoteFile(reference: "file-\(id.text)", name: plan.file.name, size: plan.file.size)
            return [.progress(id, plan.file.size, of: plan.file.size), .transferred(id, .success(file))]
        case .download(let id, let plan):
            return [.transferred(id, .success(RemoteFile(reference: "/tmp/\(plan.reference)")))]
        case .closeSocket, .cancel:
            return []
        }
    }

    private mutating func refuse(_ frame: ClientFrame) {
        switch frame.body {
        case .registerDevice: refusesRegister = .tokenExpired
        case .sendMessage(let content, _):
            if case .clientInfo = content.body {
                refusesClientInfo = .tokenExpired
            } else {
                refusesMessage = .tokenExpired
            }
        case .updateStatuses, .ping, .unknown: break
        }
    }

    private mutating func reply(to frame: ClientFrame) -> [ServerFrame] {
        func reply(_ body: ServerFrame.Body) -> [ServerFrame] {
            [ServerFrame(body, correlationID: frame.correlationID)]
        }
        switch frame.body {
        case .registerDevice(let registration):
            registrations.append(registration)
            if silence.contains(.register) { return [] }
            if let failure = refusesRegister {
                refusesRegister = nil
                return reply(.failure(action: "registerDevice", failure))
            }
            return reply(.registered(deviceAddress: registration.deviceAddress ?? "device-of-\(registration.clientID)"))
        case .sendMessage(let content, _):
            return received(content, reply)
        case .updateStatuses(let changes, _):
            if silence.contains(.statuses) { return [] }
            statuses += changes
            return reply(.done(action: "updateStatuses"))
        case .ping:
            return silence.contains(.pong) ? [] : reply(.done(action: "ping"))
        case .unknown:
            return []
        }
    }

    private mutating func received(
        _ content: Content, _ reply: (ServerFrame.Body) -> [ServerFrame]
    ) -> [ServerFrame] {
        clock += 1
        let receipt = SendReceipt(messageID: "m-\(content.uuid ?? "")", sentAt: clock)
        switch content.body {
        case .clientInfo(let info):
            infos.append(info)
            if silence.contains(.clientInfo) { return [] }
            if let failure = refusesClientInfo {
                refusesClientInfo = nil
                return reply(.failure(action: "sendMessage", failure))
            }
        case .typing(let draft, _):
            drafts.append(draft ?? "")
        case .surveyQuestionAnswer(let answer):
            answers.append(answer)
        case .clientOffline:
            if let failure = refusesOffline {
                refusesOffline = nil
                return reply(.failure(action: "sendMessage", failure))
            }
            offline.append(content.clientID ?? "")
            if silence.contains(.offline) { return [] }
        case .message:
            if let failure = refusesMessage {
                refusesMessage = nil
                return reply(.failure(action: "sendMessage", failure))
            }
            if losesMessages { return [] }
            frames[content.uuid ?? "", default: 0] += 1
            accept(content)
            if silence.contains(.message) { return [] }
        default: break
        }
        return reply(.receipt(receipt))
    }

    /// Accepts a message once, however often it arrives.
    mutating func accept(_ content: Content) {
        guard let uuid = content.uuid, !accepted.contains(uuid) else { return }
        accepted.append(uuid)
        var kept = content
        kept.messageID = "m-\(uuid)"
        kept.receivedDate = clock
        history.append(kept)
    }

    /// Adds a message from an operator.
    mutating func says(_ text: String, uuid: String) -> Content {
        clock += 1
        let content = Content(
            .message, uuid: uuid, messageID: "m-\(uuid)", operator: Operator(name: "Eva", role: .operator), text: text,
            receivedDate: clock)
        history.append(content)
        return content
    }

    private func answer(to request: RESTRequest) -> RESTAnswer? {
        switch request {
        case .configuration:
            if silence.contains(.configuration) { return nil }
            if let status = configurationStatus { return refused(status) }
            return .configuration(configuration)
        case .history(let request):
            if silence.contains(.history) { return nil }
            if let status = historyStatus { return refused(status) }
            return page(request)
        case .unread:
            return silence.contains(.unread) ? nil : .unread(UnreadAnswer(count: unreadCount, lastDate: unreadLastDate))
        case .search(let query, _, _):
            let hits = history.filter { $0.text?.contains(query) == true }
            return .search(SearchAnswer(total: Int64(hits.count), pages: 1, content: hits, page: nil))
        case .deleteDevice: return .deviceDeleted
        }
    }

    private func refused(_ status: Int) -> RESTAnswer {
        .refused(status: status, status == 401 ? .tokenExpired : nil, retryAfterMilliseconds: nil)
    }

    private func page(_ request: HistoryRequest) -> RESTAnswer {
        let count = min(Int(request.count), longestPage)
        let cursor: String?
        switch request.bound {
        case .newest: cursor = nil
        case .before(let uuid), .after(let uuid): cursor = uuid
        }
        var place = history.endIndex
        if let cursor {
            guard let index = history.firstIndex(where: { $0.uuid == cursor }) else {
                return .refused(status: 404, .unknownCursor, retryAfterMilliseconds: nil)
            }
            place = index
        }
        if case .after = request.bound {
            return .history(HistoryAnswer(messages: Array(history[(place + 1)...].prefix(count))))
        }
        return .history(HistoryAnswer(messages: Array(history[..<place].suffix(count))))
    }
}
