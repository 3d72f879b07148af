package import ChatWire

/// The id of a REST call.
package struct ServerCallID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// The HTTP calls of a client.
package enum CallName: String, Hashable, Sendable, CaseIterable {
    case configuration, history, unread, search, deleteDevice, upload, download

    init(_ request: RESTRequest) {
        switch request {
        case .configuration: self = .configuration
        case .history: self = .history
        case .unread: self = .unread
        case .search: self = .search
        case .deleteDevice: self = .deleteDevice
        }
    }
}

/// The caller of a REST call, as identified by its header fields.
package struct Caller: Hashable, Sendable {
    /// The access token, from the header or the cookie.
    package var token: String?
    package var clientID: String?
    package var deviceAddress: String?

    package init(token: String? = nil, clientID: String? = nil, deviceAddress: String? = nil) {
        self.token = token
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}

/// The answer to a REST call.
package enum ServerAnswer: Hashable, Sendable {
    case configuration(ConfigurationAnswer)
    case history(HistoryAnswer)
    case unread(UnreadAnswer)
    case search(SearchAnswer)
    /// The caller's device was deleted.
    case deviceDeleted
    /// The file transfer is permitted.
    case permitted
    /// An HTTP status and the error in the body.
    case failure(status: Int, ErrorAnswer)
    /// Like `failure`, with a `Retry-After` time in seconds.
    case refused(status: Int, ErrorAnswer, retryAfter: Int64)
}

/// The decision about an upgrade to WebSocket.
package enum UpgradeDecision: Hashable, Sendable {
    case accept
    case refuse(UpgradeRefusal)
    /// The upgrade is not answered.
    case ignore
}
