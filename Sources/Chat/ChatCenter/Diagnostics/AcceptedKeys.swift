import Dispatch
import Foundation
import HoldfastTrust
import Synchronization

/// Stores the keys that each chat server presented when it was last accepted. The keys survive restarts.
///
/// Public keys are not secret and do not belong to a user, so a logout keeps them. Only diagnoses use them: a file that
/// cannot be read or written counts as missing.
final class AcceptedKeys: Sendable {
    /// The maximum number of hosts. Keys of further hosts are not stored; an app uses only a few.
    static let longestList = 64

    private struct State {
        var isLoaded = false
        /// Maps `host:port` to the SPKI hashes in Base64, the hash of the server's own certificate first.
        var keys: [String: [String]] = [:]
    }

    private let file: URL
    /// The chat's own servers as `host:port`; `nil` for all. For privacy, hosts of other downloads are not stored.
    private let hosts: Set<String>?
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "holdfast.chat.accepted-keys")

    /// Creates a store without reading the file.
    ///
    /// - Parameter hosts: The chat's own servers, as `host:port`. Keys of other servers are not stored.
    init(root: URL, hosts: Set<String>? = nil) {
        self.hosts = hosts
        // Without the hint, Foundation would query the disk to find out whether this is a directory.
        file = root.appending(path: "accepted-keys.json", directoryHint: .notDirectory)
    }

    /// Notes the keys of an accepted server. Returns immediately: the file is written in the background, if keys
    /// changed.
    func note(_ verdict: TrustVerdict) {
        // A server that is accepted with any certificate proves nothing about its keys.
        guard verdict.permitsConnection, verdict.finding.code != .anyCertificateAccepted, let host = Self.name(verdict),
            isOwn(host), !verdict.presentedHashes.isEmpty
        else { return }
        let hashes = verdict.presentedHashes.map(\.base64)
        load()
        let changed = state.withLock { state -> [String: [String]]? in
            guard state.keys[host] != hashes, state.keys[host] != nil || state.keys.count < Self.longestList else {
                return nil
            }
            state.keys[host] = hashes
            return state.keys
        }
        guard let changed else { return }
        queue.async { [file] in Self.write(changed, to: file) }
    }

    /// Returns the keys that the verdict's server presented when it was last accepted.
    func keys(for verdict: TrustVerdict) -> [SPKIDigest]? {
        guard let host = Self.name(verdict) else { return nil }
        load()
        return state.withLock { $0.keys[host] }?.compactMap { SPKIDigest(base64: $0) }
    }

    /// Blocks until all noted keys are written.
    func flush() {
        queue.sync {}
    }

    /// Reads the file once, without holding the lock. Blocks; call it early so that it does not block network threads.
    func load() {
        guard !state.withLock({ $0.isLoaded }) else { return }
        var kept: [String: [String]] = [:]
        if Self.isProtected(file), let data = try? Data(contentsOf: file), data.count < 1_048_576,
            let keys = try? JSONDecoder().decode([String: [String]].self, from: data)
        {
            // Drops entries of other servers, which earlier versions stored.
            kept = keys.filter { isOwn($0.key) }
        }
        state.withLock { state in
            if !state.isLoaded { state.keys = kept }
            state.isLoaded = true
        }
    }

    private static func isProtected(_ file: URL) -> Bool {
        (try? StorePlace.checkFolder(file.deletingLastPathComponent())) != nil
            && (try? StorePlace.checkFile(file)) != nil
    }

    private func isOwn(_ name: String) -> Bool { hosts?.contains(name) ?? true }

    private static func write(_ keys: [String: [String]], to file: URL) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(keys) else { return }
        guard isProtected(file) else { return }
        let manager = FileManager.default
        try? manager.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard (try? data.write(to: file, options: .atomic)) != nil else { return }
        try? manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private static func name(_ verdict: TrustVerdict) -> String? {
        verdict.subject.map { $0.host.text + ($0.port.map { ":\($0)" } ?? "") }
    }
}
