import HoldfastBase
import HoldfastSystem

/// The on-disk copy of the last accepted bundle: a file of mode 0600 in a folder of mode 0700.
///
/// The file contains the envelope as it was fetched. It is not trusted more than the network:
/// ``BundleState/restore(_:at:)`` verifies it again.
public struct BundleFile: Hashable, Sendable {
    let store: FileStore

    /// Creates a bundle file in the given folder.
    ///
    /// A missing folder is created with mode 0700; its parent folders must exist. An existing folder must belong to the
    /// user and must not be accessible to others.
    public init(folder: String, name: String = "policy.bundle") {
        store = FileStore(folder: folder, name: name, limit: SignedBundle.maximumSize)
    }

    /// The files of a roll-out, in the same folder.
    var rollout: RolloutFiles { RolloutFiles(store) }

    /// Returns the bytes of the file, or `nil` if no bundle was stored yet. Blocks.
    ///
    /// - Throws: ``BundleError`` with the code `storage`.
    public func load() throws(BundleError) -> [UInt8]? {
        do throws(FileStore.Failure) { return try store.load() } catch { throw failure("read", error) }
    }

    /// Replaces the file atomically. Blocks.
    ///
    /// - Throws: ``BundleError`` with the code `storage`.
    public func save(_ bytes: [UInt8]) throws(BundleError) {
        do throws(FileStore.Failure) {
            try store.locked { () throws(FileStore.Failure) in try store.save(bytes) }
        } catch {
            throw failure("kept", error)
        }
    }

    /// Replaces the file, unless it contains a valid bundle with a higher version, which is returned instead. Another
    /// process of the app may have stored that bundle, or this process could not read it before.
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

    /// Returns the contents of the file, or `nil` if they cannot be a bundle and may therefore be replaced. Throws if
    /// the file cannot be read, because it may contain a newer bundle.
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
