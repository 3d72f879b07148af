import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization

/// The files of a bundle server with entity tags, which the test replaces while the server runs.
final class ServedFiles: Sendable {
    private let files = Mutex<[String: [UInt8]]>([:])

    /// Replaces a file. `nil` removes it.
    func set(_ path: String, _ bytes: [UInt8]?) { files.withLock { $0[path] = bytes } }

    /// Returns the response to a request: the file, 304 if the client has it, or 404.
    func response(to request: ScriptedRequest) -> [ScriptedAction] {
        guard let bytes = files.withLock({ $0[request.target] }) else {
            return [.respond(status: "404 Not Found")]
        }
        let tag = "\"\(SHA256Hash(hashing: bytes).base64)\""
        guard request.field("if-none-match") != tag else { return [.text("HTTP/1.1 304 Not Modified\n\n")] }
        return [.text("HTTP/1.1 200 OK\nContent-Length: \(bytes.count)\nETag: \(tag)\n\n"), .send(bytes)]
    }
}

/// An operator with keys for halts and timestamps, and an app that has both.
struct RolloutFetchWorld: Sendable {
    let fetching: FetchWorld
    let halting = BundleSigningKey(generating: .ed25519, id: "halt-a")
    let timing = BundleSigningKey(generating: .ed25519, id: "time-a")

    init(_ fetching: FetchWorld) {
        self.fetching = fetching
    }

    var now: Timestamp { fetching.clock.now }

    func app(halts: Bool = true, timestamps: Bool = true) throws -> BundleHolder {
        let settings = RolloutSettings(
            haltKeys: halts
                ? [try BundleHaltKey(id: halting.id, publicKey: Array(halting.publicKeyPEM.utf8))] : [],
            timestampKeys: timestamps
                ? [try BundleTimestampKey(id: timing.id, publicKey: Array(timing.publicKeyPEM.utf8))] : [])
        let state = BundleState(
            embedded: try PinningPolicy(holdfastJSON: FetchWorld.policy(fetching.pinned.leaf.spkiDigest)), version: 1,
            keys: [try key()], application: FetchWorld.application, rollout: settings)
        let holder = BundleHolder(state, file: BundleFile(folder: fetching.folder))
        _ = try? holder.restore(at: now)
        return holder
    }

    private func key() throws -> BundleKey {
        try BundleKey(id: "2031-a", publicKey: Array(fetching.signer.publicKeyPEM.utf8))
    }

    /// Returns a bundle for all installations that takes effect after these seconds.
    func staged(_ version: Int64, after seconds: Int64 = 0, until end: Int64 = 30 * 86_400) throws -> [UInt8] {
        try SignedBundle.sign(
            policy: FetchWorld.policy(fetching.pinned.leaf.spkiDigest), application: FetchWorld.application,
            version: version, notBefore: now.advanced(bySeconds: -10), notAfter: now.advanced(bySeconds: end),
            with: fetching.signer,
            rollout: BundleRollout(stages: [.init(share: 10_000, begins: now.advanced(bySeconds: seconds))])
        ).bytes
    }

    func halt(_ version: Int64, lasts: Int64 = 3_600, by key: BundleSigningKey? = nil) throws -> [UInt8] {
        try BundleHalt.sign(
            application: FetchWorld.application, version: version, issued: now,
            notAfter: now.advanced(bySeconds: lasts), with: key ?? halting
        ).bytes
    }

    func timestamp(for bundle: [UInt8], haltSerial: Int64 = 0) throws -> [UInt8] {
        try BundleTimestamp.sign(
            for: try SignedBundle(bundle).verify(keys: [try key()], application: FetchWorld.application),
            haltSerial: haltSerial, issued: now, notAfter: now.advanced(bySeconds: 86_400), with: timing
        ).bytes
    }
}
