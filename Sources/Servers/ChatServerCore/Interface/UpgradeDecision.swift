/// What becomes of an upgrade to WebSocket.
package enum UpgradeDecision: Hashable, Sendable {
    case accept
    case refuse(UpgradeRefusal)
    /// It is not answered.
    case ignore
}
