import ChatServerCore

// The two cores have types of the same name, and the module of the server's has the name of one of its types, so that
// nothing in it can be named with the module in front.
typealias ServerCallID = CallID
typealias ServerCloseReason = CloseReason
typealias ServerMessage = StoredMessage
