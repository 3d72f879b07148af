/// A file that comes in parts.
struct UnfinishedUpload: Hashable, Sendable {
    /// What is going on.
    enum State: Hashable, Sendable {
        /// More is to come. Next: completing.
        case open
        /// All has come, and a file is being made of it. Next: complete, or open if that fails.
        case completing
        /// All has come, and this file was made of it. The answer can be asked for again: the first one may have been lost.
        case complete(FileRecord)
    }

    let id: String
    /// Who sends it; nobody else may go on with it.
    let clientID: String?
    let name: String
    let type: String
    /// How many bytes the file will have, if the client said so.
    let length: Int64?
    /// How many have come.
    private(set) var offset: Int64 = 0
    private(set) var state = State.open
    /// The request that may write. A later request takes the right from an earlier one, whose connection may be dead
    /// without anybody having noticed.
    private(set) var writer: UInt64 = 0

    /// A request takes over, or only looks: what another one writes after this does not count. Its number.
    mutating func takeOver() -> UInt64 {
        writer &+= 1
        return writer
    }

    /// Bytes were written behind the others by this request. Returns whether they count.
    mutating func wrote(_ count: Int64, as writer: UInt64) -> Bool {
        guard writer == self.writer, state == .open else { return false }
        offset += count
        return true
    }

    /// This request has brought the last byte, and makes the file. Returns whether it may.
    mutating func beginCompleting(as writer: UInt64) -> Bool {
        guard writer == self.writer, state == .open else { return false }
        state = .completing
        return true
    }

    /// No file could be made of it: it can be tried again.
    mutating func completingFailed() {
        state = .open
    }

    /// All is there.
    mutating func complete(_ record: FileRecord) {
        state = .complete(record)
    }
}
