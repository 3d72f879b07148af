import Synchronization

/// A resumable upload.
struct UnfinishedUpload: Hashable, Sendable {
    /// The state of an upload.
    enum State: Hashable, Sendable {
        /// More bytes will come. Next: `completing`.
        case open
        /// All bytes have come, and the file is being created. Next: `complete`, or `open` if that fails.
        case completing
        /// The file was created. The client can request the response again, because the first one may have been lost.
        case complete(FileRecord)
    }

    let id: String
    /// The client that uploads; no other client may continue.
    let clientID: String?
    let name: String
    let type: String
    /// The length of the file in bytes, if the client sent it.
    let length: Int64?
    /// The number of received bytes.
    private(set) var offset: Int64 = 0
    private(set) var state = State.open
    /// The number of the request that may write. A later request takes the right from an earlier one, whose connection
    /// may be dead without the server knowing.
    private(set) var writer: UInt64 = 0

    /// Takes the right to write from the earlier request, whose further bytes do not count. Returns the new request's
    /// number.
    mutating func takeOver() -> UInt64 {
        writer &+= 1
        return writer
    }

    /// Records bytes that this request has appended. Returns whether they count.
    mutating func wrote(_ count: Int64, as writer: UInt64) -> Bool {
        guard writer == self.writer, state == .open else { return false }
        offset += count
        return true
    }

    /// Begins to create the file, if this request has sent the last byte. Returns whether it may do so.
    mutating func beginCompleting(as writer: UInt64) -> Bool {
        guard writer == self.writer, state == .open else { return false }
        state = .completing
        return true
    }

    /// Records that the file could not be created, so that the client can try again.
    mutating func completingFailed() {
        state = .open
    }

    /// Records the complete file.
    mutating func complete(_ record: FileRecord) {
        state = .complete(record)
    }
}

/// The resumable uploads, limited in number and kept in memory. Unfinished uploads are lost when the server ends.
///
/// Uploads do not expire: if there is no place for a new one, the oldest is removed. Thread-safe.
final class UnfinishedUploads: Sendable {
    /// The maximum number of uploads; the oldest is removed first.
    static let most = 64

    private let uploads = Mutex<[UnfinishedUpload]>([])

    /// Adds an upload. Returns the upload that was removed for it.
    func begin(_ upload: UnfinishedUpload) -> UnfinishedUpload? {
        uploads.withLock { uploads in
            uploads.append(upload)
            return uploads.count > Self.most ? uploads.removeFirst() : nil
        }
    }

    /// Modifies the upload with this id if it belongs to this client; returns `nil` otherwise.
    func with<Value>(_ id: String, of clientID: String?, _ body: (inout UnfinishedUpload) -> Value) -> Value? {
        uploads.withLock { uploads in
            guard let index = uploads.firstIndex(where: { $0.id == id && $0.clientID == clientID }) else { return nil }
            return body(&uploads[index])
        }
    }

    /// Removes and returns an upload.
    func remove(_ id: String, of clientID: String?) -> UnfinishedUpload? {
        uploads.withLock { uploads in
            guard let index = uploads.firstIndex(where: { $0.id == id && $0.clientID == clientID }) else { return nil }
            return uploads.remove(at: index)
        }
    }
}
