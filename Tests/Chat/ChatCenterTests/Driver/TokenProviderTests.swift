import ChatCenterCore
import ChatWire
import Foundation
import Synchronization
import Testing

@testable import ChatCenter

/// Faults of the app's token provider.
@Suite struct TokenProviderTests {
    struct NotSignedIn: Error, CustomStringConvertible {
        let description = "the token s3cret-token is over"
    }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func refusing() -> ScriptedNetwork.Script {
        var script = ScriptedNetwork.Script()
        script.registration = .failure(action: "registerDevice", .tokenExpired)
        return script
    }

    @Test("a thrown error is reported, is logged without its text, and requires a new authorization")
    func throwing() async throws {
        let chat = TestChat(in: folder, logLevel: .all, script: refusing(), tokenProvider: { throw NotSignedIn() })
        var events = chat.sdk.events.makeAsyncIterator()
        _ = try chat.open(auth: ChatAuth(token: "stale"))
        var failure: (any Error)?
        while let event = await events.next() {
            if case .tokenProviderFailed(let error) = event { failure = error }
            if case .reauthorizationNeeded = event { break }
        }
        #expect(failure is NotSignedIn)
        chat.settle()
        #expect(chat.delegate.lines.contains { $0.contains("NotSignedIn") })
        #expect(!chat.delegate.lines.contains { $0.contains("s3cret") })
    }

    @Test("the wait for a provider ends, and its late token has no effect")
    func silent() async throws {
        let (answers, give) = AsyncStream.makeStream(of: ChatAuth.self)
        let chat = TestChat(
            in: folder, script: refusing(),
            tokenProvider: {
                for await answer in answers { return answer }
                return nil
            })
        _ = try chat.open(auth: ChatAuth(token: "stale"))
        chat.advance(by: .seconds(119))
        var events = chat.sdk.events.makeAsyncIterator()
        chat.advance(by: .seconds(2))
        while let event = await events.next() {
            if case .reauthorizationNeeded = event { break }
        }
        chat.network.script.registration = .registered(deviceAddress: "device")
        // The next user does not get the first user's token.
        _ = try chat.open(ChatUser(identifier: "client-2"), auth: ChatAuth(token: "second"))
        give.yield(ChatAuth(token: "late"))
        give.finish()
        chat.sdk.driver.tokenArrived(TokenAttempt(1), ChatAuth(token: "late"))
        chat.settle()
        #expect(chat.sdk.driver.snapshot.session?.auth.token == "second")
        #expect(chat.network.socketCredentials.last?.token == "second")
    }

    @Test("a token that is invalid in a header counts as missing", arguments: ["a\r\nb", "\0"])
    func unusable(token: String) async throws {
        let chat = TestChat(in: folder, script: refusing(), tokenProvider: { ChatAuth(token: token) })
        var events = chat.sdk.events.makeAsyncIterator()
        _ = try chat.open(auth: ChatAuth(token: "stale"))
        while let event = await events.next() {
            if case .reauthorizationNeeded = event { break }
        }
        chat.settle()
        #expect(!chat.network.socketCredentials.contains { $0.token == token })
    }

    @Test("the signature of a new token is sent with the next registration")
    func signature() async throws {
        let (answers, give) = AsyncStream.makeStream(of: ChatAuth.self)
        let chat = TestChat(
            in: folder, script: refusing(),
            tokenProvider: {
                for await answer in answers { return answer }
                return nil
            })
        _ = try chat.open(auth: ChatAuth(token: "stale", signature: "old"))
        chat.network.script.registration = .registered(deviceAddress: "device")
        var events = chat.sdk.events.makeAsyncIterator()
        give.yield(ChatAuth(token: "fresh", signature: "new", isEncrypted: true))
        while chat.sdk.connectionState.phase != .ready, await events.next() != nil {}
        let registrations = chat.network.commands.compactMap { command -> DeviceRegistration? in
            guard case .transmit(_, _, let frame) = command, case .registerDevice(let device) = frame.body else {
                return nil
            }
            return device
        }
        #expect(registrations.first?.signature == "old")
        #expect(registrations.last?.signature == "new")
        #expect(registrations.last?.isEncrypted == true)
    }
}
