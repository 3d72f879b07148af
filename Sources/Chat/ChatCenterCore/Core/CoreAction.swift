import ChatWire

/// An action that a state machine requests from the core. All machines share these actions. `ChatCore.perform` executes
/// them in order, each with its consequences, before the next one.
enum CoreAction: Hashable, Sendable {
    /// Hands an effect to the driver.
    case effect(ChatEffect)

    // MARK: The store

    /// Adds a change to the store of the user who is authorized.
    case save(StoreChange)
    /// Commits a new message with its files.
    case commit(StoreTransaction)
    /// Saves a message in a new state, in the conversation and in the store.
    case keep(StoredMessage)
    /// Deletes the stored row of this user's unreported logout.
    case removeFarewell(of: String)
    /// The store could not be read.
    case storeReadFailed(StoreFailure)

    // MARK: The server

    /// Sends a content that is not stored, on the live socket.
    case say(ContentBody, for: FrameLedger.Purpose)
    /// Sends a message on the live socket.
    case sendMessage(StoredMessage)
    /// Reports the statuses of messages to the server.
    case tellStatuses([StatusChange], for: FrameLedger.Purpose)
    /// Calls the server over REST.
    case call(RESTRequest, for: PendingCall.Purpose)
    /// Cancels the calls of the search on the screen with this number.
    case cancelSearch(screen: UInt64)
    /// Records the server's current time.
    case noteServerTime(Int64)

    // MARK: The socket

    /// Opens a socket.
    case open(Generation)
    case close(Generation, CloseReason)
    /// Sends `registerDevice`.
    case register
    /// Sends CLIENT_INFO.
    case introduce
    case becameReady
    case ping(Generation)
    /// The socket was lost or could not be opened.
    case lost(DisconnectCause)
    /// Probes the socket. If there is a route, a wait for the next socket ends.
    case doubtSocket(hasRoute: Bool)
    /// Closes the socket, because its network is gone.
    case replaceSocket
    /// Closes the socket of a user who logged out.
    case disconnect
    /// Allows a new socket after a halt.
    case resumeSocket
    /// Ends the waits between attempts.
    case tryAgain

    // MARK: The session

    /// Continues the work that waited for a new token.
    case goOn
    /// Reports the outcome of a logout after the user's data is deleted.
    case tellLoggedOut(Ticket, LogoutOutcome)
    /// The file store refused the token of an upload; `TransferMachine.tokenDecided` follows.
    case tokenRefused(TransferID, WireCredentials?, TransportFailure)

    // MARK: Own messages

    /// Queues a message that the core created.
    case send(OutgoingMessage)
    /// Reports the state of a message to the host application.
    case tell(MessageID, Delivery)
    /// Reports the new state of a message only if the visible state changed.
    case changed(MessageID, from: Delivery, to: Delivery)
    /// The server has the message, so replies to its frames are no longer awaited.
    case arrived(MessageID)
    /// Fails a queued message.
    case fail(MessageID, TransportFailure)
    /// Schedules the uploads of a message again.
    case uploadAgain(MessageID)
    /// Checks in the history whether a message arrived; `resolveUnconfirmed` follows.
    case lookUp
    /// The history was loaded. Unconfirmed messages that it does not contain never arrived.
    case resolveUnconfirmed
    /// The history cannot be loaded. Limits the time that messages wait for it.
    case limitLookUps
    /// Increases the revision for a change that the rows do not contain.
    case redraw
    /// Scrolls to a message; does nothing if it is `nil`.
    case scroll(to: MessageID?)

    // MARK: The history

    /// Merges a page of missed messages into the conversation; `absorbed` follows.
    case absorb(SyncMachine.Page)
    /// The page was merged.
    case absorbed(SyncMachine.Page)
    /// Merges older messages into the conversation.
    case absorbOlder([Content])
    /// The history contains the operator who works on the dialog.
    case noteAgent(JSONObject)
    /// Loading the missed messages ended, or failed with this failure.
    case ended(TransportFailure?)

    // MARK: Items of the server

    /// An item arrived, with its time if it has one.
    case noteContent(Content, time: Int64?)
    /// The other side is typing; the name is `nil` if it is unknown.
    case heardTyping(String?)
    /// The server pushed a part of the configuration.
    case pushed(ContentBody)
    /// Requests the configuration.
    case requestConfiguration
    /// A message of this time arrived. There may be missed messages between it and the loaded history.
    case fill(to: Int64)
    /// A message was added, with the server's time if there is one.
    case held(StoredMessage, time: Int64?, from: Incoming.Source)
    /// New messages from the company were added, in order.
    case received([MessageID], from: Incoming.Source)

    static func notify(_ notice: SDKNotice) -> CoreAction { .effect(.notify(notice)) }

    static func network(_ command: NetworkCommand) -> CoreAction { .effect(.network(command)) }

    static func log(_ category: ChatLogRecord.Category, _ text: String) -> CoreAction {
        .effect(.log(ChatLogRecord(category, text)))
    }
}
