/// The numbers of pings and pongs on a socket. Pongs arrive in the order of the pings, so the numbers tell whether a ping
/// that was sent after a frame was answered.
struct PingCount: Hashable, Sendable {
    var sent: UInt64 = 0
    var answered: UInt64 = 0
}
