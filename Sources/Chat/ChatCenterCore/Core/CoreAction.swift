import ChatWire

/// What a state machine of the core wants done. All machines share these actions; `ChatCore.perform` carries them out in
/// order, each with what follows from it, before the next one.
enum CoreAction: Hashable, Sendable {
    /// Hands an effect to the driver.
    case effect(ChatEffect)

    // MARK: The store

    /// Adds a change to the store of the user who is authorized.
    case save(StoreChange)
    /// Commits a new message with its files.
    case commit(StoreTransaction)
    /// Keeps a message in a new state, in the conversation and in the store.
    case keep(StoredMessage)
    /// Removes the row that says that this user's logout is to be reported.
    case removeFarewell(of: String)
    /// The store could not be read.
    case storeReadFailed(StoreFailure)

    // MARK: The server

    /// Sends a content that is not kept on the live socket.
    case say(ContentBody, for: FrameLedger.Purpose)
    /// Hands a message to the live socket.
    case sendMessage(StoredMessage)
    /// Tells the server the statuses of messages.
    case tellStatuses([StatusChange], for: FrameLedger.Purpose)
    /// Calls the server over REST.
    case call(RESTRequest, for: PendingCall.Purpose)
    /// Cancels the calls of the search on the screen with this number.
    case cancelSearch(screen: UInt64)
    /// The server says what time it is there.
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
    /// The socket is gone without this side wanting it.
    case lost(DisconnectCause)
    /// Asks whether the socket is still alive. A wait for the next one ends if there is a route.
    case doubtSocket(hasRoute: Bool)
    /// Closes the socket, which stands on a network that is gone.
    case replaceSocket
    /// Closes the socket of a user who logged out.
    case disconnect
    /// Allows a new socket after a halt.
    case resumeSocket
    /// Ends the waits between attempts.
    case tryAgain

    // MARK: The session

    /// There is another token: what waited for one goes on.
    case goOn
    /// Says what came of a logout, once nothing of the user is left.
    case tellLoggedOut(Ticket, LogoutOutcome)
    /// The file store refused the token of an upload; `TransferMachine.tokenDecided` follows.
    case tokenRefused(TransferID, WireCredentials?, TransportFailure)

    // MARK: Own messages

    /// Puts a message of the core's own making into the queue.
    case send(OutgoingMessage)
    /// Tells the host application the state of a message.
    case tell(MessageID, Delivery)
    /// Tells it only if the user can see the difference.
    case changed(MessageID, from: Delivery, to: Delivery)
    /// The server has the message; no reply to a frame of it is waited for.
    case arrived(MessageID)
    /// Fails a message that is in the queue.
    case fail(MessageID, TransportFailure)
    /// Plans the uploads of a message anew.
    case uploadAgain(MessageID)
    /// Looks in the history whether a message arrived; `resolveUnconfirmed` follows.
    case lookUp
    /// The history was asked: messages that it does not hold never arrived.
    case resolveUnconfirmed
    /// The history cannot be asked: nothing waits for it for long.
    case limitLookUps
    /// Counts a change that the rows do not show.
    case redraw
    /// Brings a message into view, if there is one.
    case scroll(to: MessageID?)

    // MARK: The history

    /// Takes over a page of what was missed; `absorbed` follows.
    case absorb(SyncMachine.Page)
    /// The page is taken over.
    case absorbed(SyncMachine.Page)
    /// Takes over older messages.
    case absorbOlder([Content])
    /// The history says who works on the dialog.
    case noteAgent(JSONObject)
    /// What was missed is here, or could not be fetched.
    case ended(TransportFailure?)

    // MARK: Items of the server

    /// An item arrived, of this time if it has one.
    case noteContent(Content, time: Int64?)
    /// The other side types; this is its name, if it is known.
    case heardTyping(String?)
    /// The server pushed a part of the configuration.
    case pushed(ContentBody)
    /// Asks for the configuration.
    case requestConfiguration
    /// A message of this time is here; between it and what is known there may be more.
    case fill(to: Int64)
    /// A message is held now, of this time if the server gave one.
    case held(StoredMessage, time: Int64?, from: Incoming.Source)
    /// Messages of the other side that were not known are here, in order.
    case received([MessageID], from: Incoming.Source)

    static func notify(_ notice: SDKNotice) -> CoreAction { .effect(.notify(notice)) }

    static func network(_ command: NetworkCommand) -> CoreAction { .effect(.network(command)) }

    static func log(_ category: ChatLogRecord.Category, _ text: String) -> CoreAction {
        .effect(.log(ChatLogRecord(category, text)))
    }
}
