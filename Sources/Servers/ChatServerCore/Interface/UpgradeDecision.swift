/// The decision about an upgrade to WebSocket.
package enum UpgradeDecision: Hashable, Sendable {
    case accept
    case refuse(UpgradeRefusal)
    /// The upgrade is not answered.
    case ignore
}
