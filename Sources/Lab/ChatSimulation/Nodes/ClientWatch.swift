import ChatCenterCore

/// What a world remembers of a client, to tell whether the rules hold. Tables are looked up and never walked.
struct ClientWatch {
    var messages: [SentMessage] = []
    /// How often a user left this device.
    private(set) var stays = 0
    private var placesByID: [MessageID: Int] = [:]
    /// Some message may wait for its answer; without one there is no deadline to judge.
    var mayWait = false
    var partings: [Parting] = []
    /// Sockets that were asked for and not given up, by number of generation.
    var openSockets: [UInt64] = []
    /// The link of the newest socket.
    var links: [UInt64: Int] = [:]
    /// Calls that were made in this life.
    var calls: UInt64 = 0
    /// When each was made, in the count of calls.
    var callNumbers: [UInt64: UInt64] = [:]
    var historyCalls: Set<UInt64> = []
    /// Calls for the configuration in progress.
    var configurationCalls: Set<UInt64> = []
    /// Calls in progress that report a logout, with the user.
    var deletions: [UInt64: String] = [:]
    /// Users whose logout this process reported, and those whose report succeeded.
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
    /// Told as new since the user was authorised.
    var received: Set<MessageID> = []
    /// Failed messages that the user wants to be sent again.
    var activeSince: Int64?
    /// The last state of the screen that was told.
    var screen: ChatScreenState?
    /// The last state of the connection that was told.
    var connection = ChatConnectionState.idle
    /// How often the process was asked to authorize, and how often it told an outcome.
    var authorizations = 0
    var outcomes = 0
    /// An outcome was told since the process was asked last.
    var hasOutcome = false
    /// How often it was told that a download had ended.
    var downloads: [String: Int] = [:]
    /// Transfers whose end was told.
    var endedTransfers: Set<String> = []
    /// The server or the app said that the token is no good, and there is no other one yet.
    var isTokenRefused = false
    /// The token that the process uses.
    var token: String?
    /// When a fetch of the history failed last; world time.
    var historyFailedAt = Int64.min
    /// When the user typed last; world time.
    var typedAt = Int64.min
    /// The user rated a survey on the screen in the quiet time.
    var hasRated = false
    /// How many messages of the conversation there were to be found by the search on the screen.
    var hits = 0
    /// The number of the message that quotes another one.
    var quotingNumber: Int?
    /// The stay in which the user typed last.
    var draftStay: Int?

    mutating func add(_ message: SentMessage) {
        placesByID[message.id] = messages.count
        messages.append(message)
        messages[messages.count - 1].stay = stays
    }

    func index(of id: MessageID) -> Int? { placesByID[id] }

    /// A failed message of a user that can be sent again.
    func failedMessage(of user: String) -> MessageID? {
        messages.first { message in
            guard case .failed = message.told, !message.isGivenUp else { return false }
            return message.user == user
        }?.id
    }

    /// A message of a user that has not gone out, or that failed.
    func waitingMessage(of user: String) -> MessageID? {
        messages.last { message in
            guard !message.isGivenUp, message.user == user else { return false }
            switch message.told {
            case .failed, .queued, .uploading: return true
            default: return false
            }
        }?.id
    }

    /// The user sends a failed message again. Returns `false` for an unknown one.
    mutating func resend(_ id: MessageID) -> Bool {
        guard let index = index(of: id) else { return false }
        messages[index].mayBeOvertaken = true
        messages[index].handedOverAt = nil
        messages[index].deadline = nil
        uploads.removeAll { $0.message == id }
        return true
    }

    /// The user takes a message back. Returns `false` for an unknown one.
    mutating func discard(_ id: MessageID) -> Bool {
        guard let index = index(of: id) else { return false }
        messages[index].isGivenUp = true
        messages[index].isDiscarded = true
        messages[index].deadline = nil
        messages[index].handedOverAt = nil
        uploads.removeAll { $0.message == id }
        return true
    }

    /// A user is authorised. A pending report of an earlier logout of this user is dropped.
    mutating func excusePartings(of user: String) {
        forgetReports(of: user)
        for index in partings.indices where partings[index].user == user { partings[index].isExcused = true }
    }

    /// Reports of earlier logouts of this user do not count for the next one.
    mutating func forgetReports(of user: String) {
        deletions = [:]
        reportedLogouts.remove(user)
        confirmedLogouts.remove(user)
    }

    /// A frame of this message was handed to a socket.
    func hasGoneOut(_ id: MessageID) -> Bool { index(of: id).map { messages[$0].correlation != nil } ?? false }

    /// The user of these messages is gone from the device.
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

    /// The process is gone: so are its sockets, its calls and who waited for answers.
    mutating func processEnded() {
        openSockets = []
        links = [:]
        callNumbers = [:]
        historyCalls = []
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

/// What a world knows of a message that a client was given.
struct SentMessage {
    let id: MessageID
    let user: String
    /// The count of this client's messages.
    let number: Int
    let text: String
    /// Counts the times that the user was authorised on this device: a frame of an earlier stay may come late.
    var stay = 0
    var isAcknowledged = false
    /// `send` was answered with a refusal.
    var isRefused = false
    /// The user forgot it, or left.
    var isGivenUp = false
    /// The user took it out of the queue, or forgot a failed one.
    var isDiscarded = false
    /// It failed, was sent again, or is not part of the order: others may overtake it.
    var mayBeOvertaken = false
    /// What was told last.
    var told: ChatMessageState?
    /// Its final state in the store.
    var kept: ChatMessageState?
    /// Its files.
    var files: [LocalFile] = []
    /// Files that are not uploaded yet, and when the last upload succeeded; world time.
    var missingFiles: [String] = []
    var readyAt: Int64 = 0
    /// When it was sent for the first time; world time.
    var firstOutAt: Int64?
    /// How often it was sent.
    var transmissions = 0
    /// The link of its newest frame, and the number of pings that were sent on that link before.
    var link: Int?
    var pingsBefore = 0
    /// Since when its reply is overdue; world time.
    var overdueSince: Int64?
    /// Since when a frame of the same socket that is newer has its reply; world time.
    var laterReplySince: Int64?
    /// Since when the store has it as one that is being looked up; world time.
    var lookedUpSince: Int64 = 0
    /// The count of calls at that time.
    var callsBeforeLookUp: UInt64 = 0
    /// Whether the store has it as one that is being looked up.
    var isLookedUp = false
    /// It was told while the disk was full: a process that dies does not know it any more.
    var wasToldUnsaved = false
    /// When a frame of it was handed to a socket, since it was queued last; world time.
    var handedOverAt: Int64?
    /// The latest moment for its failing, in deadline mode.
    var deadline: Int64?
    /// A frame of it is out and no reply came.
    var isOutcomeUnknown = false
    /// The count of calls when its newest frame went out.
    var callsBefore: UInt64 = 0
    /// The correlation of its newest frame.
    var correlation: String?
}

/// The upload of a file, all attempts together.
struct UploadWatch {
    let file: String
    let message: MessageID
    let user: String
    /// When the first attempt began; world time.
    let since: Int64
}

/// A user who left a device, and what the device has to tell the server of it.
struct Parting {
    let user: String
    /// The device's address, if the server had given one.
    let address: String?
    let ticket: Ticket?
    let time: Int64
    var outcome: LogoutOutcome?
    /// The user's store is erased, and what is to be told lies in it.
    var isKept = false
    /// The process that was asked has ended: nobody is there to be answered.
    var lostItsCaller = false
    /// Nothing is owed any more: the process died before the user's store was erased, or the user came back.
    var isExcused = false

    mutating func processEnded() {
        if !isKept { isExcused = true }
        lostItsCaller = true
    }
}
