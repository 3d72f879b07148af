import ChatWire

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
