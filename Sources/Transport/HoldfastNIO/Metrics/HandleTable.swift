import Synchronization

/// The handles of one metric, by the values of its labels: each is made when it is first needed, and kept.
///
/// Keys come from lists that are fixed in the source, so that the table stays small whatever peers do.
package final class HandleTable<Key: Hashable & Sendable, Handle: Sendable>: Sendable {
    private let handles = Mutex<[Key: Handle]>([:])
    private let make: @Sendable (Key) -> Handle

    /// `make` asks the metrics library for the handle. It must not come back to this table.
    package init(_ make: @escaping @Sendable (Key) -> Handle) {
        self.make = make
    }

    /// The handle for a key. Called from any thread.
    package subscript(key: Key) -> Handle {
        handles.withLock { handles in
            if let handle = handles[key] { return handle }
            let handle = make(key)
            handles[key] = handle
            return handle
        }
    }
}
