import Synchronization

/// The resumable uploads, limited in number and kept in memory. Unfinished uploads are lost when the server ends.
///
/// Uploads do not expire: if there is no place for a new one, the oldest is removed. Thread-safe.
final class UnfinishedUploads: Sendable {
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
