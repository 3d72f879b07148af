import ChatCenterCore

/// A user who left a device, and what the device has to tell the server of it.
struct Parting {
    let user: String
    /// The device's address, if the server had given one.
    let address: String?
    let ticket: Ticket?
    let time: Int64
    var outcome: LogoutOutcome?
    /// The user's store is erased, and what is to be told lies in it.
    var isKept = false
    /// The process that was asked has ended: nobody is there to be answered.
    var lostItsCaller = false
    /// Nothing is owed any more: the process died before the user's store was erased, or the user came back.
    var isExcused = false

    mutating func processEnded() {
        if !isKept { isExcused = true }
        lostItsCaller = true
    }
}
