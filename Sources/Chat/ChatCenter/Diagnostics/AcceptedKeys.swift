import Dispatch
import Foundation
import HoldfastTrust
import Synchronization

/// The keys that each of the chat's servers showed when it was accepted last, kept over restarts. Public keys are no secret, and no
/// user's: a logout leaves them.
///
/// Nothing depends on it but a diagnosis: a file that cannot be read or written is as good as none.
final class AcceptedKeys: Sendable {
    /// Beyond so many hosts no further one is noted: an app has a handful.
    static let longestList = 64

    private struct State {
        var isLoaded = false
        /// By host and port; Base64 of the SPKI hashes, the server's own first.
        var keys: [String: [String]] = [:]
    }

    private let file: URL
    /// The chat's own servers, by name and port: where else a user fetched files is nobody's business. `nil` for all.
    private let hosts: Set<String>?
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "holdfast.chat.accepted-keys")

    /// Reads nothing yet.
    ///
    /// - Parameter hosts: The chat's own servers, as `host:port`; no other is noted.
    init(root: URL, hosts: Set<String>? = nil) {
        self.hosts = hosts
        // Without the hint the disk is asked whether it is a folder.
        file = root.appending(path: "accepted-keys.json", directoryHint: .notDirectory)
    }

    /// A server was accepted. Returns at once: the file is written behind it, and only when something changed.
    func note(_ verdict: TrustVerdict) {
        // Where anything is accepted nothing is learnt.
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

    /// What the server of this verdict showed when it was accepted last.
    func keys(for verdict: TrustVerdict) -> [SPKIDigest]? {
        guard let host = Self.name(verdict) else { return nil }
        load()
        return state.withLock { $0.keys[host] }?.compactMap { SPKIDigest(base64: $0) }
    }

    /// Waits until what was noted is written.
    func flush() {
        queue.sync {}
    }

    /// Reads the file once, without holding the lock meanwhile. Blocks; who comes early spares the threads of the network that.
    func load() {
        guard !state.withLock({ $0.isLoaded }) else { return }
        var kept: [String: [String]] = [:]
        if Self.isProtected(file), let data = try? Data(contentsOf: file), data.count < 1_048_576,
            let keys = try? JSONDecoder().decode([String: [String]].self, from: data)
        {
            // Of other servers that the past knew nothing stays.
            kept = keys.filter { isOwn($0.key) }
        }
        state.withLock { state in
            if !state.isLoaded { state.keys = kept }
            state.isLoaded = true
        }
    }

    private static func isProtected(_ file: URL) -> Bool {
        do throws(ChatStorageError) {
            try StorePlace.checkFolder(file.deletingLastPathComponent())
            try StorePlace.checkFile(file)
            return true
        } catch {
            return false
        }
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
