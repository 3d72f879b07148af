import ChatCenterCore
import ChatWire
import HTTPTypes
import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import Synchronization

/// The chat's network: one HTTP client, and the sockets that the core opens.
final class LiveChatNetwork: ChatNetwork {
    private struct Socket {
        let orders: AsyncStream<SocketOrder>.Continuation
        let task: Task<Void, Never>
        var isOpen = false
    }

    private struct Work {
        var sockets: [Generation: Socket] = [:]
        var tasks: [NetworkHandle: Task<Void, Never>] = [:]
    }

    private let runner: SocketRunner
    private let calls: RESTCaller
    private let transfers: FileTransfers
    private let reporter: NetworkReporter
    private let folder: @Sendable (String) -> UserFolder?
    private let work = Mutex(Work())

    /// - Parameters:
    ///   - foreignTrust: Trust for third-party hosts; `nil` for the chat's own trust.
    ///   - folder: Returns the folder of a user's files; `nil` unless that user is authorized.
    init(
        configuration: TransportConfiguration, foreignTrust: TrustContext? = nil, addresses: ServerAddresses,
        timeouts: NetworkTimeouts, reporter: NetworkReporter,
        folder: @escaping @Sendable (String) -> UserFolder?
    ) {
        self.reporter = reporter
        self.folder = folder
        let client = HTTPClient(configuration: configuration)
        runner = SocketRunner(
            client: WebSocketClient(configuration: configuration), addresses: addresses, reporter: reporter)
        calls = RESTCaller(client: client, addresses: addresses, timeout: timeouts.rest, reporter: reporter)
        var foreign = configuration
        if let foreignTrust { foreign.trust = foreignTrust }
        foreign.refusesLocalAddresses = true
        transfers = FileTransfers(
            client: client, foreignClient: HTTPClient(configuration: foreign), addresses: addresses,
            timeouts: timeouts, reporter: reporter)
    }

    deinit {
        let work = self.work.withLock { $0 }
        for socket in work.sockets.values {
            socket.orders.finish()
            socket.task.cancel()
        }
        for task in work.tasks.values { task.cancel() }
    }

    func perform(_ command: NetworkCommand) {
        switch command {
        case .openSocket(let generation, let request): open(generation, request)
        case .transmit(let generation, let id, let frame): order(.send(id, frame), generation)
        case .ping(let generation): order(.ping, generation)
        case .closeSocket(let generation, let reason): close(generation, reason)
        case .call(let id, let call):
            start(.call(id)) { [calls] in
                let result = await calls.run(call)
                return .answered(id, result)
            }
        case .upload(let id, let plan):
            let folder = folder(plan.clientID)
            start(.transfer(id)) { [transfers] in
                let result = await transfers.settle { transfers in
                    guard let folder else { throw CancellationError() }
                    return try await transfers.upload(id, plan, keys: folder.keys)
                }
                return .transferred(id, result)
            }
        case .download(let id, let plan):
            start(.transfer(id)) { [transfers, folder] in
                // The user may have logged out or been replaced, and then the file must not be kept.
                let result = await transfers.settle { transfers in
                    try await transfers.download(id, plan) { folder(plan.clientID) }
                }
                return .transferred(id, result)
            }
        case .cancel(let handle): work.withLock { $0.tasks.removeValue(forKey: handle) }?.cancel()
        }
    }

    // MARK: Sockets

    private func open(_ generation: Generation, _ request: SocketRequest) {
        // Unbounded, because the core decides what is sent, and its queue is limited.
        let (stream, orders) = AsyncStream.makeStream(of: SocketOrder.self)
        work.withLock { work in
            let task = Task { [runner, weak self] in  // reason: `perform` returns at once; the table ends the task
                await runner.run(
                    generation, request, orders: stream, isLive: { [weak self] in self?.isLive(generation) ?? false }
                ) { [weak self] in self?.opened(generation) }
                self?.forget(generation)
            }
            work.sockets[generation] = Socket(orders: orders, task: task)
        }
    }

    private func order(_ order: SocketOrder, _ generation: Generation) {
        // Not under the lock, because a thread that cancels the reading task holds the task's own lock.
        work.withLock { $0.sockets[generation]?.orders }?.yield(order)
    }

    /// Closes a socket after its queued frames are sent. If the socket is not open yet, the connection attempt is
    /// cancelled.
    private func close(_ generation: Generation, _ reason: CloseReason) {
        guard let socket = work.withLock({ $0.sockets.removeValue(forKey: generation) }) else { return }
        guard socket.isOpen else { return socket.task.cancel() }
        socket.orders.yield(.close(reason))
        socket.orders.finish()
    }

    private func opened(_ generation: Generation) {
        work.withLock { $0.sockets[generation]?.isOpen = true }
    }

    private func isLive(_ generation: Generation) -> Bool {
        work.withLock { $0.sockets[generation] != nil }
    }

    private func forget(_ generation: Generation) {
        work.withLock { _ = $0.sockets.removeValue(forKey: generation) }
    }

    // MARK: Calls and transfers

    /// Starts a task. It does not retain the network, so that it ends when the network is freed.
    private func start(_ handle: NetworkHandle, _ body: @escaping @Sendable () async -> NetworkEvent) {
        work.withLock { work in
            work.tasks[handle]?.cancel()
            work.tasks[handle] = Task { [reporter, weak self] in  // reason: `perform` returns; the table ends it
                let event = await body()
                // Nobody waits for a cancelled task, and its handle may already be used again.
                guard !Task.isCancelled else { return }
                self?.forget(handle)
                reporter.sink(event)
            }
        }
    }

    private func forget(_ handle: NetworkHandle) {
        work.withLock { _ = $0.tasks.removeValue(forKey: handle) }
    }
}

/// The network of an unusable configuration: it answers everything with the configuration's problems.
struct RefusingNetwork: ChatNetwork {
    let error: ChatTransportConfigError
    let reporter: NetworkReporter

    func perform(_ command: NetworkCommand) {
        switch command {
        case .openSocket(let generation, _):
            reporter.sink(.socketClosed(generation, .transport(reporter.failure(error, "socket"))))
        case .call(let id, _):
            reporter.sink(.answered(id, .failure(reporter.failure(error, "call"))))
        case .upload(let id, _), .download(let id, _):
            reporter.sink(.transferred(id, .failure(reporter.failure(error, "transfer"))))
        case .transmit, .ping, .closeSocket, .cancel:
            break
        }
    }
}

/// Makes REST calls.
struct RESTCaller: Sendable {
    let client: HTTPClient
    let addresses: ServerAddresses
    let timeout: Duration
    let reporter: NetworkReporter

    func run(_ call: RESTCall) async -> Result<RESTAnswer, TransportFailure> {
        let request = addresses.request(call)
        reporter.log.write(.rest, NetworkLog.request(request, reporter.log))
        do {
            let answer = try await client.collect(
                request, upTo: JSONLimits.answer.maximumBytes, options: RequestOptions(idleTimeout: timeout))
            try Task.checkCancellation()
            reporter.log.write(.rest, NetworkLog.response(answer.response, answer.body, request, reporter.log))
            return .success(
                RESTAnswer(
                    to: call.request, status: answer.response.status.code, body: answer.body,
                    retryAfterMilliseconds: RetryAfter.milliseconds(
                        answer.response.headerFields[.retryAfter], now: reporter.now())))
        } catch {
            return .failure(reporter.failure(error, "\(request.method) \(NetworkLog.path(request))"))
        }
    }
}

extension RetryAfter {
    /// The longest wait in milliseconds that a server can request: one day. A longer one is an error or an attack. A
    /// longer one counts as one day.
    static let longest: Int64 = 86_400_000

    /// Returns the wait in milliseconds; `nil` for a header that is missing or cannot be parsed.
    ///
    /// - Parameter now: Milliseconds since 1970.
    static func milliseconds(_ text: String?, now: Int64) -> Int64? {
        RetryAfter(text).map { min($0.milliseconds(from: now), longest) }
    }
}
