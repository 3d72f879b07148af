import ChatCenterCore

// See ServerNames.swift.
typealias ClientCallID = CallID
typealias ClientCloseReason = CloseReason
typealias ClientMessage = StoredMessage
