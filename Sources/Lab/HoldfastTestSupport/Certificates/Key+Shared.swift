import Synchronization

extension Key {
    private static let shared = Mutex<[String: Key]>([:])

    /// The key of this kind and name: made once in a process, then always the same.
    ///
    /// Name each part that a test needs apart ("root", "rogue root" …): two certificates with one shared key have the
    /// same SPKI hash.
    public static func shared(_ kind: KeyKind, _ name: String) throws -> Key {
        // Made under the lock: the second asker would otherwise make an expensive key only to throw it away.
        try shared.withLock { keys in
            let label = kind.rawValue + "/" + name
            if let key = keys[label] { return key }
            let key = try Key(kind)
            keys[label] = key
            return key
        }
    }
}
