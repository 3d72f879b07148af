/// Something on the network that the host application is told of.
public enum NetworkProblem: Error, Hashable, Sendable {
    /// Which call failed.
    public enum Call: String, Hashable, Sendable {
        case configuration
        case history
        case unread
        case search
        case upload
        case download
    }

    case call(Call, TransportFailure)
    case socket(DisconnectCause)
}
