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

    mutating func add(_ message: SentMessage) {
        placesByID[message.id] = messages.count
        messages.append(message)
        messages[messages.count - 1].stay = stays
    }

    func index(of id: MessageID) -> Int? { placesByID[id] }

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
        tickets = [:]
        received = []
        activeSince = nil
        screen = nil
        uploads = []
        owedErasures = []
        hangingTransfers = []
    }
}
