import ChatCenterCore

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
