import ChatCenterCore
import ChatWire
import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket
import Synchronization

/// The chat's network over real sockets: one HTTP client, and the sockets that the core asks for.
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
    private let client: HTTPClient
    private let transfers: FileTransfers
    private let addresses: ServerAddresses
    private let timeouts: NetworkTimeouts
    private let reporter: NetworkReporter
    private let folder: @Sendable () -> UserFolder?
    private let work = Mutex(Work())

    /// - Parameter folder: Where downloads are kept: the folder of the user who is authorised.
    init(
        configuration: TransportConfiguration, addresses: ServerAddresses, timeouts: NetworkTimeouts,
        reporter: NetworkReporter, folder: @escaping @Sendable () -> UserFolder?
    ) {
        self.addresses = addresses
        self.timeouts = timeouts
        self.reporter = reporter
        self.folder = folder
        client = HTTPClient(configuration: configuration)
        runner = SocketRunner(
            client: WebSocketClient(configuration: configuration), addresses: addresses, reporter: reporter)
        transfers = FileTransfers(client: client, addresses: addresses, timeouts: timeouts, reporter: reporter)
    }

    deinit {
        let work = self.work.withLock { $0 }
        Self.cancel(work)
    }

    func perform(_ command: NetworkCommand) {
        switch command {
        case .openSocket(let generation, let request): open(generation, request)
        case .transmit(let generation, let id, let frame): order(.send(id, frame), generation)
        case .ping(let generation): order(.ping, generation)
        case .closeSocket(let generation, let reason): close(generation, reason)
        case .call(let id, let call): start(.call(id)) { [self] in await run(id, call) }
        case .upload(let id, let plan):
            start(.transfer(id)) { [self] in
                await settle(id, "upload") { try await transfers.upload(id, plan) }
            }
        case .download(let id, let plan):
            start(.transfer(id)) { [self] in
                await settle(id, "download") {
                    guard let folder = folder() else { throw CancellationError() }
                    return try await transfers.download(id, plan, into: folder)
                }
            }
        case .cancel(let handle): work.withLock { $0.tasks.removeValue(forKey: handle) }?.cancel()
        case .reset: reset()
        }
    }

    // MARK: Sockets

    private func open(_ generation: Generation, _ request: SocketRequest) {
        // Unbounded: the core decides what is sent, and its queue has a limit.
        let (stream, orders) = AsyncStream.makeStream(of: SocketOrder.self)
        work.withLock { work in
            let task = Task { [runner, weak self] in  // reason: `perform` returns at once; the table ends the task
                await runner.run(generation, request, orders: stream) { self?.opened(generation) }
                self?.forget(generation)
            }
            work.sockets[generation] = Socket(orders: orders, task: task)
        }
    }

    private func order(_ order: SocketOrder, _ generation: Generation) {
        _ = work.withLock { $0.sockets[generation]?.orders.yield(order) }
    }

    /// Lets what is queued go out first. A socket that is not open yet has nothing queued, and its dial is given up.
    private func close(_ generation: Generation, _ reason: CloseReason) {
        guard let socket = work.withLock({ $0.sockets.removeValue(forKey: generation) }) else { return }
        guard socket.isOpen else { return socket.task.cancel() }
        socket.orders.yield(.close(reason))
        socket.orders.finish()
    }

    private func opened(_ generation: Generation) {
        work.withLock { $0.sockets[generation]?.isOpen = true }
    }

    private func forget(_ generation: Generation) {
        work.withLock { _ = $0.sockets.removeValue(forKey: generation) }
    }

    // MARK: Calls and transfers

    private func start(_ handle: NetworkHandle, _ body: @escaping @Sendable () async -> Void) {
        work.withLock { work in
            work.tasks[handle]?.cancel()
            work.tasks[handle] = Task {  // reason: `perform` returns at once; the table ends the task
                await body()
            }
        }
    }

    private func finished(_ handle: NetworkHandle) {
        work.withLock { _ = $0.tasks.removeValue(forKey: handle) }
    }

    private func run(_ id: CallID, _ call: RESTCall) async {
        let request = addresses.request(call)
        reporter.log.write(.rest, NetworkLog.request(request, reporter.log))
        let result: Result<RESTAnswer, TransportFailure>
        do {
            let answer = try await client.collect(
                request, upTo: JSONLimits.answer.maximumBytes, options: RequestOptions(idleTimeout: timeouts.rest))
            reporter.log.write(.rest, NetworkLog.response(answer.response, answer.body, request, reporter.log))
            result = .success(
                RESTAnswer(to: call.request, status: answer.response.status.code, body: answer.body))
        } catch {
            guard !Task.isCancelled else { return }
            result = .failure(reporter.failure(error, "\(request.method) \((request.path ?? "/").prefix { $0 != "?" })"))
        }
        finished(.call(id))
        reporter.sink(.answered(id, result))
    }

    private func settle(
        _ id: TransferID, _ what: String, _ body: () async throws -> RemoteFile
    ) async {
        let result: Result<RemoteFile, TransportFailure>
        do {
            result = .success(try await body())
        } catch {
            guard !Task.isCancelled else { return }
            result = .failure(reporter.failure(error, what))
        }
        finished(.transfer(id))
        reporter.sink(.transferred(id, result))
    }

    private func reset() {
        let work = self.work.withLock { work in
            defer { work = Work() }
            return work
        }
        Self.cancel(work)
    }

    private static func cancel(_ work: Work) {
        for socket in work.sockets.values {
            socket.orders.finish()
            socket.task.cancel()
        }
        for task in work.tasks.values { task.cancel() }
    }
}
