/// A reason why the server did not act upon an event. The set is fixed and safe for log lines.
package enum ServerNote: String, Hashable, Sendable, CaseIterable {
    /// An event concerns a connection that is not open or no longer open.
    case unknownConnection
    /// A connection number was announced twice.
    case repeatedConnection
    /// A frame could not be read.
    case unreadableFrame
    /// An operator's action concerns an unknown client.
    case unknownClient
    /// An operator's action was refused for another reason.
    case refusedAction
    /// The bot has too many planned steps and does not answer this message.
    case botOverloaded
    /// A planned fault has happened.
    case fault
    /// A frame was lost because of the network conditions.
    case lost
    /// There are too many planned faults or waiting script steps.
    case overloaded
}
