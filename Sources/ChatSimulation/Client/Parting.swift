import ChatCenterCore

/// A user who left a device, and what the device has to tell the server of it.
struct Parting {
    let user: String
    /// The device's address, if the server had given one.
    let address: String?
    let ticket: Ticket?
    let time: Int64
    var outcome: LogoutOutcome?
    /// Nothing is owed any more: the process died on the way, the disk was full, or the user came back.
    var isExcused = false
}
