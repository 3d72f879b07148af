/// What the server took note of but did not act upon: a bounded set, fit for a log line.
package enum ServerNote: String, Hashable, Sendable, CaseIterable {
    /// An event concerns a connection that is not open (any more).
    case unknownConnection
    /// A connection number was announced twice.
    case repeatedConnection
    /// A frame could not be read.
    case unreadableFrame
    /// An operator's action concerns a client that the server does not know.
    case unknownClient
    /// An operator's action was refused for another reason.
    case refusedAction
    /// The bot has too much to do and lets this message pass.
    case botOverloaded
    /// A planned fault has happened.
    case fault
    /// A frame was lost, as the network's conditions want it.
    case lost
    /// There are too many planned faults, or script steps that wait, for another one.
    case overloaded
}
