import Synchronization

/// The files that come in parts: at most a number of them, in memory. What is unfinished is forgotten with the server.
///
/// There is no clock: where a new one finds no place, the one that was begun first makes room. From any thread.
final class UnfinishedUploads: Sendable {
    static let most = 64

    private let uploads = Mutex<[UnfinishedUpload]>([])

    /// Takes a new one in. Returns the one that made room for it.
    func begin(_ upload: UnfinishedUpload) -> UnfinishedUpload? {
        uploads.withLock { uploads in
            uploads.append(upload)
            return uploads.count > Self.most ? uploads.removeFirst() : nil
        }
    }

    /// Changes the upload with this id, if it is this client's. `nil` if there is none.
    func with<Value>(_ id: String, of clientID: String?, _ body: (inout UnfinishedUpload) -> Value) -> Value? {
        uploads.withLock { uploads in
            guard let index = uploads.firstIndex(where: { $0.id == id && $0.clientID == clientID }) else { return nil }
            return body(&uploads[index])
        }
    }

    /// Forgets one. Returns it.
    func remove(_ id: String, of clientID: String?) -> UnfinishedUpload? {
        uploads.withLock { uploads in
            guard let index = uploads.firstIndex(where: { $0.id == id && $0.clientID == clientID }) else { return nil }
            return uploads.remove(at: index)
        }
    }
}
