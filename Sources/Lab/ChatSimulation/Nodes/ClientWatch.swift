import ChatCenterCore

/// What the rules need to know about a client. The tables are looked up and never iterated, because their order differs
/// between processes.
struct ClientWatch {
    var messages: [SentMessage] = []
    /// The number of times that a user left this device.
    private(set) var stays = 0
    private var placesByID: [MessageID: Int] = [:]
    /// Whether a message may be waiting for its reply. If not, there is no deadline to check.
    var mayWait = false
    var partings: [Parting] = []
    /// The generations of sockets that were opened and not closed.
    var openSockets: [UInt64] = []
    /// The links by the generation of their sockets.
    var links: [UInt64: Int] = [:]
    /// The number of calls that this process made.
    var calls: UInt64 = 0
    /// The position of each call in the count of calls.
    var callNumbers: [UInt64: UInt64] = [:]
    var historyCalls: Set<UInt64> = []
    /// Calls for the configuration in progress.
    var configurationCalls: Set<UInt64> = []
    /// Calls in progress that report a logout, with the user.
    var deletions: [UInt64: String] = [:]
    /// Users whose logout this process reported, and users whose report the server confirmed.
    var reportedLogouts: Set<String> = []
    var confirmedLogouts: Set<String> = []
    var tickets: [UInt64: Int] = [:]
    var unreadTold = 0
    var discardedFiles: Set<String> = []
    var cancelledTransfers: Set<String> = []
    /// Uploads that hang until they time out.
    var hangingTransfers: Set<String> = []
    /// Uploads in progress.
    var uploads: [UploadWatch] = []
    /// Users whose stores have not been erased yet.
    var owedErasures: Set<String> = []
    /// Messages that were reported as new since the user was authorized.
    var received: Set<MessageID> = []
    /// Since when the documented timer runs; world time.
    var activeSince: Int64?
    /// The last published screen.
    var screen: ChatScreenState?
    /// The last reported state of the connection.
    var connection = ChatConnectionState.idle
    /// The numbers of `authorize` calls and of reported outcomes.
    var authorizations = 0
    var outcomes = 0
    /// Whether an outcome was reported since the last call of `authorize`.
    var hasOutcome = false
    /// How often the end of each download was reported.
    var downloads: [String: Int] = [:]
    /// Transfers whose end was reported.
    var endedTransfers: Set<String> = []
    /// Whether the server refused the token and the app has not provided another one.
    var isTokenRefused = false
    /// The token of the process.
    var token: String?
    /// When a request for the history failed last; world time.
    var historyFailedAt = Int64.min
    /// The number of requests for the history that followed a failed one without a delay, since the last success.
    var hastyRequests = 0
    /// When the user typed last; world time.
    var typedAt = Int64.min
    /// Whether the user rated a survey on the screen in the quiet time.
    var hasRated = false
    /// The number of messages that the search on the screen can find.
    var hits = 0
    /// The number of the message that contains a quote.
    var quotingNumber: Int?
    /// The texts that users typed. A draft survives the process, so all of them are kept.
    private var drafts: [(user: String?, text: String)] = []

    /// Notes a text that the user typed; `user` is `nil` if no user was authorized.
    mutating func typed(_ text: String, by user: String?) {
        // The core cuts a long text.
        drafts.append((user, String(text.prefix(4000))))
    }

    /// Returns whether this user typed the text, or it was typed without a user.
    func hasTyped(_ text: String, _ user: String?) -> Bool {
        drafts.contains { $0.text == text && ($0.user == nil || $0.user == user) }
    }

    mutating func add(_ message: SentMessage) {
        placesByID[message.id] = messages.count
        messages.append(message)
        messages[messages.count - 1].stay = stays
    }

    func index(of id: MessageID) -> Int? { placesByID[id] }

    /// Returns a failed message of a user that can be sent again.
    func failedMessage(of user: String) -> MessageID? {
        messages.first { message in
            guard case .failed = message.told, !message.isGivenUp else { return false }
            return message.user == user
        }?.id
    }

    /// Returns a message of a user that was not sent yet, or that failed.
    func waitingMessage(of user: String) -> MessageID? {
        messages.last { message in
            guard !message.isGivenUp, message.user == user else { return false }
            switch message.told {
            case .failed, .queued, .uploading: return true
            default: return false
            }
        }?.id
    }

    /// Notes that the user sends a failed message again. Returns `false` for an unknown message.
    mutating func resend(_ id: MessageID) -> Bool {
        guard let index = index(of: id) else { return false }
        messages[index].mayBeOvertaken = true
        messages[index].handedOverAt = nil
        messages[index].deadline = nil
        uploads.removeAll { $0.message == id }
        return true
    }

    /// Notes that the user discards a message. Returns `false` for an unknown message.
    mutating func discard(_ id: MessageID) -> Bool {
        guard let index = index(of: id) else { return false }
        messages[index].isGivenUp = true
        messages[index].isDiscarded = true
        messages[index].deadline = nil
        messages[index].handedOverAt = nil
        uploads.removeAll { $0.message == id }
        return true
    }

    /// Notes that a user is authorized. A pending report of an earlier logout of this user is dropped.
    mutating func excusePartings(of user: String) {
        forgetReports(of: user)
        for index in partings.indices where partings[index].user == user { partings[index].isExcused = true }
    }

    /// Forgets the reports of earlier logouts of this user.
    mutating func forgetReports(of user: String) {
        deletions = [:]
        reportedLogouts.remove(user)
        confirmedLogouts.remove(user)
    }

    /// Whether a frame of this message was sent.
    func hasGoneOut(_ id: MessageID) -> Bool { index(of: id).map { messages[$0].correlation != nil } ?? false }

    /// Gives up the messages of a user who left the device.
    mutating func giveUp(user: String) {
        for index in messages.indices where messages[index].user == user {
            messages[index].isGivenUp = true
            messages[index].deadline = nil
            messages[index].handedOverAt = nil
            messages[index].told = nil
        }
        received = []
        uploads.removeAll { $0.user == user }
        stays += 1
    }

    /// Forgets the sockets, calls and tickets of the process, which has ended.
    mutating func processEnded() {
        openSockets = []
        links = [:]
        callNumbers = [:]
        historyCalls = []
        hastyRequests = 0
        configurationCalls = []
        deletions = [:]
        reportedLogouts = []
        confirmedLogouts = []
        tickets = [:]
        received = []
        activeSince = nil
        screen = nil
        connection = .idle
        authorizations = 0
        outcomes = 0
        isTokenRefused = false
        token = nil
        downloads = [:]
        uploads = []
        owedErasures = []
        hangingTransfers = []
    }
}

/// What the world knows about a message that was handed to a client.
struct SentMessage {
    let id: MessageID
    let user: String
    /// The position of the message among those of this client.
    let number: Int
    let text: String
    /// The stay of the user on this device. A frame of an earlier stay may arrive late.
    var stay = 0
    var isAcknowledged = false
    /// Whether `send` refused the message.
    var isRefused = false
    /// Whether the user discarded the message or left.
    var isGivenUp = false
    /// Whether the user discarded the message.
    var isDiscarded = false
    /// Whether other messages may overtake this one: it failed, was sent again, or is not part of the order.
    var mayBeOvertaken = false
    /// The last reported state.
    var told: ChatMessageState?
    /// Its final state in the store.
    var kept: ChatMessageState?
    /// Its files.
    var files: [LocalFile] = []
    /// The files that are not uploaded yet, and when the last upload succeeded; world time.
    var missingFiles: [String] = []
    var readyAt: Int64 = 0
    /// When the message was sent for the first time; world time.
    var firstOutAt: Int64?
    /// How often the message was sent.
    var transmissions = 0
    /// The link of the newest frame, and the number of pings that were sent on that link before it.
    var link: Int?
    var pingsBefore = 0
    /// Since when the reply is overdue; world time.
    var overdueSince: Int64?
    /// When a later frame of the same socket received its reply; world time.
    var laterReplySince: Int64?
    /// When the message was stored as being looked up; world time.
    var lookedUpSince: Int64 = 0
    /// The number of calls at that time.
    var callsBeforeLookUp: UInt64 = 0
    /// Whether the message is stored as being looked up.
    var isLookedUp = false
    /// Whether the state was reported while the disk was full. A process that starts later does not know that state.
    var wasToldUnsaved = false
    /// When the message was sent after it was queued last; world time.
    var handedOverAt: Int64?
    /// The latest time at which the message must fail, in deadline mode.
    var deadline: Int64?
    /// Whether the message was sent and has no reply.
    var isOutcomeUnknown = false
    /// The number of calls when the newest frame was sent.
    var callsBefore: UInt64 = 0
    /// The correlation ID of the newest frame.
    var correlation: String?
}

/// The upload of a file with all its attempts.
struct UploadWatch {
    let file: String
    let message: MessageID
    let user: String
    /// When the first attempt started; world time.
    let since: Int64
}

/// A user who left a device, and what the device must report to the server.
struct Parting {
    let user: String
    /// The device address, if the server had assigned one.
    let address: String?
    let ticket: Ticket?
    let time: Int64
    var outcome: LogoutOutcome?
    /// Whether the user's store is erased and contains the farewell.
    var isKept = false
    /// Whether the process that received the logout has ended, so that its caller gets no outcome.
    var lostItsCaller = false
    /// Whether no report is required: the process ended before the user's store was erased, or the user came back.
    var isExcused = false

    mutating func processEnded() {
        if !isKept { isExcused = true }
        lostItsCaller = true
    }
}
