import HoldfastBase
import HoldfastSystem

/// The files of a roll-out next to the bundle file: the pending bundle, the newest halt and timestamp, and the time of
/// the last confirmation.
///
/// Signed files are verified again when they are loaded. A lost file costs one more download. Blocks.
struct RolloutFiles: Hashable, Sendable {
    private let pending: FileStore
    private let halt: FileStore
    private let timestamp: FileStore
    private let freshness: FileStore

    /// Creates the files of a bundle file.
    init(_ bundle: FileStore) {
        func store(_ suffix: String, _ limit: Int) -> FileStore {
            FileStore(folder: bundle.folder, name: "\(bundle.name).\(suffix)", limit: limit)
        }
        pending = store("pending", SignedBundle.maximumSize)
        halt = store("halt", BundleHalt.maximumSize)
        timestamp = store("timestamp", BundleTimestamp.maximumSize)
        freshness = store("fresh", 32)
    }

    /// Loads everything into a state at its start. Files that cannot be used are ignored: they are fetched again.
    func restore(_ state: inout BundleState, at time: Timestamp) {
        if let bytes = try? halt.load() { try? state.restore(halt: bytes) }
        if let bytes = try? timestamp.load() { try? state.restore(timestamp: bytes) }
        if let bytes = try? pending.load() { try? state.restore(pending: bytes, at: time) }
        let seconds = (try? freshness.load()).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
        // The limits prevent an overflow when times are subtracted.
        state.beginFreshness(
            seconds.map { Timestamp(secondsSince1970: min(max($0, -(1 << 40)), 1 << 40)) }, at: time)
    }

    /// Stores the pending bundle, or removes the file if there is none.
    func save(pending bundle: VerifiedBundle?) throws(BundleError) {
        do throws(FileStore.Failure) {
            guard let bundle else { return try pending.remove() }
            try pending.locked { () throws(FileStore.Failure) in try pending.save(bundle.bytes) }
        } catch {
            throw failure(pending, error)
        }
    }

    /// Stores a halt, unless another process stored one with a higher serial number.
    func save(_ new: BundleHalt, keys: [BundleHaltKey]) throws(BundleError) {
        try replace(halt, with: new.bytes) { bytes in
            let known = try? BundleHalt(bytes, keys: keys, application: new.application)
            return known.map { $0.serial > new.serial } ?? false
        }
    }

    /// Stores a timestamp, unless another process stored a later one.
    func save(_ new: BundleTimestamp, keys: [BundleTimestampKey]) throws(BundleError) {
        try replace(timestamp, with: new.bytes) { bytes in
            let known = try? BundleTimestamp(bytes, keys: keys, application: new.application)
            return known.map { $0.issued > new.issued } ?? false
        }
    }

    /// Stores the time of the last confirmation.
    func save(freshAsOf time: Timestamp) throws(BundleError) {
        do throws(FileStore.Failure) { try freshness.save(Array("\(time.secondsSince1970)".utf8)) } catch {
            throw failure(freshness, error)
        }
    }

    private func replace(
        _ store: FileStore, with bytes: [UInt8], unless isNewer: ([UInt8]) -> Bool
    ) throws(BundleError) {
        do throws(FileStore.Failure) {
            try store.locked { () throws(FileStore.Failure) in
                if let known = try? store.load(), isNewer(known) { return }
                try store.save(bytes)
            }
        } catch {
            throw failure(store, error)
        }
    }

    private func failure(_ store: FileStore, _ error: FileStore.Failure) -> BundleError {
        BundleError(
            .storage, "The file \(store.name) in \(Printable.text(store.folder)) cannot be kept: \(error.reason).")
    }
}
