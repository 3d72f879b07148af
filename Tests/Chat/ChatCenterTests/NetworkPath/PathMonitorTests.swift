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
        let paths = Noted<String>()
        let (looks, feed) = AsyncStream.makeStream(of: String.self)
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let current = Noted<String>()
        current.append("one")
        let waiter = Waiter(ticks)
        let monitor = PollingPathMonitor(
            look: {
                feed.yield("look")
                return NetworkPath(identity: current.values.last ?? "", hasRoute: true)
            }, pause: { try await waiter.next() })
        monitor.start { paths.append($0.identity) }
        var iterator = looks.makeAsyncIterator()
        _ = await iterator.next()
        tick.yield()  // The same path again is not reported.
        _ = await iterator.next()
        current.append("two")
        tick.yield()
        _ = await iterator.next()
        // The third check is in progress. The fourth starts when it is done.
        tick.yield()
        _ = await iterator.next()
        #expect(paths.values == ["one", "two"])
        monitor.stop()
        monitor.stop()
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
