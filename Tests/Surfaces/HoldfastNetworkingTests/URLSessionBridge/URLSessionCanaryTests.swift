#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import HoldfastTransportTestSupport
import Testing

@testable import HoldfastNetworking

/// The behavior of FoundationNetworking that the bridge relies on. If a test fails, a toolchain changed that behavior:
/// read `URLSessionBridge/` and Sources/Surfaces/HoldfastNetworking/Documentation.docc/Pinned-URLSession.md before you
/// fix it. Behavior that traps is tested in a separate process.
@Suite struct URLSessionCanaryTests {
    private static func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CanaryProtocol.self]
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    private static func url(_ act: String) throws -> URL {
        try #require(URL(string: "https://canary.example/\(act)"))
    }

    // MARK: - Reflection

    /// ``URLSessionTaskReflection`` finds the properties that it reads.
    @Test func theInternalsOfATaskAreFound() async throws {
        let session = Self.session()
        let task = session.dataTask(with: try Self.url("never"))
        #expect(URLSessionTaskReflection(task).session === session)
        #expect(URLSessionTaskReflection(task).workQueue != nil)
        CanaryProtocol.seen.removeAll()
        _ = try await session.data(for: URLRequest(url: Self.url("inside")), delegate: CanaryDelegate())
        let inside = try #require(CanaryProtocol.seen.take())
        #expect(inside == "own delegate, completes once, on its queue")
        // With a session delegate as well, which the task returns as its delegate.
        let both = Self.session(CanaryDelegate())
        _ = try await both.data(for: URLRequest(url: Self.url("inside")), delegate: CanaryDelegate())
        #expect(CanaryProtocol.seen.take() == "own delegate, completes once, on its queue")
        _ = try await both.data(from: Self.url("inside"))
        #expect(CanaryProtocol.seen.take() == "no delegate, completes once, on its queue")
        both.invalidateAndCancel()
    }

    /// The delegate that a task returns is not always the task's own.
    @Test func aTaskReturnsTheSessionsDelegate() throws {
        let delegate = CanaryDelegate()
        let session = Self.session(delegate)
        #expect(session.dataTask(with: try Self.url("never")).delegate === delegate)
        session.invalidateAndCancel()
    }

    // MARK: - Facts

    @Test func theSecondPartOfABodyReplacesTheFirst() async throws {
        #expect(try await Self.session().data(from: Self.url("two-parts")).0 == Data("two".utf8))
    }

    @Test func theBodyOfAnUploadIsNotVisible() async throws {
        let request = URLRequest(url: try Self.url("echo"))
        #expect(try await Self.session().upload(for: request, from: Data("body".utf8)).0 == Data())
    }

    @Test func theConfigurationsFieldsDoNotReachAProtocol() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CanaryProtocol.self]
        configuration.httpAdditionalHeaders = ["X-App": "1"]
        let session = URLSession(configuration: configuration)
        #expect(try await session.data(from: Self.url("fields")).0 == Data("none".utf8))
    }

    /// A session returns the same configuration object that its tasks read.
    @Test func theConfigurationIsNotACopy() {
        let session = Self.session()
        session.configuration.protocolClasses = []
        #expect(session.configuration.protocolClasses?.isEmpty == true)
    }

    @Test func aChallengeDoesNotReachASessionsDelegate() async throws {
        let delegate = SessionLevelDelegate()
        let session = Self.session(delegate)
        session.dataTask(with: try Self.url("challenge")).resume()
        await delegate.events.wait(for: "end")
        #expect(delegate.events.all == ["end"])
        session.invalidateAndCancel()
    }

    @Test func aDownloadHasNoFile() async throws {
        let location: URL? = try await withCheckedThrowingContinuation { continuation in
            do {
                Self.session().downloadTask(with: try Self.url("two-parts")) { location, _, _ in
                    continuation.resume(returning: location)
                }.resume()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(location == nil)
    }

    // A process that ends in any way other than a trap succeeds. Errors are not thrown out of the closure.

    @Test func anAsyncDownloadTraps() async {
        await #expect(processExitsWith: .failure) {
            guard let url = try? URLSessionCanaryTests.url("two-parts") else { return }
            _ = try? await URLSessionCanaryTests.session().download(from: url)
        }
    }

    @Test func aRedirectTraps() async {
        await #expect(processExitsWith: .failure) {
            guard let url = try? URLSessionCanaryTests.url("redirect") else { return }
            _ = try? await URLSessionCanaryTests.session().data(from: url)
        }
    }

    @Test func aCredentialForServerTrustTraps() async {
        await #expect(processExitsWith: .failure) {
            guard let url = try? URLSessionCanaryTests.url("challenge") else { return }
            let delegate = CanaryDelegate()
            URLSessionCanaryTests.session(delegate).dataTask(with: url).resume()
            // The delegate's answer traps on the session's queue. An event is recorded only if there was no trap.
            await delegate.events.wait(for: "")
        }
    }

    @Test func aTaskOfAnInvalidatedSessionTraps() async {
        await #expect(processExitsWith: .failure) {
            guard let url = try? URLSessionCanaryTests.url("never") else { return }
            let session = URLSessionCanaryTests.session()
            session.invalidateAndCancel()
            session.dataTask(with: url).resume()
        }
    }

    /// The native client repeats the request by itself: with libcurl, without pins and with the credential.
    @Test func aRequestForAuthenticationIsAnsweredOverLibcurl() async throws {
        try await ScriptedServer.with { _ in
            [.respond("from libcurl")]
        } _: { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/401"))
            let session = Self.session(CanaryDelegate())
            session.dataTask(with: url).resume()
            await server.waitForRequests(1)
            #expect(server.requests.first?.field("Authorization") == "Basic dXNlcjpzZWNyZXQ=")
            session.invalidateAndCancel()
        }
    }
}

/// A delegate that accepts every server.
private final class CanaryDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let events = EventLog()

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "user", password: "secret", persistence: .none))
        events.add("answered")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        events.add("end")
    }
}

/// A delegate that implements only the session-level method.
private final class SessionLevelDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let events = EventLog()

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        events.add("challenge")
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        events.add("end")
    }
}
#endif
