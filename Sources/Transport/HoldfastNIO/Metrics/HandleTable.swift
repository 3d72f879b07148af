import Synchronization

/// The handles of one metric by label values. Each handle is made on first use and kept.
///
/// The keys come from fixed lists in the source, so peers cannot make the table grow.
package final class HandleTable<Key: Hashable & Sendable, Handle: Sendable>: Sendable {
    private let handles = Mutex<[Key: Handle]>([:])
    private let make: @Sendable (Key) -> Handle

    /// Makes a table. `make` creates a handle in the metrics library and must not call this table.
    package init(_ make: @escaping @Sendable (Key) -> Handle) {
        self.make = make
    }

    /// Returns the handle for a key. Callable from any thread.
    package subscript(key: Key) -> Handle {
        handles.withLock { handles in
            if let handle = handles[key] { return handle }
            let handle = make(key)
            handles[key] = handle
            return handle
        }
    }
}
