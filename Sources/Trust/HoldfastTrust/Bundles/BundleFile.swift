import HoldfastBase
import HoldfastSystem

/// The last bundle that was taken, on the disk: a file of mode 0600 in a folder of mode 0700.
///
/// Holds the envelope as it was fetched, and is believed as little as the network: ``BundleState/restore(_:at:)`` verifies
/// it again.
public struct BundleFile: Hashable, Sendable {
    let store: FileStore

    /// Names the file. The folder is made with mode 0700 if it is missing, its parents are not; one that exists must
    /// belong to the user and be closed to everybody else.
    public init(folder: String, name: String = "policy.bundle") {
        store = FileStore(folder: folder, name: name, limit: SignedBundle.maximumSize)
    }

    /// The bytes on the disk; `nil` if nothing was kept yet. Throws ``BundleError`` `storage`. Blocks.
    public func load() throws(BundleError) -> [UInt8]? {
        do throws(FileStore.Failure) { return try store.load() } catch { throw failure("read", error) }
    }

    /// Replaces what is on the disk, as a whole or not at all. Throws ``BundleError`` `storage`. Blocks.
    public func save(_ bytes: [UInt8]) throws(BundleError) {
        do throws(FileStore.Failure) {
            try store.locked { () throws(FileStore.Failure) in try store.save(bytes) }
        } catch {
            throw failure("kept", error)
        }
    }

    /// Replaces what is on the disk unless that is a sound bundle of a higher version, which is returned: another process of the app may
    /// have been faster, or this one could not read it before.
    func save(_ bundle: VerifiedBundle, keys: [BundleKey]) throws(BundleError) -> VerifiedBundle? {
        do throws(FileStore.Failure) {
            return try store.locked { () throws(FileStore.Failure) -> VerifiedBundle? in
                if let bytes = try replaceable(),
                    let known = try? SignedBundle(bytes).verify(keys: keys, application: bundle.application),
                    known.version > bundle.version
                {
                    return known
                }
                try store.save(bundle.bytes)
                return nil
            }
        } catch {
            throw failure("kept", error)
        }
    }

    /// What is there; `nil` for what cannot be a bundle, which is no reason to leave it there. Throws where the disk does not say what
    /// is there: that may be a newer one.
    private func replaceable() throws(FileStore.Failure) -> [UInt8]? {
        do throws(FileStore.Failure) { return try store.load() } catch {
            if error.kind == .system { throw error }
            return nil
        }
    }

    private func failure(_ what: String, _ error: FileStore.Failure) -> BundleError {
        BundleError(.storage, "The bundle in \(Printable.text(store.folder)) cannot be \(what): \(error.reason).")
    }
}
