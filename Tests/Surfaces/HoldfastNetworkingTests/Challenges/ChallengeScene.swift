import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization

/// A delegate whose answers a test scripts, and which records the challenges that it received.
final class ScriptedDelegate: NSObject, URLSessionTaskDelegate, Sendable {
    typealias Reply = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    typealias Script = @Sendable (URLAuthenticationChallenge, @escaping Reply) -> Void

    private let session: Script
    private let task: Script
    let calls = Mutex<[String]>([])

    init(session: @escaping Script, task: @escaping Script = { $1(.performDefaultHandling, nil) }) {
        self.session = session
        self.task = task
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Reply
    ) {
        note("session")
        self.session(challenge, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping Reply
    ) {
        note("task")
        self.task(challenge, completionHandler)
    }

    private func note(_ method: String) {
        calls.withLock { $0.append("\(method) on \(OperationQueue.current?.name ?? "?")") }
    }

    var methods: [String] { calls.withLock { $0 } }
}

/// A host, its authority, and servers that the authority did not certify.
struct ChallengeScene {
    static let host = "api.example.com"
    let factory = CertificateFactory()
    let root: Identity
    let leaf: Identity
    let selfSigned: Identity
    let session: URLSession
    let task: URLSessionTask

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf([Self.host], signedBy: root)
        selfSigned = try factory.leaf([Self.host], signedBy: nil)
        let queue = OperationQueue()
        queue.name = "delegate queue"
        session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
        // Never resumed: the task is only shown to the delegate.
        task = session.dataTask(with: URLRequest(url: URL(filePath: "/dev/null")))
    }

    func trust(_ identity: Identity) -> ServerTrust { ServerTrust(PresentedChain(der: identity.chain)) }

    func subject(port: UInt16? = nil) throws -> TrustSubject {
        TrustSubject(host: try CanonicalHost(Self.host), port: port)
    }

    func challenge(_ identity: Identity, port: UInt16? = nil) throws -> ServerTrustChallenge {
        ServerTrustChallenge(trust(identity), for: try subject(port: port))
    }

    /// A transport that asks a delegate about its servers.
    func transport(_ delegate: any URLSessionDelegate, policy: PinningPolicy? = nil) -> HTTPClientTransport {
        let trust = TrustContext.delegate(delegate, of: session, policy: policy, anchors: .only([root.view]))
        return HTTPClientTransport(
            configuration: TransportConfiguration(
                trust: trust, clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1"]))
    }
}
