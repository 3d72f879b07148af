import ChatWire

// The history: what was missed, and what is older.
extension ChatCore {
    /// Everything after the cursor is to be fetched.
    mutating func wantGap() {
        if session.isAuthorized { sync.want() }
    }

    mutating func reload(_ turn: inout CoreUpdate) {
        guard session.isAuthorized else { return }
        tryAgainSoon(&turn)
        wantGap()
        requestMissingConfiguration(&turn)
        socket.forgetFailures()
    }

}
