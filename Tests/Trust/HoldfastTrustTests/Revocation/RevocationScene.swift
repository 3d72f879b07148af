import HoldfastTestSupport
@testable import HoldfastTrust
import Synchronization
import Testing

/// A chain whose certificates name a responder, and this responder.
struct RevocationScene {
    static let url = "http://ocsp.example.com/"

    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    let server: Identity

    init(server change: (inout CertificateOptions) -> Void = { _ in }) throws {
        let pointers: [ExtraExtension] = [.ocspResponders(RevocationScene.url)]
        root = try scene.factory.authority("Root")
        issuing = try scene.factory.intermediate("Issuing", signedBy: root, .with { $0.extraExtensions = pointers })
        var options = CertificateOptions()
        options.extraExtensions = pointers
        change(&options)
        server = try scene.factory.leaf([TrustScene.host], signedBy: issuing, options)
    }

    var now: Timestamp { scene.now }
    var presented: [Identity] { [server, issuing] }
    var context: TrustContext { .system(anchors: scene.anchors([root])) }

    /// Returns a responder for the server's certificate.
    func responder(_ change: (inout OCSPResponder) -> Void = { _ in }) -> OCSPResponder {
        var responder = OCSPResponder(issuer: issuing, now: now)
        change(&responder)
        return responder
    }

    /// Returns the verified content of one answer about the server's certificate.
    func answer(
        _ bytes: [UInt8], nonce: [UInt8]? = nil, at time: Timestamp? = nil, maximumAge: Int64 = 14 * 86_400
    ) throws(OCSPError) -> OCSPAnswer {
        try OCSPVerification(
            certificate: server.view, issuer: issuing.view, nonce: nonce, time: time ?? now, maximumAge: maximumAge
        ).answer(OCSPResponse(der: bytes))
    }

    /// Returns the reason why an answer about the server's certificate is refused, or `nil` if it is accepted.
    func refusal(_ bytes: [UInt8], nonce: [UInt8]? = nil, at time: Timestamp? = nil) -> OCSPError? {
        do throws(OCSPError) {
            _ = try answer(bytes, nonce: nonce, at: time)
            return nil
        } catch {
            return error
        }
    }

    func evaluator(
        _ requester: any OCSPRequester, _ failure: OCSPOptions.Failure = .hard,
        _ scope: OCSPOptions.Scope = .serverCertificate, change: (inout OCSPOptions) -> Void = { _ in }
    ) -> OCSPRevocationEvaluator {
        var options = OCSPOptions(failure: failure, scope: scope)
        change(&options)
        return OCSPRevocationEvaluator(requester: requester, options: options, wait: Wait.forever)
    }

    /// Returns a list of the server's authority or of another one.
    func list(
        by issuer: Identity? = nil, revoking revoked: [Identity] = [],
        _ change: (inout RevocationListDraft) -> Void = { _ in }
    ) throws -> [UInt8] {
        var draft = RevocationListDraft(issuer: issuer ?? issuing, revoking: revoked)
        change(&draft)
        return try draft.der()
    }

    /// Returns an evaluator that fetches lists. It checks only the server's certificate by default.
    func evaluator(
        lists requester: any RevocationListRequester, _ failure: OCSPOptions.Failure = .hard,
        ocsp: (any OCSPRequester)? = nil, change: (inout RevocationOptions) -> Void = { _ in },
        wait: @escaping @Sendable (Duration) async throws -> Void = Wait.forever
    ) -> RevocationEvaluator {
        var options = RevocationOptions(failure: failure, scope: .serverCertificate)
        change(&options)
        return RevocationEvaluator(lists: requester, ocsp: ocsp, options: options, wait: wait)
    }

    /// Returns the verdict of a context with this evaluator about the server.
    func verdict(
        _ evaluator: any ServerTrustEvaluator, _ chain: [Identity]? = nil, at time: Timestamp? = nil
    ) async throws -> TrustVerdict {
        let context = TrustContext.evaluators([TrustScene.host: evaluator], anchors: scene.anchors([root]))
        return await context.judge(scene.chain(chain ?? presented), for: try scene.subject(), at: time ?? now)
            .verdict()
    }
}

/// Functions that replace waiting in tests.
enum Wait {
    /// Waits until the task is cancelled.
    static let forever: @Sendable (Duration) async throws -> Void = { _ in
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        _ = continuation
    }
    /// Returns immediately, so that every timeout expires at once.
    static let notAtAll: @Sendable (Duration) async throws -> Void = { _ in }
}

/// Returns answers of a closure, and records the requests.
final class ScriptedRequester: OCSPRequester {
    struct Failure: Error {}

    private let requests = Mutex<[(request: [UInt8], url: String)]>([])
    private let answer: @Sendable ([UInt8], String) async throws -> [UInt8]

    init(_ answer: @escaping @Sendable ([UInt8], String) async throws -> [UInt8]) {
        self.answer = answer
    }

    /// Creates a requester that answers every request with an answer about one certificate.
    convenience init(_ responder: OCSPResponder, about subject: Identity) {
        self.init { request, _ in try responder.response(about: subject, nonce: OCSPResponder.nonce(in: request)) }
    }

    /// Returns a requester that answers the first request, and fails for all later ones.
    static func once(_ answer: [UInt8]) -> ScriptedRequester {
        let answers = Mutex([answer][...])
        return ScriptedRequester { _, _ in
            guard let answer = answers.withLock({ $0.popFirst() }) else { throw Failure() }
            return answer
        }
    }

    var count: Int { requests.withLock { $0.count } }
    var urls: [String] { requests.withLock { $0.map(\.url) } }
    var last: [UInt8]? { requests.withLock { $0.last?.request } }

    func response(to request: [UInt8], at url: String) async throws -> [UInt8] {
        requests.withLock { $0.append((request, url)) }
        return try await answer(request, url)
    }
}

/// Returns lists by URL, and records the requests.
final class ScriptedLists: RevocationListRequester {
    struct Failure: Error {}

    private let requests = Mutex<[String]>([])
    private let table: Mutex<[String: [UInt8]]>
    private let answer: (@Sendable (String, Int) async throws -> [UInt8])?

    init(_ answers: [String: [UInt8]]) {
        table = Mutex(answers)
        answer = nil
    }

    init(_ answer: @escaping @Sendable (String, Int) async throws -> [UInt8]) {
        table = Mutex([:])
        self.answer = answer
    }

    var answers: [String: [UInt8]] {
        get { table.withLock { $0 } }
        set { table.withLock { $0 = newValue } }
    }

    var urls: [String] { requests.withLock { $0 } }

    func revocationList(at url: String, upTo limit: Int) async throws -> [UInt8] {
        requests.withLock { $0.append(url) }
        if let answer { return try await answer(url, limit) }
        guard let bytes = answers[url] else { throw Failure() }
        return bytes
    }
}
