import ChatCenterCore
import Foundation
import Testing

@testable import ChatCenter

/// The device's network path, from the monitor to the socket.
@Suite(.timeLimit(.minutes(1))) struct PathMonitorTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("the path is observed only while a user is authorized and the app is in the foreground")
    func watched() throws {
        let chat = TestChat(in: folder)
        #expect(!chat.pathMonitor.isWatched)
        _ = try chat.open()
        #expect(chat.pathMonitor.isWatched)
        chat.sdk.applicationDidEnterBackground()
        chat.settle()
        #expect(!chat.pathMonitor.isWatched)
        chat.sdk.applicationWillEnterForeground()
        chat.settle()
        #expect(chat.pathMonitor.isWatched)
        chat.sdk.deauthorizeUser()
        #expect(!chat.pathMonitor.isWatched)
    }

    @Test("another network replaces the socket, and the same network does not")
    func replaced() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open()
        chat.pathMonitor.see("wlan0=10.0.0.2")
        chat.settle()
        let first = try #require(chat.network.live)
        chat.pathMonitor.see("wlan0=10.0.0.2")
        chat.settle()
        #expect(chat.network.live == first)
        chat.pathMonitor.see("wwan0=10.9.9.9")
        chat.settle()
        let second = try #require(chat.network.live)
        #expect(second != first)
        #expect(screen.state.connection == .ready)
    }

    @Test("a wait for the next attempt ends when the network is back")
    func waitEnds() throws {
        var script = ScriptedNetwork.Script()
        script.socket = .failure(TransportFailure(.noConnectivity))
        let chat = TestChat(in: folder, script: script)
        let screen = try chat.open()
        chat.pathMonitor.see("", hasRoute: false)
        chat.settle()
        guard case .waitingToReconnect = screen.state.connection else {
            Issue.record("\(screen.state.connection)")
            return
        }
        chat.network.script.socket = .success(())
        chat.pathMonitor.see("wlan0=10.0.0.2")
        chat.settle()
        #expect(screen.state.connection == .ready, "no time has passed")
    }

    @Test("the path of interfaces ignores link-local addresses and the order")
    func interfaces() {
        func path(_ addresses: (String, String)...) -> NetworkPath {
            InterfaceList(addresses: addresses.map { .init(interface: $0.0, address: $0.1) }).path
        }
        #expect(path() == NetworkPath(identity: "", hasRoute: false))
        #expect(!path(("eth0", "fe80::1"), ("eth0", "169.254.3.4")).hasRoute)
        #expect(path(("b", "10.0.0.1"), ("a", "10.0.0.2")) == path(("a", "10.0.0.2"), ("b", "10.0.0.1")))
        #expect(path(("a", "10.0.0.1")) != path(("a", "10.0.0.2")))
        #expect(path(("a", "10.0.0.1")) != path(("b", "10.0.0.1")))
    }

    @Test("this device's interfaces can be read twice with the same result")
    func system() {
        #expect(InterfaceList.current == InterfaceList.current)
        #expect(!InterfaceList.current.addresses.contains { $0.address.hasPrefix("127.") })
    }

    @Test("polling reports the current path, then each change, and nothing after it was stopped")
    func polling() async throws {
        let polls = Polls()
        let monitor = PollingPathMonitor(polls.poll)
        let paths = Noted<String>()
        monitor.start { paths.append($0.identity) }
        await polls.checked()
        await polls.check()  // The same path again is not reported.
        polls.path.append("two")
        await polls.check()
        // A check has ended when the next one begins.
        await polls.check()
        #expect(paths.values == ["one", "two"])
        monitor.stop()
        monitor.stop()
    }

    @Test("monitors share the checks; each gets the current path, and a stopped one gets nothing more")
    func sharedPolling() async throws {
        let polls = Polls()
        let (first, second) = (PollingPathMonitor(polls.poll), PollingPathMonitor(polls.poll))
        let (firstPaths, secondPaths) = (Noted<String>(), Noted<String>())
        first.start { firstPaths.append($0.identity) }
        await polls.checked()
        second.start { secondPaths.append($0.identity) }
        await polls.checked()
        polls.path.append("two")
        await polls.check()
        await polls.check()
        #expect(firstPaths.values == ["one", "two"] && secondPaths.values == ["one", "two"])
        first.stop()
        polls.path.append("three")
        await polls.check()
        await polls.check()
        #expect(firstPaths.values == ["one", "two"] && secondPaths.values == ["one", "two", "three"])
        second.stop()
    }

    @Test("a monitor that starts again after all were stopped is told the current path")
    func restartedPolling() async throws {
        let polls = Polls()
        let monitor = PollingPathMonitor(polls.poll)
        monitor.start { _ in }
        await polls.checked()
        monitor.stop()
        await polls.stopped()
        let (paths, path) = AsyncStream.makeStream(of: String.self)
        monitor.start { path.yield($0.identity) }
        var iterator = paths.makeAsyncIterator()
        #expect(await iterator.next() == "one")
        monitor.stop()
    }

    /// A poll whose checks a test starts one by one.
    private final class Polls: Sendable {
        let path = Noted<String>()
        let poll: PathPoll
        private let looks: Waiter
        private let ends: Waiter
        private let tick: AsyncStream<Void>.Continuation

        init() {
            let (looks, looked) = AsyncStream.makeStream(of: Void.self)
            let (ends, ended) = AsyncStream.makeStream(of: Void.self)
            let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
            let waiter = Waiter(ticks)
            self.looks = Waiter(looks)
            self.ends = Waiter(ends)
            self.tick = tick
            path.append("one")
            poll = PathPoll(
                look: { [path] in
                    looked.yield()
                    return NetworkPath(identity: path.values.last ?? "", hasRoute: true)
                },
                pause: {
                    do {
                        try await waiter.next()
                    } catch {
                        ended.yield()
                        throw error
                    }
                })
        }

        /// Waits until the next check begins.
        func checked() async { try? await looks.next() }

        /// Ends the pause, and waits until the next check begins.
        func check() async {
            tick.yield()
            await checked()
        }

        /// Waits until the checks have ended.
        func stopped() async { try? await ends.next() }
    }

    /// Passes one tick to each pause.
    private actor Waiter {
        private var iterator: AsyncStream<Void>.Iterator

        init(_ stream: AsyncStream<Void>) {
            iterator = stream.makeAsyncIterator()
        }

        func next() async throws {
            var iterator = iterator
            guard await iterator.next(isolation: self) != nil else { throw CancellationError() }
            self.iterator = iterator
        }
    }
}
